"""Read the requested columns of delimited text and JSON Lines."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from rocsolid.arguments import nearest
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError, short
from rocsolid.inputs.arrays import missing_values
from rocsolid.inputs.files import File, damaged, decoded
from rocsolid.inputs.fold_columns import fold_like, unnamed_folds
from rocsolid.inputs.rows import (
    Rows,
    exact_as_float,
    is_number,
    lines_at,
    may_be_rounded,
    read_numbers,
    with_decimal_points,
)
from rocsolid.remarks.remark import Remark
from rocsolid.room import out_of_memory


@dataclass(frozen=True, slots=True)
class Wanted:
    """Column names: labels, numbers (scores, weights), keys that group rows.

    ``printed`` numbers may be text. With ``suspect``, columns that look like folds of a
    cross-validation are also read, and with ``every`` all other columns.
    """

    labels: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    suspect: bool = False
    every: bool = False
    printed: bool = False

    def __post_init__(self) -> None:
        for name in (*self.labels, *self.numbers, *self.keys):
            if not isinstance(name, str):
                raise InputError("a column name must be text", value=name, fix="give one name")
        if both := [name for name in self.numbers if name in self.labels]:
            raise InputError(
                "one column is both the label and a score or weight", value=both[0],
                fix="name the column of the score",
            )  # fmt: skip

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys([*self.labels, *self.numbers, *self.keys]))

    def read(self, present: Sequence[str]) -> list[str]:
        return [*self.names, *self.suspects(present)]

    def suspects(self, present: Iterable[str]) -> list[str]:
        """The columns that are read too: those that are named like folds, or every other column."""
        counts = Counter(iter(present))
        others = [name for name in counts if counts[name] == 1 and name not in self.names]
        return others if self.every else fold_like(others) if self.suspect else []

    def warned(self, folds: Iterable[str]) -> tuple[Remark, ...]:
        """Warnings about columns that look like folds, or about the name of a score."""
        if not self.suspect:
            return ()
        return unnamed_folds(fold_like(folds), [] if fold_like(self.names) else self.numbers)

    def check(self, present: Sequence[str], source: str) -> None:
        """Check that every requested column exists exactly once.

        >>> Wanted(numbers=("scroe",)).check(["y", "score"], "a.csv")
        Traceback (most recent call last):
        rocsolid.errors.InputError: there is no column 'scroe'; the columns are 'y' and 'score'
        (a.csv). Fix: use 'score', the nearest name.
        """
        counts = Counter(present)
        for name in self.names:
            if counts[name] == 0:
                raise _missing(name, list(counts), source)
            if counts[name] > 1:
                raise InputError(
                    f"{counts[name]} columns have the same name",
                    where=source,
                    value=name,
                    fix="give each column its own name",
                )


def listed(values: Sequence[object], limit: int = 20) -> str:
    """Format values as Python literals, with "and" before the last; long lists are cut.

    >>> print(listed([1, 2, "a"]), listed([1, 2, 3], limit=2), sep="; ")
    1, 2 and 'a'; 1, 2 and 1 more
    """
    shown = [short(value) for value in values[:limit]]
    if len(values) > limit:
        return f"{', '.join(shown)} and {len(values) - limit:,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _missing(name: str, present: list[str], source: str) -> InputError:
    near = nearest(name, present)
    several = [part.strip() for part in name.split(",")]
    if len(several) > 1 and set(several) <= set(present):
        fix = f"these are {len(several)} columns: pass each name separately"
    elif near is not None:
        fix = f"use {near!r}, the nearest name"
    elif len(present) == 1 and (mark := next((m for m in "\t|" if m in present[0]), None)):
        kind = "a .tsv file" if mark == "\t" else "commas between cells"
        fix = f"the header has one cell, with {mark!r} in it: save the table as {kind}"
    else:
        fix = "use one of these names"
    has = "columns are" if len(present) > 1 else "only column is"
    return InputError(
        f"there is no column {name!r}; the {has} {listed(present)}", where=source, fix=fix
    )


_CANONICAL_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def read_delimited(file: File, wanted: Wanted) -> tuple[dict[str, Any], Rows]:
    """Read only the requested columns; also return how to name lines.

    pyarrow infers the types of labels and numbers; integers that pyarrow would round to float64 are
    read exactly. Keys are read as text, so that 01 and 1 remain two keys, and become integers if
    every key is a canonical integer. An empty cell is a missing value; so are NA, nan and null in a
    column of numbers.

    A .csv file whose header has semicolons and no comma is split at semicolons, as spreadsheets
    write it where the decimal mark is a comma. Only there may numbers have a decimal comma.
    """
    rows = Rows("line", f" of {file.name}, counting the header", lambda at: lines_of_rows(file, at))
    names = wanted.read(header_of(file, wanted))
    guessed = {*wanted.labels, *wanted.numbers}
    table = _read(file, names, text=[k for k in wanted.keys if k not in guessed])
    columns: dict[str, Any] = {name: table[name] for name in names}
    for name in wanted.names:
        values = table[name]
        if name in wanted.numbers:
            columns[name] = _numbers(file, name, values, rows)
        else:
            columns[name] = _texts(values, name, rows, as_key=name in wanted.keys)
    return columns, rows


def header_of(file: File, wanted: Wanted) -> list[str]:
    """The names of all columns of a file that contains the requested ones."""
    try:
        header = next(records(file), None)
    except (UnicodeDecodeError, OSError, EOFError, csv.Error) as error:
        raise diagnosed(file, error) from error
    if header is None:
        raise InputError("the file is empty", where=file.name, fix="write the table again")
    wanted.check(header[1], file.name)
    return header[1]


_START = 1 << 20  # bytes that the types are guessed from


def _read(file: File, names: list[str], text: list[str]) -> Any:
    """The columns as pyarrow reads them, with the columns in ``text`` as text.

    pyarrow releases each block of cells if it knows the types, and keeps all blocks if it infers
    them. Therefore the types of the first lines are tried first.
    """
    import pyarrow as pa
    import pyarrow.csv

    types = dict.fromkeys(text, pa.dictionary(pa.int32(), pa.string()))
    # a quoted cell may run over several lines
    cells = pa.csv.ParseOptions(delimiter=separator(file), newlines_in_values=True)
    lasting = (pa.int64(), pa.float64(), pa.string())

    def options(known: dict[str, Any]) -> dict[str, Any]:
        kinds = pa.csv.ConvertOptions(include_columns=names, column_types=known)
        return {"parse_options": cells, "convert_options": kinds}

    try:
        try:
            with file.open() as opened:
                start = opened.read(_START)
            likely: dict[str, Any] = {}
            if len(start) == _START:
                start = start[: start.rfind(b"\n") + 1]
                first = pa.csv.read_csv(pa.BufferReader(start), **options(types)).schema
                likely = {field.name: field.type for field in first if field.type in lasting}
            table = pa.csv.read_csv(file.arrow(), **options(likely | types))
        except (pa.ArrowInvalid, EOFError, OSError):  # a later type differs, or the file is damaged
            table = pa.csv.read_csv(file.arrow(), **options(types))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise diagnosed(file, error) from error
    if any(pa.types.is_binary(kind) for kind in table.schema.types):  # text that is not UTF-8
        raise diagnosed(file, ValueError("the text is not UTF-8"))
    return table


def _numbers(file: File, name: str, values: Any, rows: Rows) -> Any:
    """A column of numbers as pyarrow inferred it, or parsed from the text if inference fails."""
    import pyarrow as pa

    if pa.types.is_string(values.type):
        texts = values.to_pylist()
        if separator(file) == ";":
            texts = with_decimal_points(texts)
        return read_numbers(texts, f"column {name!r}", rows)
    suspects = may_be_rounded(values)
    if len(suspects):
        texts = _read(file, [name], text=[name])[name]
        if not all(map(exact_as_float, texts.take(suspects).to_pylist())):
            return read_numbers(texts.to_pylist(), f"column {name!r}", rows)
    return values


def _texts(values: Any, name: str, rows: Rows, as_key: bool) -> Any:
    """A column of text as an array of few shared strings; an empty cell is an error."""
    import pyarrow as pa

    if pa.types.is_string(values.type):
        values = values.dictionary_encode()
    if not pa.types.is_dictionary(values.type):
        return values
    coded = values.combine_chunks()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.unify_dictionaries().chunk(0)
    code = np.from_dlpack(coded.indices)
    distinct = coded.dictionary.to_pylist()
    if "" in distinct:
        raise missing_values(f"column {name!r}", code == distinct.index(""), rows)
    if as_key and all(map(_CANONICAL_INTEGER.fullmatch, distinct)):
        return np.array(distinct, dtype=np.int64)[code]
    return np.array(distinct, dtype=object)[code]


def separator(file: File) -> str:
    """The separator of cells: from the file's name, or a semicolon from its header."""
    if file.format == "tsv":
        return "\t"
    with io.TextIOWrapper(file.open(), encoding="utf-8-sig", newline="") as text:
        header = next((record for record in csv.reader(text) if record), [])
    return ";" if len(header) == 1 and ";" in header[0] else ","


def records(file: File) -> Iterator[tuple[int, list[str]]]:
    """Each non-empty record, with the number of its first line."""
    with io.TextIOWrapper(file.open(), encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, delimiter=separator(file))
        start = 1
        for record in reader:
            if record:
                yield start, record
            start = reader.line_num + 1


def lines_of_rows(file: File, positions: list[int]) -> list[int]:
    """The first lines of these ascending rows; row 0 follows the header."""
    return lines_at(records(file), [position + 1 for position in positions])


def diagnosed(file: File, error: Exception) -> RocsolidError:
    """Return an error that names the line that caused a pyarrow error."""
    shortage = out_of_memory(error, file.name)
    if shortage is not None:
        return shortage
    try:
        lines_of_cells = records(file)
        width = len(next(lines_of_cells)[1])
        for line, record in lines_of_cells:
            if (count := len(record)) != width:
                return InputError(
                    f"{count} cell{'s' if count > 1 else ''} where the header has {width}",
                    where=f"line {line} of {file.name}",
                    value=separator(file).join(record),
                    fix="quote a cell that holds the separator; write decimals with a point",
                )
    except UnicodeDecodeError:
        with file.open() as lines:
            for number, content in enumerate(lines, start=1):
                try:
                    decoded(content, f"line {number} of {file.name}")
                except InputError as fault:
                    return fault
    except (OSError, EOFError, csv.Error, StopIteration):
        pass
    return damaged(file, error)


def read_jsonl(file: File, wanted: Wanted) -> tuple[dict[str, Any], Rows]:
    """Read the requested fields of every line; also return how to name lines.

    pyarrow reads the file if it can do so exactly; otherwise (types that change between lines,
    large integers) Python's own reader parses each line. A field that a line lacks is a missing
    value.
    """
    rows = Rows("line", f" of {file.name}", lambda at: lines_of_objects(file, at))
    table = _by_arrow(file)
    if table is not None:
        wanted.check(table.column_names, file.name)
        columns = {name: table[name] for name in wanted.read(table.column_names)}
        if not any(len(may_be_rounded(values)) for values in columns.values()):
            return columns, rows
    return _by_line(file, wanted), rows


def _by_arrow(file: File) -> Any:
    import pyarrow as pa
    import pyarrow.json

    try:
        return pa.json.read_json(file.arrow())
    except (pa.ArrowException, OSError, ValueError):
        return None


def first_fields(file: File) -> list[str]:
    for line, text in _objects(file):
        return [*_parsed(text, f"line {line} of {file.name}")]
    return []


def _by_line(file: File, wanted: Wanted) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {name: [] for name in wanted.names}
    fields: dict[str, None] = {}
    for line, text in _objects(file):
        record = _parsed(text, f"line {line} of {file.name}")
        fields.update(dict.fromkeys(record))
        for name, values in columns.items():
            values.append(record.get(name))
    if not fields:
        raise InputError("the file is empty", where=file.name, fix="write the table again")
    wanted.check(list(fields), file.name)
    return dict(columns)


def _parsed(text: bytes, where: str) -> dict[str, Any]:
    shown = text.decode(errors="replace").strip()
    try:
        pairs = json.loads(text, object_pairs_hook=_Pairs, parse_float=_float)
    except UnicodeDecodeError:
        raise InputError(
            "the text is not UTF-8", where=where, value=shown, fix="save the file as UTF-8"
        ) from None
    except ValueError as error:
        raise InputError(
            f"the line cannot be read as JSON, {getattr(error, 'msg', error)}",
            where=where,
            value=shown,
            fix="write one JSON object per line",
        ) from None
    if not isinstance(pairs, _Pairs):
        raise InputError(
            "the line is not a JSON object",
            where=where,
            value=shown,
            fix='write one object per line, such as {"y": 1, "score": 0.5}',
        )
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(
            "a field is given twice", where=where, value=twice, fix="give each field its own name"
        )
    return {name: dict(v) if isinstance(v, _Pairs) else v for name, v in record.items()}


def _float(text: str) -> float:
    if not is_number(text):
        raise ValueError(f"{text} is too large for a float64")
    return float(text)


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as a list of pairs, so that duplicate fields can be detected."""


def _objects(file: File) -> Iterator[tuple[int, bytes]]:
    try:
        with file.open() as lines:
            for number, text in enumerate(lines, start=1):
                content = text.removeprefix(b"\xef\xbb\xbf") if number == 1 else text
                if content.strip():
                    yield number, content
    except (OSError, EOFError) as error:
        raise damaged(file, error) from error


def lines_of_objects(file: File, positions: list[int]) -> list[int]:
    """The lines of these ascending rows; empty lines do not count as rows."""
    return lines_at(_objects(file), positions)

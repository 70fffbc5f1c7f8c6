"""CSV and TSV files through pyarrow, with the line of whatever is wrong."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs.arrays import missing_values
from rocsolid.inputs.files import File, damaged
from rocsolid.inputs.number_text import (
    exact_as_float,
    may_be_rounded,
    read_numbers,
    with_decimal_points,
)
from rocsolid.inputs.rows import Rows
from rocsolid.inputs.wanted import Wanted
from rocsolid.room import out_of_memory

_CANONICAL_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def read_delimited(file: File, wanted: Wanted) -> tuple[dict[str, Any], Rows]:
    """The wanted columns only, and the way to name lines.

    The types of labels and numbers are pyarrow's guess, with two exceptions. Integers that it would
    round to float64 are read exactly. Keys are read as text, so that 01 and 1 stay two keys, and
    become integers if every one of them is written as an integer would be. An empty cell is a
    missing value; so are NA, nan and null in a column of numbers, where no text can be meant.

    A .csv file whose header has semicolons and no comma is split at semicolons, as spreadsheets
    write it where the decimal mark is a comma. There, and only there, numbers may have one.
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
    """The names of all columns of a file that has the wanted ones."""
    try:
        header = next(records(file), None)
    except (UnicodeDecodeError, OSError, EOFError, csv.Error) as error:
        raise diagnosed(file, error) from error
    if header is None:
        raise InputError("the file is empty", where=file.name, fix="write the table again")
    wanted.check(header[1], file.name)
    return header[1]


def _read(file: File, names: list[str], text: list[str]) -> Any:
    import pyarrow as pa
    import pyarrow.csv

    as_text = pa.dictionary(pa.int32(), pa.string())
    try:
        table = pa.csv.read_csv(
            file.arrow(),
            # a quoted cell may run over several lines
            parse_options=pa.csv.ParseOptions(delimiter=separator(file), newlines_in_values=True),
            convert_options=pa.csv.ConvertOptions(
                include_columns=names, column_types=dict.fromkeys(text, as_text)
            ),
        )
    except (pa.ArrowException, OSError, ValueError) as error:
        raise diagnosed(file, error) from error
    if any(pa.types.is_binary(kind) for kind in table.schema.types):  # text that is not UTF-8
        raise diagnosed(file, ValueError("the text is not UTF-8"))
    return table


def _numbers(file: File, name: str, values: Any, rows: Rows) -> Any:
    """A column of numbers as pyarrow guessed it, or read from the text where the guess fails."""
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
    """What stands between cells: by the file's name, and semicolons by its header."""
    if file.format == "tsv":
        return "\t"
    with io.TextIOWrapper(file.open(), encoding="utf-8-sig", newline="") as text:
        header = next((record for record in csv.reader(text) if record), [])
    return ";" if len(header) == 1 and ";" in header[0] else ","


def records(file: File) -> Iterator[tuple[int, list[str]]]:
    """Each record that is not an empty line, with the number of the line that it starts on."""
    with io.TextIOWrapper(file.open(), encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, delimiter=separator(file))
        start = 1
        for record in reader:
            if record:
                yield start, record
            start = reader.line_num + 1


def lines_of_rows(file: File, positions: list[int]) -> list[int]:
    """The lines that these ascending rows start on; row 0 is the first after the header."""
    lines: list[int] = []
    for row, (line, _) in enumerate(records(file), start=-1):
        if len(lines) < len(positions) and row == positions[len(lines)]:
            lines.append(line)
        if len(lines) == len(positions):
            break
    return lines


def diagnosed(file: File, error: Exception) -> RocsolidError:
    """The error that pyarrow met, located line by line so that the message names the line."""
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
                    content.decode("utf-8")
                except UnicodeDecodeError:
                    return InputError(
                        "the text is not UTF-8",
                        where=f"line {number} of {file.name}",
                        value=content[:60],
                        fix="save the file as UTF-8",
                    )
    except (OSError, EOFError, csv.Error, StopIteration):
        pass
    return damaged(file, error)

"""Read tables into validated columns, after a check that they fit into memory."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, OutOfMemoryError
from rocsolid.inputs.arrays import check_lengths, column, is_missing, missing_values, scores
from rocsolid.inputs.delimited import Wanted
from rocsolid.inputs.files import File, damaged, find_file
from rocsolid.inputs.fold_columns import fold_like, looks_like_folds
from rocsolid.inputs.groups import codes_of_few
from rocsolid.inputs.many_files import is_many, partition, read_many, table_files
from rocsolid.inputs.rows import ARRAY_ROWS, Rows, read_numbers
from rocsolid.remarks.remark import Remark
from rocsolid.room import ADVICE, memory_bound

# measured, and rounded up: what this process comes to while it reads rows and evaluates them
# the interpreter with NumPy, pyarrow and pandas takes 150 MB; the rest is for what Arrow's threads
# hold longer when a busy machine lets them finish late
BESIDE = 170_000_000
_ROW = 50  # bytes that a label and a score take while they are read and sorted
_SCORE = 25  # what each further score adds
_KEY = 140  # what each column of segments adds: keys may be text
_LEAST = 9  # bytes of a row in an Arrow stream, which does not say how many it has
_HEAD = 64 * 1024  # bytes looked at to guess the length of a line


def bytes_of_row(scores: int, keys: int) -> int:
    return _ROW + _SCORE * (scores - 1) + _KEY * keys


def refuse_beyond_bound(files: Sequence[str | PathLike[str]], wanted: Wanted) -> None:
    """Raise an error if the rows of these files need more memory than the process may use.

    Otherwise a container would be killed without a message.
    """
    bound, by = memory_bound()
    rows = sum(rows_of_file(path)[0] for path in files)
    # a key may be short, or one number for all rows: here only what is needed for certain counts
    needed = BESIDE + rows * bytes_of_row(max(len(wanted.numbers), 1), 0)
    if needed > bound:
        raise OutOfMemoryError(
            f"the rows need about {needed / 1e6:,.0f} MB of memory, but this process may use "
            f"{bound / 1e6:,.0f} MB, limited by {by}",
            where=Path(files[0]).name,
            fix=ADVICE,
        )


def rows_of_file(source: str | PathLike[str]) -> tuple[float, float]:
    """The number of rows of a file, and of bytes of text."""
    file, path = find_file(source), Path(source)
    if file.format in ("parquet", "ipc"):
        try:
            return _declared_rows(path, file.format), 0
        except Exception as error:  # pyarrow has no class of its own for a damaged file
            raise damaged(file, error) from error
    size = float(path.stat().st_size)
    if file.format == "ipc stream":
        return size / _LEAST, 0
    with path.open("rb") as opened:
        head = opened.read(_HEAD)
    if file.gzipped:
        packed = len(head)
        try:
            head = zlib.decompressobj(wbits=31).decompress(head)
        except zlib.error as error:
            raise damaged(file, error) from error
        size *= len(head) / packed
    return (size * max(head.count(b"\n"), 1) / len(head), size) if head else (0, 0)


def _declared_rows(path: Path, form: str) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if form == "parquet":
        return int(pq.ParquetFile(path).metadata.num_rows)
    with pa.memory_map(str(path)) as mapped:  # of which only what describes the batches is read
        reader = pa.ipc.open_file(mapped)
        return sum(reader.get_batch(i).num_rows for i in range(reader.num_record_batches))


def read_arrow_file(file: File, wanted: Wanted) -> tuple[dict[str, Any], Rows]:
    """Read the requested columns; also return how to name rows (such a file has no lines)."""
    import pyarrow as pa

    try:
        table = _READERS[file.format](file, wanted)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise damaged(file, error) from error
    columns = {name: table[name] for name in wanted.read(table.column_names)}
    return columns, Rows("row", f" of {file.name}, counting from 0")


def _parquet(file: File, wanted: Wanted) -> Any:
    import pyarrow.parquet

    parquet = pyarrow.parquet.ParquetFile(file.arrow())
    wanted.check(parquet.schema_arrow.names, file.name)
    return _checked(parquet.read(columns=wanted.read(parquet.schema_arrow.names)))


def _ipc(file: File, wanted: Wanted) -> Any:
    import pyarrow as pa

    present = pa.ipc.open_file(file.arrow()).schema.names
    wanted.check(present, file.name)
    fields = [present.index(name) for name in wanted.read(present)]
    options = pa.ipc.IpcReadOptions(included_fields=fields)
    return _checked(pa.ipc.open_file(file.arrow(), options=options).read_all())


def _ipc_stream(file: File, wanted: Wanted) -> Any:
    import pyarrow as pa

    reader = pa.ipc.open_stream(file.arrow())
    wanted.check(reader.schema.names, file.name)
    return _checked(reader.read_all().select(wanted.read(reader.schema.names)))


def _checked(table: Any) -> Any:
    """Validate the table, because buffers and text are used without a copy."""
    table.validate(full=True)
    return table


_READERS = {"parquet": _parquet, "ipc": _ipc, "ipc stream": _ipc_stream}


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of equal length by name, with at least one row, and how to name rows in an error.

    ``others`` numbers the values of each further column that has few.
    """

    columns: Mapping[str, NDArray[Any]]
    rows: Rows
    source: str
    warnings: tuple[Remark, ...] = ()
    others: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def repeated(self, times: NDArray[np.int64]) -> Table:
        """Repeat each row that many times; an error still names the original row."""
        origin = np.repeat(np.arange(len(self)), times)
        numbered = self.rows.number

        def number(at: list[int]) -> list[int]:
            rows = list(dict.fromkeys(int(origin[i]) for i in at))
            return rows if numbered is None else numbered(rows)

        columns = {name: values[origin] for name, values in self.columns.items()}
        others = {name: code[origin] for name, code in self.others.items()}
        rows = replace(self.rows, number=number)
        return replace(self, columns=columns, rows=rows, others=others)


def read_table(
    source: Any,
    *,
    labels: Sequence[str] = (),
    numbers: Sequence[str] = (),
    keys: Sequence[str] = (),
    every: bool = False,
    printed: bool = False,
) -> Table:
    """Read the named columns of a table, and columns that look like folds, or ``every`` column.

    ``source`` is the path of a CSV, TSV, JSON Lines (each may be gzipped), Parquet or Arrow IPC
    file; a list of paths, a pattern such as ``"part-*.csv"`` or a folder, which form one table;
    ``"-"`` for standard input; a mapping of names to columns; any dataframe that Narwhals supports;
    or a `File`. ``labels`` and ``keys`` keep their type; a missing value in them is an error.
    ``numbers`` (scores, weights) must be numbers, with ``printed`` also as text; a missing number
    becomes NaN.

    >>> table = read_table({"y": [0, 1], "s": [0.2, 0.7], "unused": [0, 0]},
    ...                    labels=["y"], numbers=["s"])
    >>> table["s"]
    array([0.2, 0.7])
    """
    wanted = Wanted(tuple(labels), tuple(numbers), tuple(keys), len(labels) == 1, every, printed)
    if not wanted.names:
        raise InputError("no column is named, so there is nothing to read")
    many, lent = is_many(source), False
    if many or (isinstance(source, str | os.PathLike) and source != "-"):
        refuse_beyond_bound(table_files(source) if many else [source], wanted)
    if many:
        raw, rows, name = read_many(source, wanted, _columns_of_file)
    elif isinstance(source, str | os.PathLike | File):
        raw, rows, name = _from_file(source, wanted)
        if len(next(iter(raw.values()))) == 0:
            raise InputError(
                "the table has a header but no rows", where=name, fix="write at least one row"
            )
    elif isinstance(source, Mapping):
        raw, rows, name, lent = _from_mapping(source, wanted), ARRAY_ROWS, "the table", True
    else:
        raw, rows, name, lent = _from_frame(source, wanted), ARRAY_ROWS, "the table", True
    suspects = wanted.suspects(raw)
    if many:  # each file has been looked at
        columns = {each: raw[each] for each in wanted.names}
    else:
        given = set(map(id, raw.values()))
        columns = validated(raw, wanted, rows)
        if lent:  # results are computed later, when the caller may have changed the arrays
            columns = {
                each: values if values.base is None and id(values) not in given else values.copy()
                for each, values in columns.items()
            }
    check_lengths({f"column {n!r}": len(values) for n, values in columns.items()})
    folds = (
        each for each in fold_like(suspects) if looks_like_folds(raw[each], columns[labels[0]])
    )
    others = {}
    for each in suspects if every else ():
        code = codes_of_few(raw[each])
        if code is not None and len(code) == len(next(iter(columns.values()))):
            others[each] = code
    return Table(columns, rows, name, wanted.warned(folds), others)


def _columns_of_file(path: Path, wanted: Wanted) -> tuple[dict[str, NDArray[Any]], Rows]:
    raw, rows, _ = _from_file(path, wanted)
    columns = validated(raw, wanted, rows)
    for name in wanted.suspects(raw):
        with suppress(InputError):
            columns[name] = column(raw[name], name)
    return columns, rows


def validated(raw: dict[str, Any], wanted: Wanted, rows: Rows) -> dict[str, NDArray[Any]]:
    """Validate the requested columns, removing each from ``raw``; errors name the rows."""
    return {name: _validated(name, raw.pop(name), wanted, rows) for name in wanted.names}


def _validated(name: str, values: Any, wanted: Wanted, rows: Rows) -> NDArray[Any]:
    where = f"column {name!r}"
    if name in wanted.numbers:
        if wanted.printed:
            values = column(values, where, missing="nan", rows=rows)
            if values.dtype.kind in "OU":
                texts = [None if is_missing(each) else str(each) for each in values]
                values = read_numbers(texts, where, rows)
        return scores(values, name=where, nan="allow", rows=rows)
    return column(values, where, rows=rows)


def _from_file(source: Any, wanted: Wanted) -> tuple[dict[str, Any], Rows, str]:
    file = source if isinstance(source, File) else find_file(source)
    if file.format in ("csv", "tsv"):
        from rocsolid.inputs.delimited import read_delimited as read
    elif file.format == "jsonl":
        from rocsolid.inputs.delimited import read_jsonl as read
    else:
        read = read_arrow_file
    columns, rows = read(file, wanted)
    return columns, rows, file.name


def _from_mapping(source: Mapping[Any, Any], wanted: Wanted) -> dict[str, Any]:
    wanted.check([str(key) for key in source], "the table")
    by_text = {str(key): key for key in source}
    return {name: source[by_text[name]] for name in wanted.read(list(by_text))}


def _from_frame(source: Any, wanted: Wanted) -> dict[str, Any]:
    import narwhals as nw

    if isinstance(source, np.ndarray):
        raise InputError(
            "an array has no column names",
            where=f"shape {source.shape}",
            fix="pass a mapping of names to columns, such as {'y': x[:, 0], 'score': x[:, 1]}",
        )
    if type(source).__name__ == "RecordBatch":
        import pyarrow as pa

        source = pa.Table.from_batches([source])
    try:
        frame: Any = nw.from_native(nw.to_native(source, pass_through=True))
    except (TypeError, ValueError) as error:  # Narwhals refuses duplicated names on the way in
        if hasattr(source, "columns"):
            wanted.check([str(c) for c in source.columns], "the table")
        raise InputError(
            f"this {type(source).__name__} is not a table",
            fix="pass a path, a dataframe, or a mapping of names to columns",
        ) from error
    present = frame.collect_schema().names()
    wanted.check([str(name) for name in present], "the table")
    if not set(wanted.names) <= set(present):
        raise InputError(
            "the table's columns are named by numbers, not text",
            value=present,
            fix="rename them first, with pandas by df.columns = df.columns.astype(str)",
        )
    names = wanted.read([name for name in present if isinstance(name, str)])
    frame = frame.select(names)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    return {name: frame[name] for name in names}


_ROWS = 1 << 20
_IN_PARTS = ("parquet", "ipc", "ipc stream")


def comes_in_parts(source: Any) -> bool:
    """Return whether the source consists of files that can be read repeatedly, in parts.

    >>> comes_in_parts("-")
    False
    """
    if source == "-" or not (isinstance(source, str | os.PathLike) or is_many(source)):
        return False
    paths = table_files(source)
    return not any(map(partition, paths)) and all(
        find_file(path).format in _IN_PARTS for path in paths
    )


def table_parts(
    source: Any,
    *,
    labels: Sequence[str] = (),
    numbers: Sequence[str] = (),
    beside: Sequence[str] = (),
) -> Iterator[Table]:
    """Read the named columns as `read_table` does, in parts of about a million rows.

    Other sources form one part. The columns ``beside`` must exist but are not read.
    """
    if not comes_in_parts(source):
        yield read_table(source, labels=labels, numbers=numbers)
        return
    wanted, empty = Wanted(tuple(labels), tuple(numbers)), True
    for path in table_files(source):
        for part in _of_file(find_file(path), wanted, beside):
            empty = False
            yield part
    if empty:
        raise InputError("the table has no rows", value=str(source), fix="write at least one row")


def distinct_labels(source: Any, label: str, beside: Sequence[str] = ()) -> NDArray[Any]:
    """The distinct values of a label column without missing values; see `table_parts`.

    >>> distinct_labels({"y": [1, 0, 1]}, "y")
    array([0, 1])
    """
    distinct: list[NDArray[Any]] = []
    for part in table_parts(source, labels=[label], beside=beside):
        values = part[label]
        if values.dtype.kind == "f" and (missing := np.isnan(values)).any():
            raise missing_values(f"column {label!r}", missing, part.rows)
        distinct = [np.unique(np.concatenate([*distinct, np.unique(values)]))]
    return distinct[0]


def _of_file(file: File, wanted: Wanted, beside: Sequence[str]) -> Iterator[Table]:
    import pyarrow as pa

    start = 0
    try:
        for batch in _batches(file, wanted, replace(wanted, keys=tuple(beside))):
            rows = _numbered_from(start, file)
            start += len(batch)
            if len(batch):
                columns = {name: batch[name] for name in wanted.names}
                yield Table(validated(columns, wanted, rows), rows, file.name)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise damaged(file, error) from error


def _batches(file: File, wanted: Wanted, there: Wanted) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet

    if file.format == "parquet":
        parquet = pyarrow.parquet.ParquetFile(file.arrow())
        there.check(parquet.schema_arrow.names, file.name)
        yield from parquet.iter_batches(_ROWS, columns=wanted.names)
        return
    opened = pa.ipc.open_file if file.format == "ipc" else pa.ipc.open_stream
    reader = opened(file.arrow())
    there.check(reader.schema.names, file.name)
    batches = (
        map(reader.get_batch, range(reader.num_record_batches))
        if file.format == "ipc"
        else iter(reader)
    )
    for batch in batches:
        some = batch.select(wanted.names)
        some.validate(full=True)  # buffers are taken as they are
        yield some


def _numbered_from(start: int, file: File) -> Rows:
    note = f" of {file.name}, counting from 0"
    return Rows("row", note, lambda at: [start + i for i in at])

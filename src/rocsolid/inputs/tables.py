"""Anything tabular becomes named, validated columns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.arrays import check_lengths, column
from rocsolid.inputs.files import File, damaged, find_file
from rocsolid.inputs.fold_columns import looks_like_folds
from rocsolid.inputs.many_files import is_many, read_many, table_files
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.scores import scores
from rocsolid.inputs.space import refuse_beyond_bound
from rocsolid.inputs.wanted import Wanted
from rocsolid.remarks.remark import Remark


def read_arrow_file(file: File, wanted: Wanted) -> tuple[dict[str, Any], Rows]:
    """The wanted columns, and the way to name rows (such a file has no lines)."""
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
    """Buffers and text are taken as they are, so damage must be found before they are used."""
    table.validate(full=True)
    return table


_READERS = {"parquet": _parquet, "ipc": _ipc, "ipc stream": _ipc_stream}


@dataclass(frozen=True, slots=True)
class Table:
    """Equally long columns by name, at least one row, and the way to name rows in an error.

    Pass ``rows`` on to ``positives``, ``scores`` and ``codes``, so that their messages name the
    line of the file.
    """

    columns: Mapping[str, NDArray[Any]]
    rows: Rows
    source: str
    warnings: tuple[Remark, ...] = ()

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def repeated(self, times: NDArray[np.int64]) -> Table:
        """Each row that many times; an error still names the row that it came from."""
        origin = np.repeat(np.arange(len(self)), times)
        numbered = self.rows.number

        def number(at: list[int]) -> list[int]:
            found = list(dict.fromkeys(int(origin[i]) for i in at))
            return found if numbered is None else numbered(found)

        columns = {name: values[origin] for name, values in self.columns.items()}
        return replace(self, columns=columns, rows=replace(self.rows, number=number))


def read_table(
    source: Any,
    *,
    labels: Sequence[str] = (),
    numbers: Sequence[str] = (),
    keys: Sequence[str] = (),
) -> Table:
    """The named columns of a table; no other column is read but one that looks like folds.

    ``source`` is the path of a CSV, TSV, JSON Lines (each may be gzipped), Parquet or Arrow IPC
    file, a list of paths, a pattern such as ``"part-*.csv"`` or a folder of such files (they make
    one table), ``"-"`` for standard input, a mapping of names to columns, any dataframe that
    Narwhals knows (a lazy one is collected), or a `File`, which may be in memory. ``labels`` and
    ``keys`` (clusters, segments, queries) come in the type that they have; a missing value in them
    is an error. ``numbers`` (scores, weights) must be numbers; a missing one becomes NaN, for
    ``scores`` to refuse or its caller to leave out.

    >>> table = read_table({"y": [0, 1], "s": [0.2, 0.7], "unused": [0, 0]},
    ...                    labels=["y"], numbers=["s"])
    >>> table["s"]
    array([0.2, 0.7])
    """
    wanted = Wanted(tuple(labels), tuple(numbers), tuple(keys), suspect=len(labels) == 1)
    if not wanted.names:
        raise InputError("no column is named, so there is nothing to read")
    many = is_many(source)
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
        raw, rows, name = _from_mapping(source, wanted), ARRAY_ROWS, "the table"
    else:
        raw, rows, name = _from_frame(source, wanted), ARRAY_ROWS, "the table"
    if many:  # each file has been looked at
        columns = {each: raw[each] for each in wanted.names}
    else:
        columns = validated(raw, wanted, rows)
    check_lengths({f"column {n!r}": len(values) for n, values in columns.items()})
    others = (
        each for each in wanted.suspects(raw) if looks_like_folds(raw[each], columns[labels[0]])
    )
    return Table(columns, rows, name, wanted.warned(others))


def _columns_of_file(path: Path, wanted: Wanted) -> tuple[dict[str, NDArray[Any]], Rows]:
    raw, rows, _ = _from_file(path, wanted)
    columns = validated(raw, wanted, rows)
    for name in wanted.suspects(raw):
        with suppress(InputError):
            columns[name] = column(raw[name], name)
    return columns, rows


def validated(raw: Mapping[str, Any], wanted: Wanted, rows: Rows) -> dict[str, NDArray[Any]]:
    """The wanted columns as arrays; errors name the rows."""
    return {name: _validated(name, raw[name], wanted, rows) for name in wanted.names}


def _validated(name: str, values: Any, wanted: Wanted, rows: Rows) -> NDArray[Any]:
    where = f"column {name!r}"
    if name in wanted.numbers:
        return scores(values, name=where, nan="allow", rows=rows)
    return column(values, where, rows=rows)


def _from_file(source: Any, wanted: Wanted) -> tuple[dict[str, Any], Rows, str]:
    file = source if isinstance(source, File) else find_file(source)
    if file.format in ("csv", "tsv"):
        from rocsolid.inputs.delimited import read_delimited as read
    elif file.format == "jsonl":
        from rocsolid.inputs.jsonl import read_jsonl as read
    else:
        from rocsolid.inputs.tables import read_arrow_file as read
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

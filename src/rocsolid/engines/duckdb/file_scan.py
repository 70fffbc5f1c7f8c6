"""Files as one query; files with the same columns are read together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.engines.duckdb.columns import FLOATS, INTEGERS, Piece, Scan, Text, distinct_names
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.sql_text import listing, name, path, struct, text
from rocsolid.errors import InputError
from rocsolid.inputs.delimited import (
    Wanted,
    diagnosed,
    first_fields,
    header_of,
    lines_of_objects,
    lines_of_rows,
    read_jsonl,
    separator,
)
from rocsolid.inputs.files import File, damaged, find_file
from rocsolid.inputs.many_files import called, is_many, partition, table_files, without
from rocsolid.inputs.rows import Rows

_NOTHING = '"NULL"'  # the type of a column without values
_SIGNED = {8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT"}


def common_type(column: str, types: Sequence[str]) -> str:
    """Return the type for the values of all files; 64-bit integers never become floats.

    A column without values in a file has no type in that file.

    >>> common_type("s", ["INTEGER", "BIGINT"]), common_type("s", ["FLOAT", "INTEGER"])
    ('BIGINT', 'DOUBLE')
    >>> common_type("s", ["BIGINT", "DOUBLE"])
    Traceback (most recent call last):
    rocsolid.errors.InputError: the files hold column 's' in different types: BIGINT and DOUBLE.
    Fix: write the column in one type in all files.
    """
    kinds = set(types) - {_NOTHING} or {"DOUBLE"}
    if len(kinds) == 1:
        return kinds.pop()
    integers = {kind: INTEGERS[kind] for kind in kinds & INTEGERS.keys()}
    if kinds == set(integers):
        signed = any(sign for sign, _ in integers.values())
        bits = max(2 * size if signed and not sign else size for sign, size in integers.values())
        bits = next((size for size in _SIGNED if size >= bits), 128)
        if bits <= 64:
            return _SIGNED[bits] if signed else "U" + _SIGNED[bits]
    elif kinds - FLOATS == set(integers) and all(bits < 64 for _, bits in integers.values()):
        return "DOUBLE"
    raise InputError(
        f"the files hold column {column!r} in different types: {' and '.join(sorted(kinds))}",
        fix="write the column in one type in all files",
    )


@dataclass(frozen=True, slots=True)
class _TableFile:
    """A file, the needed columns in the names of its folders, and the layout of its columns."""

    file: File
    keys: dict[str, str]
    layout: tuple[tuple[str, str], ...]
    suspects: tuple[str, ...]  # columns and folders that are named like folds
    mark: str  # the separator of cells
    skipped: int  # empty lines before the header

    @property
    def alike(self) -> tuple[Any, ...]:
        file = self.file
        return file.format, self.mark, self.skipped, file.gzipped, tuple(self.keys), self.layout

    @property
    def where(self) -> str:
        return path(str(self.file.content))


def scan_files(source: Any, wanted: Wanted, db: Limited) -> Scan:
    files = [_table_file(path, wanted) for path in table_files(source)]
    formats = {table.file.format for table in files}
    kinds = {_TEXT.get(form) for form in formats}
    if len(kinds) > 1:
        raise InputError(
            f"files of different formats are not one table: {' and '.join(sorted(formats))}",
            where=called(source, len(files)),
            fix="write all of them in one format",
        )
    keys = {key: [table.keys[key] for table in files] for key in files[0].keys}
    runs = [list(run) for _, run in groupby(files, key=lambda table: table.alike)]
    types = [_types(run[0], wanted, db) for run in runs]
    common = {column: common_type(column, [each[column] for each in types]) for column in types[0]}
    typed = {column: _key_type(values) for column, values in keys.items()}
    columns = {**common, **typed}
    # in the requested order, so that all parts of a union agree
    chosen = {column: columns[column] for column in wanted.names}
    size = len(files)
    return Scan(
        called(source, size) if is_many(source) else files[0].file.name,
        " UNION ALL ".join(_select(run, chosen) for run in runs),
        chosen,
        tuple(_piece(table, chosen) for table in files),
        tuple(name for name in files[0].suspects if all(name in table.suspects for table in files)),
        next(iter(kinds)),
        frozenset(typed),
        all(table.mark == ";" for table in files),
    )


_TEXT: dict[str, Text] = {"csv": "csv", "tsv": "csv", "jsonl": "jsonl"}


def _table_file(path: Path, wanted: Wanted) -> _TableFile:
    file = find_file(path)
    folders = partition(path)
    keys = {key: value for key, value in folders.items() if key in wanted.names}
    inside, mark, skipped = without(wanted, list(keys)), "", 0
    if file.format == "parquet":
        present, layout = _parquet_layout(file, inside)
    elif file.format in ("csv", "tsv"):
        present = header_of(file, inside)
        layout = _text_layout(present, inside)
        mark, skipped = separator(file), lines_of_rows(file, [-1])[0] - 1
    elif file.format == "jsonl":
        present, layout = first_fields(file), tuple((column, "JSON") for column in inside.names)
    else:
        raise InputError(
            "Arrow files are read into memory only",
            where=file.name,
            fix="write them as Parquet, or leave the memory limit out",
        )
    distinct_names([column for column, _ in layout], inside, file.name)
    suspects = tuple(wanted.suspects([*present, *folders]))
    return _TableFile(file, keys, layout, suspects, mark, skipped)


def _text_layout(header: Sequence[str], wanted: Wanted) -> tuple[tuple[str, str], ...]:
    """Name other columns by position, because A and a are the same name in DuckDB."""
    requested = {name.casefold() for name in wanted.names}
    names: list[str] = []
    for place, column in enumerate(header):
        name = column
        if column not in wanted.names:
            name = f"column {place}"
            while name.casefold() in requested:
                name += "'"
        names.append(name)
    return tuple((name, "VARCHAR") for name in names)


def _parquet_layout(file: File, wanted: Wanted) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.ParquetFile(file.arrow()).schema_arrow
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise damaged(file, error) from error
    wanted.check(schema.names, file.name)
    distinct_names(schema.names, wanted, file.name)
    layout = tuple((column, str(schema.field(column).type)) for column in wanted.names)
    return schema.names, layout


def _types(table: _TableFile, wanted: Wanted, db: Limited) -> dict[str, str]:
    inside = without(wanted, list(table.keys)).names
    if table.file.format != "parquet":
        return dict.fromkeys(inside, dict(table.layout)[inside[0]] if inside else "VARCHAR")
    chosen = ", ".join(map(name, inside))
    if not inside:
        return {}
    described = db.rows(f"DESCRIBE SELECT {chosen} FROM {_function([table])}")
    return {column: str(row[1]) for column, row in zip(inside, described, strict=True)}


def _key_type(values: Sequence[str]) -> str:
    """Return integers if every value is the text of an integer, as in memory."""
    try:
        return "BIGINT" if all(-(2**63) <= int(value) < 2**63 for value in values) else "VARCHAR"
    except ValueError:
        return "VARCHAR"


def _select(run: list[_TableFile], columns: dict[str, str]) -> str:
    casts = (
        f"CAST({name(column)} AS {kind}) AS {name(column)}" for column, kind in columns.items()
    )
    return f"SELECT {', '.join(casts)} FROM {_function(run)}"


def _function(run: list[_TableFile]) -> str:
    """Return DuckDB's reader for files of one layout, with all options that it would guess."""
    first = run[0]
    files = listing(table.where for table in run)
    hive = f"hive_partitioning = {str(bool(first.keys)).lower()}, hive_types_autocast = false"
    if first.file.format == "parquet":
        return f"read_parquet({files}, union_by_name = true, {hive})"
    plain = "uncompressed" if first.file.format == "jsonl" else "none"
    packed = "gzip" if first.file.gzipped else plain
    columns = f"columns = {struct(dict(first.layout))}, compression = '{packed}', {hive}"
    if first.file.format == "jsonl":
        return f"read_json({files}, format = 'newline_delimited', {columns})"
    mark = text(first.mark)
    return (
        f"read_csv({files}, auto_detect = false, header = true, delim = {mark}, quote = '\"', "
        f"escape = '\"', skip = {first.skipped}, {columns})"
    )


def _piece(table: _TableFile, columns: dict[str, str]) -> Piece:
    file = table.file
    if file.format == "parquet":
        rows = Rows("row", f" of {file.name}, counting from 0")
        return Piece(_select([table], columns), rows, lambda error: damaged(file, _plain(error)))
    if file.format == "jsonl":
        rows = Rows("line", f" of {file.name}", lambda at: lines_of_objects(file, at))
        return Piece(_select([table], columns), rows, lambda error: _bad_line(file, columns, error))
    rows = Rows("line", f" of {file.name}, counting the header", lambda at: lines_of_rows(file, at))
    return Piece(_select([table], columns), rows, lambda error: diagnosed(file, _plain(error)))


def _bad_line(file: File, columns: dict[str, str], error: Exception) -> Exception:
    try:
        read_jsonl(file, Wanted(keys=tuple(columns)))
    except InputError as located:
        return located
    return damaged(file, _plain(error))


def _plain(error: Exception) -> Exception:
    """Return an error's text without its advice, because the caller adds its own."""
    return Exception(error.what) if isinstance(error, InputError) else error

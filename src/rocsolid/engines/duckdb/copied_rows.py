"""Relations and lazy frames: their needed columns are computed once and copied to disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rocsolid.engines.duckdb.columns import Piece, Scan, distinct_names
from rocsolid.engines.duckdb.limited import Limited, explained, interruptible, reader
from rocsolid.engines.duckdb.sql_text import name, path, text
from rocsolid.errors import InputError
from rocsolid.inputs.delimited import Wanted
from rocsolid.inputs.rows import ARRAY_ROWS, Rows, Unnumbered

LAZY_FRAME = "the lazy frame"


def is_relation(source: Any) -> bool:
    return type(source).__name__ == "DuckDBPyRelation"


def scan_relation(relation: Any, wanted: Wanted, db: Limited) -> Scan:
    """Run the relation once on its own connection, and copy its rows.

    No setting or table is created on this connection, because the caller owns it.
    """
    wanted.check(relation.columns, "the relation")
    chosen = ", ".join(map(name, wanted.names))
    with explained(db.spill), interruptible():
        table = db.copied(reader(relation.project(chosen)))
    return _scan("the relation", f"SELECT {chosen} FROM {table}", relation.columns, wanted, db)


def scan_lazy(source: Any, wanted: Wanted, db: Limited) -> Scan:
    """Let the frame's library write the columns to a Parquet file, without all rows in memory."""
    import narwhals as nw

    with _computing():
        frame = nw.from_native(source).lazy()
        present = list(frame.collect_schema().names())
    wanted.check(present, LAZY_FRAME)
    distinct_names(wanted.names, wanted, LAZY_FRAME)
    file = db.spill / f"frame-{db.next_number()}.parquet"
    with _computing():
        frame.select(*wanted.names).sink_parquet(file)
    files = file / "*.parquet" if file.is_dir() else path(str(file))  # Dask writes a folder
    chosen = ", ".join(map(name, wanted.names))
    query = f"SELECT {chosen} FROM read_parquet({text(str(files))})"
    return _scan(LAZY_FRAME, query, present, wanted, db, Unnumbered())


def _scan(
    source: str,
    query: str,
    present: list[str],
    wanted: Wanted,
    db: Limited,
    rows: Rows = ARRAY_ROWS,
) -> Scan:
    described = db.rows(f"DESCRIBE {query}")
    types = {column: str(row[1]) for column, row in zip(wanted.names, described, strict=True)}
    piece = Piece(query, rows, lambda error: error)
    return Scan(source, query, types, (piece,), tuple(wanted.suspects(present)))


@contextmanager
def _computing() -> Iterator[None]:
    try:
        with interruptible():  # a lazy frame may be a query of DuckDB
            yield
    except Exception as error:  # each library has its own classes
        message = str(error).strip().partition("\n")[0]
        raise InputError(
            f"the lazy frame cannot be computed: {(message or type(error).__name__).rstrip('.')}",
            where=LAZY_FRAME,
            fix="fix what creates it; collecting it on its own usually fails in the same way",
        ) from error

"""The engine for files larger than memory: DuckDB sorts within a limit and spills to disk."""

from __future__ import annotations

from typing import Any

from rocsolid.engines.duckdb.engine import DuckDBEngine
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.engine import Columns, Progress


def open_duckdb(
    source: Any,
    columns: Columns,
    *,
    memory: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> DuckDBEngine:
    """Open files (Parquet, CSV, TSV, JSON Lines) or a DuckDB relation.

    ``source`` is a path, a pattern such as ``"data/*.parquet"``, a folder (subfolders named
    ``key=value`` are columns), a list of these, or a relation. The process stays within ``memory``
    bytes, by default half of the machine's memory. Larger sorts use a folder below TMPDIR, which
    `close` removes. A relation runs once on its own connection, and its columns are copied to that
    folder.

    >>> import duckdb
    >>> rows = duckdb.sql("SELECT n % 2 AS y, n / 2 AS score FROM range(4) AS t(n)")
    >>> engine = open_duckdb(rows, Columns(label="y", scores=("score",)))
    >>> engine.check()
    >>> engine.summary("score").summary.ratio
    (6, 8)
    >>> engine.close()
    """
    db = Limited(memory, threads)
    try:
        return DuckDBEngine(source, columns, db, progress)
    except BaseException:
        db.close()
        raise

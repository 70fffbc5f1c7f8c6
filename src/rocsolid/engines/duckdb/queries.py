"""Blocks of whole queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from rocsolid.engines.check import refuse_missing
from rocsolid.engines.duckdb.columns import FLOATS, Scan, counts_of, missing, typed_columns
from rocsolid.engines.duckdb.limited import BATCH, Limited
from rocsolid.engines.engine import Columns, QueryBlock
from rocsolid.engines.queries import query_block, whole_queries
from rocsolid.inputs.arrays import FILL_OR_OMIT
from rocsolid.inputs.delimited import Wanted
from rocsolid.inputs.rows import ARRAY_ROWS

T = TypeVar("T")

_ROW = 100  # bytes of a row while its block is evaluated, without its scores
_SHARE = 4  # one query may use one part in four of the memory


def wanted_of_queries(columns: Columns, qid: str, keys: tuple[str, ...]) -> Wanted:
    """Return the use of each column for documents of queries, whose labels are grades."""
    return Wanted(numbers=(columns.label, *columns.scores), keys=(qid, *keys))


def query_blocks(
    scan: Scan,
    columns: Columns,
    qid: str,
    keys: tuple[str, ...],
    db: Limited,
    reduce: Callable[[QueryBlock], T],
) -> Iterator[T]:
    """Apply ``reduce`` to each block; rows without a key or a score are rejected."""
    types = typed_columns(scan, wanted_of_queries(columns, qid, keys), db)
    absent = {column: missing(*types[column]) for column in (qid, *keys, *columns.scores)}
    counts = dict(zip(absent, counts_of(db, scan.query, *absent.values()), strict=True))
    for column in (qid, *keys):
        refuse_missing(counts[column], partial(scan.where, db, column, absent[column]))
    chosen = [f"{types[qid][0]} AS q", f"CAST({types[columns.label][0]} AS DOUBLE) AS y"]
    for i, column in enumerate(columns.scores):
        expression, kind = types[column]
        if columns.nan == "raise":
            where = partial(scan.where, db, column, absent[column])
            refuse_missing(counts[column], where, FILL_OR_OMIT)
        elif kind not in FLOATS and counts[column]:
            expression = f"CAST({expression} AS DOUBLE)"
        chosen.append(f"{expression} AS s{i}")
    chosen += [f"{types[column][0]} AS k{i}" for i, column in enumerate(keys)]
    query = (
        f"SELECT * EXCLUDE (n) FROM (SELECT row_number() OVER () AS n, {', '.join(chosen)}"
        f" FROM ({scan.query})) ORDER BY q, n"
    )
    most = max(db.memory // _SHARE // (_ROW + 24 * (len(columns.scores) + len(keys))), 1)
    for table in whole_queries(db.stream(query), BATCH // 2, most):
        yield reduce(query_block(table, columns, qid, keys, ARRAY_ROWS))

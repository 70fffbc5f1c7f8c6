"""The rows of whole queries, block by block, in the order of the queries' keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.duckdb.checked import count_of, refuse_missing
from rocsolid.engines.duckdb.limited import BATCH, Limited
from rocsolid.engines.duckdb.scan import Scan
from rocsolid.engines.duckdb.typed import FLOATS, missing, typed_columns
from rocsolid.engines.engine import Columns, QueryBlock
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import FILL_OR_OMIT
from rocsolid.inputs.wanted import Wanted
from rocsolid.summaries.ranges.glued import out_of_order

T = TypeVar("T")

_ROW = 100  # bytes of a row of a block while it is judged, beside its scores
_SHARE = 4  # of the memory, this part may be one query


def wanted_of_queries(columns: Columns, qid: str, keys: tuple[str, ...]) -> Wanted:
    """What each column is for where rows are documents of queries: labels are grades."""
    return Wanted(numbers=(columns.label, *columns.scores), keys=(qid, *keys))


def query_blocks(
    scan: Scan,
    columns: Columns,
    qid: str,
    keys: tuple[str, ...],
    db: Limited,
    reduce: Callable[[QueryBlock], T],
) -> Iterator[T]:
    """``reduce`` of each block; a row without a key, or without a score, is refused."""
    types = typed_columns(scan, wanted_of_queries(columns, qid, keys), db)
    absent = {column: missing(*types[column]) for column in (qid, *keys, *columns.scores)}
    counts = dict(zip(absent, count_of(scan, db, list(absent.values())), strict=True))
    for column in (qid, *keys):
        refuse_missing(scan, db, column, absent[column], counts[column])
    chosen = [f"{types[qid][0]} AS q", f"CAST({types[columns.label][0]} AS DOUBLE) AS l"]
    for i, column in enumerate(columns.scores):
        expression, kind = types[column]
        if columns.nan == "raise":
            refuse_missing(scan, db, column, absent[column], counts[column], FILL_OR_OMIT)
        elif kind not in FLOATS and counts[column]:
            expression = f"CAST({expression} AS DOUBLE)"
        chosen.append(f"{expression} AS s{i}")
    chosen += [f"{types[column][0]} AS k{i}" for i, column in enumerate(keys)]
    query = (
        f"SELECT * EXCLUDE (n) FROM (SELECT row_number() OVER () AS n, {', '.join(chosen)}"
        f" FROM ({scan.query})) ORDER BY q, n"
    )
    most = max(db.memory // _SHARE // (_ROW + 24 * (len(columns.scores) + len(keys))), 1)
    for block in _whole_queries(db.stream(query), most):
        yield reduce(_block(block, columns, keys))


def _whole_queries(stream: Iterator[Any], most: int) -> Iterator[Any]:
    """Tables of about as many rows as a batch has that end where a query ends."""
    import pyarrow as pa

    held: list[Any] = []
    size = 0
    for batch in stream:
        ends = _ends(batch["q"], held[-1]["q"] if held else None)
        cut = int(ends[-1]) if len(ends) else -1  # the rows before it complete their queries
        if cut >= 0 and size + cut >= BATCH // 2:
            held.append(batch.slice(0, cut))
            yield pa.Table.from_batches(held)
            held, size, batch = [], 0, batch.slice(cut)
        held.append(batch)
        size += batch.num_rows
        if size > most:
            raise InputError(
                "a query has more rows than fit into memory",
                where="memory",
                value=f"{size:,} rows and more",
                fix="give more memory",
            )
    if held:
        yield pa.Table.from_batches(held)


def _ends(key: Any, before: Any) -> NDArray[np.intp]:
    """Where in a batch a query begins; keys that descend are an error."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if before is not None:
        key = pa.chunked_array([before.slice(len(before) - 1), key]).combine_chunks()
    last, first = key.slice(0, len(key) - 1), key.slice(1)
    descends = pc.greater(last, first).to_numpy(zero_copy_only=False)
    if descends.any():
        at = int(np.argmax(descends))
        raise out_of_order(last[at].as_py(), first[at].as_py())
    begins = np.flatnonzero(pc.less(last, first).to_numpy(zero_copy_only=False))
    return begins if before is not None else begins + 1


def _block(rows: Any, columns: Columns, keys: tuple[str, ...]) -> QueryBlock:
    grade = rows["l"].to_numpy()
    scores = {column: rows[f"s{i}"].to_numpy() for i, column in enumerate(columns.scores)}
    others = {column: rows[f"k{i}"].to_numpy() for i, column in enumerate(keys)}
    return QueryBlock(rows["q"].to_numpy(), grade, scores, others)

"""Exact products of the placements by several scores: each score's table is joined to the rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocsolid.engines.duckdb.checked import CheckedSource, Score
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.row_feed import RowFeed, changed
from rocsolid.engines.duckdb.sorted_query import sorted_rows
from rocsolid.engines.memory import refuse_one_class
from rocsolid.inputs import reverse
from rocsolid.summaries.ranges.glued import glued, table_of_sorted
from rocsolid.summaries.ranges.paired_placements import PairedPlacements


def paired_rows(
    db: Limited, table: CheckedSource, *, descending: bool
) -> tuple[PairedPlacements, int]:
    """The products over the rows of a table without gaps, and how many rows it leaves out.

    Sorting once a score gives a table of its distinct values with their doubled placements. DuckDB
    joins these to the rows, on disk where they are large, and adds up the products in 128 bits.
    """
    scores = tuple(table.scores.values())
    n_pos, n_neg, lacking = table.sizes[scores[0].column]
    refuse_one_class(n_pos, n_neg)
    placed = []
    for score in scores:
        feed = sorted_rows(db, table, score, descending=descending, beside=True)
        placed.append(db.table(f"s {score.kind}, pos BIGINT, neg BIGINT"))
        db.append(placed[-1], _placements(feed, descending))
    rows = _products(db, table, scores, placed)
    for name in placed:
        db.drop(name)
    if (rows[1][0], rows[0][0]) != (n_pos, n_neg):
        raise changed()
    size = len(scores)
    wins = rows[1][1 : size + 1]
    products = PairedPlacements(
        tuple(score.column for score in scores),
        n_pos,
        n_neg,
        wins,
        _matrix(rows[1][size + 1 :], size),
        _matrix(rows[0][size + 1 :], size),
    )
    return products, lacking


def _placements(feed: RowFeed, descending: bool) -> Iterator[Any]:
    """Record batches: a distinct score, and the doubled placement of either class at it."""
    import pyarrow as pa

    pos = neg = 0
    for part in glued(table_of_sorted(rows.score, rows.positive) for rows in feed.rest()):
        below_pos, below_neg = np.cumsum(part.pos), np.cumsum(part.neg)
        columns = {
            "s": reverse(part.score) if descending else part.score,
            "pos": 2 * (neg + below_neg) - part.neg,
            "neg": 2 * (pos + below_pos) - part.pos,
        }
        pos, neg = pos + int(below_pos[-1]), neg + int(below_neg[-1])
        yield pa.record_batch(columns)


def _products(
    db: Limited, table: CheckedSource, scores: tuple[Score, ...], placed: list[str]
) -> dict[int, tuple[int, ...]]:
    """By class: the number of rows, the sum of each placement, and of the product of each two."""
    size = range(len(scores))
    each = ", ".join(f"CASE WHEN p = 1 THEN j{i}.pos ELSE j{i}.neg END AS d{i}" for i in size)
    joins = " ".join(
        f"JOIN {placed[i]} AS j{i} ON {score.value} = j{i}.s" for i, score in enumerate(scores)
    )
    sums = [f"sum(d{i})" for i in size]
    sums += [f"sum(CAST(d{i} AS HUGEINT) * d{j})" for i in size for j in size if i <= j]
    found = db.rows(
        f"SELECT p, count(*), {', '.join(sums)} FROM (SELECT p, {each} FROM ({table.query})"
        f" {joins}) GROUP BY p"
    )
    return {row[0]: tuple(int(value) for value in row[1:]) for row in found}


def _matrix(upper: tuple[int, ...], size: int) -> tuple[tuple[int, ...], ...]:
    """A symmetric matrix from its upper triangle, row by row."""
    left = iter(upper)
    at = {(i, j): next(left) for i in range(size) for j in range(i, size)}
    return tuple(tuple(at[min(i, j), max(i, j)] for j in range(size)) for i in range(size))

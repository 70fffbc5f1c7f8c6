"""Blocks of whole queries, and tables of a region of rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np

from rocsolid.engines.check import Group, refuse_missing
from rocsolid.engines.duckdb.checked import CheckedSource, Score, count_of, sorted_rows
from rocsolid.engines.duckdb.columns import FLOATS, Scan, missing, typed_columns
from rocsolid.engines.duckdb.limited import BATCH, LEAST, Limited
from rocsolid.engines.duckdb.row_feed import changed
from rocsolid.engines.duckdb.sql_text import number
from rocsolid.engines.engine import Columns, QueryBlock
from rocsolid.engines.memory import Scale
from rocsolid.engines.queries import query_block, whole_queries
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import FILL_OR_OMIT, reverse
from rocsolid.inputs.delimited import Wanted
from rocsolid.inputs.rows import ARRAY_ROWS
from rocsolid.summaries.ranges.cluster_sums import glued, table_of_sorted
from rocsolid.summaries.ranges.region import lumped
from rocsolid.summaries.score_counts import ScoreCounts

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
    counts = dict(zip(absent, count_of(scan, db, list(absent.values())), strict=True))
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


_ENTRY = 100  # bytes of a distinct score while the tables are combined
_LITTLE = 16_000_000  # bytes that are always available
_ROUNDING = 1e-9

Axis = Literal["fpr", "tpr"]
Both = tuple[ScoreCounts, ScoreCounts]


def region_tables(
    db: Limited,
    table: CheckedSource,
    score: Score,
    group: Group,
    curve: ScoreCounts,
    rates: tuple[Axis, float, float],
    *,
    descending: bool,
) -> Both:
    """Return tables of weights (or counts) and of squared weights; ``curve`` locates the region.

    Weights have the unit of the group's scale, which does not affect areas.
    """
    axis, low, high = rates
    first, last = _between(curve, axis, low, high)
    ends = reverse(curve.score) if descending else curve.score
    under, over = (">", "<=") if descending else ("<", ">=")
    below = f"{score.comparable} {under} {number(ends[first])}" if first > 0 else "false"
    above = f"{score.comparable} {over} {number(ends[last])}" if last < len(curve) else "false"
    scale = group.scale if group.weighted else None
    spare = db.memory - LEAST
    room = max(min(db.memory // _SHARE, spare), _LITTLE)
    with db.leaving(min(room, spare), "the scores of a region"):
        feed = sorted_rows(
            db, table, score, descending=descending, weighted=group.weighted,
            where=f"NOT ({below}) AND NOT ({above})",
        )  # fmt: skip
        parts = [_collected(_tables(feed.rest(), scale), room)]
    if first > 0:
        parts.insert(0, _lump(db, table, score, scale, below, curve.score[0]))
    if last < len(curve):
        parts.append(_lump(db, table, score, scale, above, curve.score[last]))
    whole = [_concatenated([part[i] for part in parts]) for i in range(len(parts[0]))]
    held = whole[0].n_pos, whole[0].n_neg
    known: tuple[float, float] = group.n_pos, group.n_neg
    if scale is not None:
        known = group.sum_pos * scale.pos, group.sum_neg * scale.neg
    if not all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(held, known, strict=True)):
        raise changed()
    return lumped(whole[0], whole[-1], axis, low, high)


def _between(curve: ScoreCounts, axis: Axis, low: float, high: float) -> tuple[int, int]:
    """Return the first entry of the table for plots in the region, and the first entry above it.

    The region also includes one more entry on each side.
    """
    own = curve.neg if axis == "fpr" else curve.pos
    through = np.cumsum(own)
    total = through[-1]
    starts, ends = (total - through) / total, (total - through + own) / total
    touched = np.flatnonzero((ends >= low - _ROUNDING) & (starts <= high + _ROUNDING))
    return max(int(touched[0]) - 2, 0), min(int(touched[-1]) + 3, len(curve))


def _tables(batches: Iterator[Any], scale: Scale | None) -> Iterator[tuple[ScoreCounts, ...]]:
    for rows in batches:
        if scale is None:
            yield (table_of_sorted(rows.score, rows.positive),)
            continue
        weight = scale.down(rows.weights(), rows.positive)
        yield tuple(table_of_sorted(rows.score, rows.positive, w) for w in (weight, weight**2))


def _collected(batches: Iterator[tuple[ScoreCounts, ...]], room: int) -> tuple[ScoreCounts, ...]:
    held: list[tuple[ScoreCounts, ...]] = []
    size = 0
    for tables in batches:
        held.append(tables)
        size += len(tables[0])
        if size * _ENTRY * len(tables) > room:
            raise InputError(
                "the region holds more distinct scores than fit into memory",
                where="memory",
                value=f"{size:,} scores and more",
                fix="request a smaller region, or allow more memory",
            )
    return tuple(
        _concatenated(list(glued(tables[i] for tables in held))) for i in range(len(held[0]))
    )


def _concatenated(tables: list[ScoreCounts]) -> ScoreCounts:
    return ScoreCounts(
        *(np.concatenate([getattr(t, name) for t in tables]) for name in ("score", "pos", "neg"))
    )


def _lump(
    db: Limited,
    table: CheckedSource,
    score: Score,
    scale: Scale | None,
    condition: str,
    lowest: Any,
) -> tuple[ScoreCounts, ...]:
    """Count all rows beyond one end of the region under their lowest score."""
    query, sums = table.query, ["count(*)"]
    if scale is not None:
        pos, neg = (number(np.float64(unit)) for unit in (scale.pos, scale.neg))
        unit = f"CASE WHEN p = 1 THEN {pos} ELSE {neg} END"
        query, sums = f"SELECT *, w * {unit} AS u FROM ({query})", ["sum(u)", "sum(u * u)"]
    totals = ", ".join(
        f"coalesce({total} FILTER (WHERE p = {p}), 0)" for total in sums for p in (1, 0)
    )
    (row,) = db.rows(f"SELECT {totals} FROM ({query}) WHERE NOT {score.missing} AND {condition}")
    kind = np.int64 if scale is None else np.float64
    at = np.array([lowest])
    return tuple(
        ScoreCounts(at, np.array([pos], dtype=kind), np.array([neg], dtype=kind))
        for pos, neg in zip(row[::2], row[1::2], strict=True)
    )

"""The part of the table of scores that a partial area looks at, in full; the rest in two lumps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from rocsolid.engines.duckdb.checked import Checked, Score
from rocsolid.engines.duckdb.groups import Group
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.sorted_query import sorted_rows
from rocsolid.engines.duckdb.sql_text import number
from rocsolid.errors import InputError
from rocsolid.inputs import reverse
from rocsolid.summaries.ranges.glued import glued, table_of_sorted
from rocsolid.summaries.ranges.region import lumped
from rocsolid.summaries.score_counts import ScoreCounts

_ENTRY = 100  # bytes of a distinct score while the tables are put together
_SHARE = 4  # of the memory, this part may be such tables
_ROUNDING = 1e-9

Axis = Literal["fpr", "tpr"]
Both = tuple[ScoreCounts, ScoreCounts]


def region_tables(
    db: Limited,
    table: Checked,
    score: Score,
    group: Group,
    curve: ScoreCounts,
    rates: tuple[Axis, float, float],
    *,
    descending: bool,
) -> Both:
    """Weights (or counts) and squared weights; ``curve`` says where the region begins and ends."""
    axis, low, high = rates
    first, last = _between(curve, axis, low, high)
    ends = reverse(curve.score) if descending else curve.score
    under, over = (">", "<=") if descending else ("<", ">=")
    below = f"{score.comparable} {under} {number(ends[first])}" if first > 0 else "false"
    above = f"{score.comparable} {over} {number(ends[last])}" if last < len(curve) else "false"
    room = db.memory // _SHARE
    with db.leaving(room, "the scores of a region"):
        feed = sorted_rows(
            db, table, score, descending=descending, weighted=group.weighted,
            where=f"NOT ({below}) AND NOT ({above})",
        )  # fmt: skip
        parts = [_collected(_tables(feed.rest(), group.weighted), room)]
    if first > 0:
        lump = _lump(db, table, score, group.weighted, below, curve.score[0])
        parts.insert(0, lump)
    if last < len(curve):
        parts.append(_lump(db, table, score, group.weighted, above, curve.score[last]))
    whole = [_concatenated([part[i] for part in parts]) for i in range(len(parts[0]))]
    return lumped(whole[0], whole[-1], axis, low, high)


def _between(curve: ScoreCounts, axis: Axis, low: float, high: float) -> tuple[int, int]:
    """The entries of the table to draw from that the region touches, and one more on each side.

    The first entry to look into, and the first one above them.
    """
    own = curve.neg if axis == "fpr" else curve.pos
    through = np.cumsum(own)
    total = through[-1]
    starts, ends = (total - through) / total, (total - through + own) / total
    touched = np.flatnonzero((ends >= low - _ROUNDING) & (starts <= high + _ROUNDING))
    return max(int(touched[0]) - 2, 0), min(int(touched[-1]) + 3, len(curve))


def _tables(batches: Iterator[Any], weighted: bool) -> Iterator[tuple[ScoreCounts, ...]]:
    for rows in batches:
        if not weighted:
            yield (table_of_sorted(rows.score, rows.positive),)
            continue
        weight = rows.weights()
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
                fix=f"ask for a smaller region, or give more than {room * _SHARE:,} bytes",
            )
    return tuple(
        _concatenated(list(glued(tables[i] for tables in held))) for i in range(len(held[0]))
    )


def _concatenated(tables: list[ScoreCounts]) -> ScoreCounts:
    return ScoreCounts(
        *(np.concatenate([getattr(t, name) for t in tables]) for name in ("score", "pos", "neg"))
    )


def _lump(
    db: Limited, table: Checked, score: Score, weighted: bool, condition: str, lowest: Any
) -> tuple[ScoreCounts, ...]:
    """All rows beyond one end of the region, under the lowest of their scores."""
    sums = ("sum(w)", "sum(w * w)") if weighted else ("count(*)",)
    totals = ", ".join(
        f"coalesce({total} FILTER (WHERE p = {p}), 0)" for total in sums for p in (1, 0)
    )
    (found,) = db.rows(
        f"SELECT {totals} FROM ({table.query}) WHERE NOT {score.missing} AND {condition}"
    )
    kind = np.float64 if weighted else np.int64
    at = np.array([lowest])
    return tuple(
        ScoreCounts(at, np.array([pos], dtype=kind), np.array([neg], dtype=kind))
        for pos, neg in zip(found[::2], found[1::2], strict=True)
    )

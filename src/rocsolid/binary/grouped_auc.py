"""The AUC of one score in many groups at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Measured, Options, auc_measured
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows, as_lists
from rocsolid.binary.inference import asked_interval, auto_name, certificate, plain_certificate
from rocsolid.intervals.calibrated.auto import METHODS as CALIBRATED
from rocsolid.intervals.calibrated.auto import hull_share
from rocsolid.intervals.guarantees.best import FEWEST
from rocsolid.intervals.guarantees.cuts import cuts_limits
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import hoeffding_limits, kl_limits, mcdiarmid_limits
from rocsolid.intervals.guarantees.matched_wins import Boards
from rocsolid.intervals.guarantees.matchings import matchings_limits
from rocsolid.results import Alternative, Interval
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.binary_summary import BinarySummary, Board, Fingerprint
from rocsolid.summaries.grouped_placements import GroupedPlacements
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.placements import SortedClasses

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]
_CELLS = 1 << 14  # numbers in a block, which fit in the cache

_FROM_SMALLER: dict[str, Callable[..., Any]] = {
    "hinge": hinge_limits,
    "hoeffding-blocks": hoeffding_limits,
    "hoeffding": hoeffding_limits,
    "kl": kl_limits,
}


def auc_columns(ranked: GroupedRows, options: Options) -> GroupColumns | None:
    """The AUC of many groups; ``None`` for an interval that needs more than columns.

    Up to 4,096 rows the certified interval is computed in columns too.
    """
    limits_of = _limits(options, ranked)
    if limits_of is None:
        return None
    level, alternative = options.level, options.alternative
    requested = Deferred(lambda: as_lists(*limits_of(ranked.placements.moments)))
    refused = {}
    if options.interval != "auto":  # auto always has limits
        for block in ranked.blocks:
            for group in block.groups.tolist():
                if math.isnan(requested()[0][group]):
                    reason = CALIBRATED[options.interval].reason
                    refused[group] = f"{options.interval} does not hold: {reason}"
    # assumptions and sources of a method do not depend on the data, so any data will do
    two = _two_rows_a_class()
    of_few = plain_certificate(two, level, alternative)
    shown = asked_interval(two, options.interval, level, alternative)
    few_limits = Deferred(lambda: _few_limits(ranked.placements, options))
    hull = Deferred(lambda: as_lists(hull_share(ranked.placements.moments) > 0.0)[0])
    names = Deferred(lambda: as_lists(auto_name(ranked.placements.moments))[0])

    def measured(group: int, summary: BinarySummary) -> Measured:
        def interval() -> Interval:
            low, high = (ends[group] for ends in requested())
            method = names()[group] if options.interval == "auto" else options.interval
            return replace(shown, low=low, high=high, method=method)

        def certified() -> Interval | None:
            if min(summary.n_pos, summary.n_neg) >= FEWEST:
                return certificate(summary, level, alternative)
            low, high = few_limits()(group)
            return replace(of_few, low=low, high=high)

        return auc_measured(
            summary, Deferred(interval), Deferred(certified), options, lambda: hull()[group]
        )

    (value,) = ranked.columns(1, lambda block: [block.aucs()])
    return GroupColumns(value, measured, refused)


def _few_limits(
    columns: GroupedPlacements, options: Options
) -> Callable[[int], tuple[float, float]]:
    """The certified limits of groups with few rows, computed for a block of groups when read."""
    few = np.minimum(columns.n_pos, columns.n_neg) < FEWEST
    blocks = _alike(columns, few)
    block, place = (np.zeros(len(few), dtype=np.int64) for _ in range(2))
    for number, some in enumerate(blocks):
        block[some], place[some] = number, np.arange(len(some))
    delta, alternative = 1.0 - options.level, options.alternative
    limits = [
        Deferred(partial(_by_matchings, columns, delta, alternative, some)) for some in blocks
    ]

    def limits_of(group: int) -> tuple[float, float]:
        low, high = limits[block[group]]()
        return float(low[place[group]]), float(high[place[group]])

    return limits_of


def _two_rows_a_class() -> BinarySummary:
    rows = SortedClasses(np.arange(2.0), np.arange(2.0))
    return BinarySummary(
        2, 2, 0, Moments(0.5, 0.1, 0.1, 2.0, 2.0), Fingerprint(1), classes=rows,
        board=Board.of(rows),
    )  # fmt: skip


def _limits(
    options: Options, ranked: GroupedRows
) -> Callable[[Moments], tuple[_FLOATS, _FLOATS]] | None:
    name, level, alternative = options.interval, options.level, options.alternative
    if name == "matchings":
        return lambda _: _of_all(ranked.placements, 1.0 - level, alternative)
    if name == "cuts":
        return lambda _: _by_cuts(ranked.placements, 1.0 - level, alternative)
    if name in CALIBRATED:
        return lambda moments: CALIBRATED[name].limits(moments, level, alternative)
    if name == "mcdiarmid":
        return lambda moments: mcdiarmid_limits(
            moments.auc,
            np.maximum(moments.n_pos, 1.0),
            np.maximum(moments.n_neg, 1.0),
            1.0 - level,
            alternative,
        )
    if name in _FROM_SMALLER:
        return lambda moments: _FROM_SMALLER[name](
            moments.auc,
            np.maximum(np.minimum(moments.n_pos, moments.n_neg), 1.0),
            1.0 - level,
            alternative,
        )
    return None


def _by_cuts(
    columns: GroupedPlacements, delta: float, alternative: Alternative
) -> tuple[_FLOATS, _FLOATS]:
    rows = np.minimum(columns.n_pos, columns.n_neg)
    low, high = (np.full(len(rows), np.nan) for _ in range(2))
    for group in np.flatnonzero(rows).tolist():
        low[group], high[group] = cuts_limits(columns.board(group), delta, alternative)
    return low, high


def _of_all(
    columns: GroupedPlacements, delta: float, alternative: Alternative
) -> tuple[_FLOATS, _FLOATS]:
    low, high = (np.full(len(columns.n_pos), np.nan) for _ in range(2))
    for some in _alike(columns, np.ones(len(low), dtype=np.bool_)):
        low[some], high[some] = _by_matchings(columns, delta, alternative, some)
    return low, high


def _alike(columns: GroupedPlacements, groups: NDArray[np.bool_]) -> list[_INT]:
    """Blocks of groups whose smaller classes have about as many rows."""
    rows = np.minimum(columns.n_pos, columns.n_neg)
    order = np.argsort(rows, kind="stable")
    order = order[groups[order] & (rows[order] > 0)]
    ascending, start, blocks = rows[order], 0, []
    while start < len(ascending):
        shortest = int(ascending[start])
        alike = int(np.searchsorted(ascending, max(shortest + 1, shortest * 5 // 4), side="right"))
        end = min(alike, start + max(1, _CELLS // shortest))
        blocks.append(order[start:end])
        start = end
    return blocks


def _by_matchings(
    columns: GroupedPlacements, delta: float, alternative: Alternative, some: _INT
) -> tuple[_FLOATS, _FLOATS]:
    below, tied = columns.boards(some)
    rows = np.minimum(columns.n_pos[some], columns.n_neg[some])
    larger = np.maximum(columns.n_pos[some], columns.n_neg[some])
    return matchings_limits(Boards(below, tied, rows, larger), delta, alternative)

"""Bootstrap intervals of the AUC and of weighted areas."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.interval import (
    Drawn,
    Resampled,
    Resampling,
    Sampler,
    bootstrap_limits,
)
from rocsolid.binary.resampling.replicates import (
    RankingCells,
    in_blocks,
    of_tables,
    replicates,
    squares,
)
from rocsolid.counts import both_classes
from rocsolid.errors import UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.calibrated.auto import auto, near_boundary
from rocsolid.intervals.calibrated.standard_error import unsound_of_logit_t as unsound
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.products import dot
from rocsolid.summaries.weighted_placements import WeightedPlacements

if TYPE_CHECKING:
    from rocsolid.binary.area import Area


_FLOATS = NDArray[np.float64]


def resampled_moments(
    rows: BinaryRows, sampler: Sampler, resamples: int, seed: int
) -> tuple[_FLOATS, _FLOATS]:
    """The AUCs of the resamples and DeLong's variance in each; NaN for a class of one row.

    With u the count of a row times its weight and u² the count times the squared weight, a class
    adds k/(k−1)·Σu²(V−Â)²/(Σu)², V the placements in the resample and k = (Σu)²/Σu², as in
    `WeightedPlacements.moments`.

    >>> rows = BinaryRows(np.arange(100) % 2 == 0, np.arange(100) % 7)
    >>> auc, variance = resampled_moments(rows, Sampler.of(rows, None), 2000, seed=0)
    >>> print(f"{auc.var():.4f} {variance.mean():.4f}")
    0.0033 0.0033
    """
    cells = RankingCells.of(rows, sampler, merged=True)

    def block(drawn: Drawn) -> _FLOATS:
        sums = (drawn.pos, drawn.neg)
        pairs = (sums,) if sampler.weight is None else (sums, squares(sampler, drawn))
        moments = []
        for batch in cells.batches(*pairs):
            pos, neg = batch[:2]
            pos_squares, neg_squares = batch[-2:]
            moments.append(_moments(pos, neg, pos_squares, neg_squares))
        return np.concatenate(moments)

    both = in_blocks(sampler, resamples, seed, block)
    return both[:, 0], both[:, 1]


def _moments(
    pos: _FLOATS, neg: _FLOATS, pos_squares: _FLOATS, neg_squares: _FLOATS
) -> NDArray[np.float64]:
    pos_sum, neg_sum = pos.sum(axis=1), neg.sum(axis=1)
    # whole counts: these sums are exact, and the AUC is rounded once
    below = 2.0 * np.cumsum(neg, axis=1) - neg
    auc = (pos * below).sum(axis=1) / (2.0 * pos_sum * neg_sum)
    below *= (0.5 / neg_sum)[:, None]
    part = _part(below, auc, pos_sum, pos_squares)
    above = np.cumsum(pos, axis=1)
    above = above[:, -1:] - above + 0.5 * pos
    above /= pos_sum[:, None]
    return np.column_stack([auc, part + _part(above, auc, neg_sum, neg_squares)])


def _part(placement: _FLOATS, auc: _FLOATS, total: _FLOATS, square: _FLOATS) -> _FLOATS:
    size = total**2 / square.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(size > 1.0 + 1e-12, size / (size - 1.0), np.nan)
    placement -= auc[:, None]
    placement *= placement
    return np.asarray(spread * (square * placement).sum(axis=1) / total**2)


_ASSUMED = {
    "rows": "rows are independent within and between the classes",
    "clusters": "clusters are independent; rows within a cluster may depend on each other "
    "in any way",
    "weights": "each row is drawn with its weight",
}


def auc_bootstrap(
    rows: BinaryRows,
    summary: BinarySummary,
    name: str,
    level: float,
    alternative: Alternative,
    resampling: Resampling,
) -> Interval:
    """The interval by the method ``name``; an error if all resamples would be equal.

    >>> from rocsolid.engines.memory import summarise
    >>> y = np.arange(200) % 2 == 0
    >>> rows = BinaryRows(y, np.arange(200) % 7 + 3 * y)
    >>> print(auc_bootstrap(rows, summarise(rows), "bootstrap", 0.95, "two-sided", Resampling()))
    [0.7770, 0.8826] at 95 % (bootstrap (logit))
    """
    sampler = Sampler.of(rows, resampling.scheme)
    moments = summary.moments
    if bool(unsound(moments)):
        sizes = both_classes(summary.n_pos, summary.n_neg, ", ")
        raise UnsoundError(
            "resampling such data shows no spread: the AUC is 0 or 1, all scores are tied, or a "
            "class has a single row or cluster",
            where=f"AUC {summary.auc:.6g} from {sizes}",
            fix='use interval="auto", which holds there, or read the certified interval',
        )
    counts = (resampling.resamples, resampling.seed)

    def values() -> NDArray[np.float64]:
        resamples, seed = counts
        return replicates([rows], resamples=resamples, seed=seed, scheme=sampler.scheme)[:, 0]

    def unresampled() -> tuple[float, float]:
        low, high = auto(moments, level, alternative)
        return float(low), float(high)

    bayesian = sampler.scheme == "bayesian"
    if bayesian:
        recommended = "bootstrap-percentile"  # quantiles of a posterior need no correction
    else:
        recommended = "bootstrap-logit" if rows.cluster is None else "bootstrap-bca"
    sample = Resampled(
        value=summary.auc,
        variance=float(np.asarray(moments.variance)),
        recommended=recommended,
        values=values,
        moments=None
        if bayesian or rows.cluster is not None
        else lambda: resampled_moments(rows, sampler, *counts),
        influence=None if bayesian else lambda: _influence(rows),
        near_boundary=bool(near_boundary(moments)),
        unresampled=unresampled,
    )
    low, high, method, source = bootstrap_limits(
        sample, name, level, alternative, resampling.resamples
    )
    assumptions = [_ASSUMED["rows" if rows.cluster is None else "clusters"]]
    if summary.weighted:
        assumptions.append(_ASSUMED["weights"])
    drawn = resampling.words(sampler.scheme)
    return Interval(
        low, high, level, method, assumptions=(*assumptions, drawn), source=source, drawn=drawn
    )


def _influence(rows: BinaryRows) -> NDArray[np.float64]:
    by_row = WeightedPlacements.from_arrays(rows.positive, rows.score, rows.weight)
    deviation = by_row.share * (by_row.placement - by_row.auc)
    if rows.cluster is None:
        return np.asarray(deviation)
    return np.asarray(np.bincount(rows.cluster, deviation))


def area_bootstrap(
    area: Area,
    name: str,
    level: float,
    alternative: Alternative,
    resampling: Resampling,
    *,
    near: bool,
    auto: Callable[[], Interval],
) -> Interval:
    """The interval on the raw scale.

    ``near`` means that too few rows determine a tail for the bootstrap alone, and ``auto`` returns
    the interval that holds there. A loss without bounds allows percentiles only.
    """
    bounded = area.loss is None or area.loss.in_unit_range
    if bounded and bool(unsound(area.shares)):
        raise UnsoundError(
            "resampling such data shows no spread: the area has its smallest or largest value, or "
            "a class has a single row",
            where=f"area {area.value:.6g} of at most {area.largest:.6g}",
            fix='use interval="auto", which holds there, or read the certified interval',
        )
    rows, largest = rows_of(area), area.largest
    sampler = Sampler.of(rows, resampling.scheme)
    if sampler.scheme == "bayesian" and area.loss is not None:
        raise UnsoundError(
            "the plug-in estimator counts whole rows, and the Bayesian bootstrap has none",
            where="scheme",
            fix='use scheme="stratified", "plain" or "poisson"',
        )
    # the plug-in estimator evaluates the weight at every negative, a curve only at its corners
    cells = RankingCells.of(rows, sampler, merged=area.loss is None)
    counts = (resampling.resamples, resampling.seed)

    def values() -> _FLOATS:
        value = area.recompute
        numbers = of_tables(sampler, cells, *counts, lambda table, _: (value(table),))
        return np.asarray(numbers[:, 0] / largest)

    def moments() -> tuple[_FLOATS, _FLOATS]:
        numbers = of_tables(sampler, cells, *counts, area.remeasure)
        return np.asarray(numbers[:, 0] / largest), np.asarray(numbers[:, 1] / largest**2)

    def unresampled() -> tuple[float, float]:
        interval = auto()
        return interval.low / largest, interval.high / largest

    bayesian = sampler.scheme == "bayesian"
    bottom, top = (0.0, largest) if bounded else (float("-inf"), area.weight.sup_norm)
    if bayesian or not bounded:
        recommended = "bootstrap-percentile"
    else:  # BCa covers as often here as the studentised interval, and takes a third of the time
        recommended = "bootstrap-bca" if area.loss is None else "bootstrap-logit"
    sample = Resampled(
        value=area.value / largest,
        variance=sum(area.variance) / largest**2,
        recommended=recommended,
        values=values,
        moments=None if bayesian or not bounded else moments,
        influence=None if bayesian or area.loss is not None else lambda: _influence_of_area(area),
        near_boundary=near and bounded,
        unresampled=unresampled,
        range=(bottom / largest, top / largest),
    )
    low, high, method, source = bootstrap_limits(
        sample, name, level, alternative, resampling.resamples
    )
    assumptions = ["rows are independent within and between the classes"]
    if area.summary.weighted:
        assumptions.append("each row is drawn with its weight")
    assumptions += [
        "some tens of rows of each class in the region",
        resampling.words(sampler.scheme),
    ]
    return Interval(
        largest * low, largest * high, level, method, False, tuple(assumptions), source,
        (bottom, top), resampling.words(sampler.scheme),
    )  # fmt: skip


def rows_of(area: Area) -> BinaryRows:
    if area.rows is None:
        raise UnsoundError(
            "a bootstrap resamples rows, which are not available here",
            where="interval",
            fix='use interval="auto", or evaluate in memory',
        )
    return area.rows


def _influence_of_area(area: Area) -> _FLOATS:
    """The part of each row in the first-order error of the share; sums to 0 in each class."""
    rows = rows_of(area)
    of_rows = area.influence(rows) / area.largest
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    part = np.empty(len(rows))
    for of_class in (rows.positive, ~rows.positive):
        share = weight[of_class] / weight[of_class].sum()
        part[of_class] = share * (of_rows[of_class] - dot(share, of_rows[of_class]))
    return part

"""The variance of a weighted area from the influence of each row on it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.curve_area import heights
from rocsolid.binary.steps_up import StepsUp, steps_up
from rocsolid.inputs import reverse
from rocsolid.summaries.mirrored import mirrored
from rocsolid.summaries.runs import distinct_scores
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.weights import Weight

_FLOATS = NDArray[np.float64]


class Variance(NamedTuple):
    """The parts of the variance of a weighted area that the positives and the negatives add."""

    pos: float
    neg: float


def influence(classes: SortedClasses, weight: Weight) -> Variance:
    """s²/m of the positives' influences and s²/n of the negatives'; NaN for a class of one row.

    A positive at x contributes the average of K over the negatives' share [F̂₀(x−), F̂₀(x)] at its
    score. Adding mass at a negative y lifts that share for every positive above, each by
    (1/m)·W(F̂₀(xᵢ)), and where they are tied, by the part of the segment that it lifts. So no slope
    of the curve has to be estimated. W ≡ 1 gives DeLong's variance.

    >>> from rocsolid.weights import step
    >>> v = influence(SortedClasses(np.array([1.0, 2.0, 5.0]), np.array([0.0, 3.0])), step(0, 1))
    >>> round(v.pos, 12), round(v.neg, 12)  # of the placements 1/2, 1/2, 1 and 1, 1/3
    (0.027777777778, 0.111111111111)
    """
    return area_and_influence(classes, weight)[1]


def area_and_influence(classes: SortedClasses, weight: Weight) -> tuple[float, Variance]:
    """The weighted area, as `curve_area` gives it, and its variance, in one pass."""
    if weight.axis == "fpr":
        return _area_and_influence(classes, weight)
    value, turned = _area_and_influence(mirrored(classes), weight)
    return value, Variance(turned.neg, turned.pos)


def _area_and_influence(classes: SortedClasses, weight: Weight) -> tuple[float, Variance]:
    m, n = len(classes.pos), len(classes.neg)
    largest = weight.l1_norm
    parts = []
    pos_sum = pos_squares = neg_sum = neg_squares = lifted = reached = 0.0
    for block in steps_up(classes, within=weight.support):
        height = heights(block, weight)
        parts.append(float(block.share @ height))
        missing = largest - height  # small for good scores, so that squares cancel little
        pos_sum += float(block.share @ missing)
        pos_squares += float(block.share @ missing**2)
        lift, tied = _lifts(block, weight)
        # what a negative does not lift: the positives below it
        before = lifted + np.cumsum(lift) - lift
        gap = block.low - np.append(reached, block.high[:-1])
        at, width = before + lift - tied, block.high - block.low
        neg_sum += float(gap @ before + width @ at)
        neg_squares += float(gap @ before**2 + width @ at**2)
        lifted, reached = lifted + float(lift.sum()), float(block.high[-1])
    neg_sum += (1.0 - reached) * lifted
    neg_squares += (1.0 - reached) * lifted**2
    variance = Variance(_spread(pos_sum, pos_squares, m), _spread(neg_sum, neg_squares, n))
    return math.fsum(parts), variance


def weighted_influence(table: ScoreCounts, squares: ScoreCounts, weight: Weight) -> Variance:
    """The same under sample weights: Σu²(h−h̄)²/(Σu)² for each class, times k/(k−1).

    ``table`` holds sums of weights, ``squares`` sums of their squares, for the same scores; k is
    the effective size (Σu)²/Σu², so that equal weights give what `influence` gives.
    """
    if weight.axis == "fpr":
        return _weighted_influence(table, squares, weight)
    turned = _weighted_influence(mirrored(table), mirrored(squares), weight)
    return Variance(turned.neg, turned.pos)


def row_influence(
    positive: NDArray[np.bool_],
    score: NDArray[Any],
    sample_weight: NDArray[np.float64] | None,
    weight: Weight,
) -> _FLOATS:
    """Each row's influence on the weighted area, in the rows' order, up to a constant per class.

    To first order the area is a constant plus the weighted mean of the positives' influences plus
    that of the negatives'. What `influence` squares and adds up is kept here row by row, so that
    several scores of the same rows, and rows of one cluster, can be taken together.

    >>> from rocsolid.weights import step
    >>> y, s = np.array([True, True, True, False, False]), np.array([1.0, 2.0, 5.0, 0.0, 3.0])
    >>> row_influence(y, s, None, step(0, 1)).round(3)  # the placements
    array([0.5  , 0.5  , 1.   , 1.   , 0.333])
    """
    if weight.axis == "tpr":
        positive, score = ~positive, reverse(score)
    distinct, group = distinct_scores(score)
    size = len(distinct)
    pos, neg = (
        np.bincount(
            group[of_class],
            None if sample_weight is None else sample_weight[of_class],
            minlength=size,
        )
        for of_class in (positive, ~positive)
    )
    through = np.cumsum(neg)
    high = through / through[-1]
    steps = StepsUp(np.append(0.0, high[:-1]), high, pos / pos.sum())
    lift, tied = _lifts(steps, weight)
    # a negative lifts the positives above it, and in part those tied with it
    lifted = lift.sum() - (np.cumsum(lift) - tied)
    return np.asarray(np.where(positive, heights(steps, weight)[group], lifted[group]))


def _weighted_influence(table: ScoreCounts, squares: ScoreCounts, weight: Weight) -> Variance:
    pos, neg = table.pos / table.pos.sum(), table.neg / table.neg.sum()
    through = np.cumsum(table.neg)
    high = through / through[-1]  # whole counts give the very shares that `influence` sees
    rows = StepsUp(np.append(0.0, high[:-1]), high, pos)
    lift, tied = _lifts(rows, weight)
    not_lifted = np.cumsum(lift) - tied
    parts = []
    for share, total, square, influences in (
        (pos, table.pos.sum(), squares.pos, heights(rows, weight)),
        (neg, table.neg.sum(), squares.neg, not_lifted),
    ):
        size = total**2 / square.sum()
        spread = size / (size - 1.0) if size > 1.0 + 1e-12 else float("nan")
        deviation = influences - share @ influences
        parts.append(spread * float(square @ deviation**2) / total**2)
    return Variance(*parts)


def _lifts(block: StepsUp, weight: Weight) -> tuple[_FLOATS, _FLOATS]:
    """What a negative below each segment's positives adds to them, and one tied with them."""
    lift = weight(block.low)
    tied = lift.copy()
    slanted = np.flatnonzero(block.high > block.low)
    if slanted.size:
        low, high = block.low[slanted], block.high[slanted]
        end, width = weight.integral(high), high - low
        lift[slanted] = (end - weight.integral(low)) / width
        tied[slanted] = (end - weight.mean_integral(low, high)) / width
    return block.share * lift, block.share * tied


def _spread(mean: float, mean_square: float, count: int) -> float:
    if count < 2:
        return float("nan")
    return max(mean_square - mean * mean, 0.0) / (count - 1.0)

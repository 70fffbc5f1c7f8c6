"""The weighted area under the completed ROC curve: A_W = ∫ roc(v)·W(1−v) dv."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.precision_steps import StepsUp, steps_up
from rocsolid.summaries.groups import ALONE
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.summaries.products import dot, line_dots, products
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.ranked_groups import PositiveRuns, RankedGroups
from rocsolid.summaries.score_counts import ScoreCounts, mirrored, run_begins
from rocsolid.weights.losses import Loss, StepLoss, ranks
from rocsolid.weights.weight import Weight


def curve_area(data: SortedClasses | ScoreCounts, weight: Weight) -> float:
    """The mean over positives X of the average of K on [F̂₀(X−), F̂₀(X)], K = ∫W.

    F̂₀ is the distribution function of the negatives. The curve is completed: ties of both classes
    are straight segments, and W is integrated exactly over each segment, instead of being evaluated
    at the jumps as in the plug-in estimator of Maurer and Pontil (2020). On the example of their
    Proposition 1, where f_{W,H} is 1/2 and the plug-in estimator is off by 1/4 at every size, it
    tends to the area under the population's completed curve, 0. For W ≡ 1 the value is the AUC with
    ties one half. The largest value is ‖W‖₁. A table of weighted scores gives the weighted value.

    >>> from rocsolid.weights import step
    >>> classes = SortedClasses(np.array([3.0, 3.0, 8.0]), np.array([-5.0, -3.0, 1.0, 5.0]))
    >>> round(curve_area(classes, step(0, 0.5)), 12), round(1 / 3 * 0.5 + 2 / 3 * 0.25, 12)
    (0.333333333333, 0.333333333333)
    """
    if weight.axis == "tpr":
        data = mirrored(data)
    constant = weight.constant
    if constant is not None and (isinstance(data, SortedClasses) or data.pos.dtype.kind != "f"):
        return constant * _auc(data)
    return slice_area(data, weight, (0.0, 1.0))


def slice_area(
    data: SortedClasses | ScoreCounts, weight: Weight, tpr: tuple[float, float]
) -> float:
    """The part of the weighted area at heights from tpr[0] to tpr[1].

    At height t the area to the right of the curve is K(1−roc⁻¹(t)), which is integrated over the
    heights; ``weight`` is over false-positive rates.
    """
    parts = [
        dot(block.share, heights(block, weight))
        for block in steps_up(data, tpr=tpr, within=weight.support)
    ]
    return math.fsum(parts)


def heights(block: StepsUp, weight: Weight) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The average of K over each segment; most segments are vertical, with a single value."""
    value = weight.integral(block.low)
    slanted = np.nonzero(block.high > block.low)
    if slanted[0].size:
        value[slanted] = weight.mean_integral(block.low[slanted], block.high[slanted])
    return value


def _auc(data: SortedClasses | ScoreCounts) -> float:
    """The AUC from exact sums, so that a constant weight loses no digit."""
    if isinstance(data, SortedClasses):
        return Placements.from_sorted(data).auc
    return RangePlacements.of(data).placements.auc


_FLOATS = NDArray[np.float64]


class Variance(NamedTuple):
    """The contributions of positives and of negatives to the variance of a weighted area."""

    pos: float
    neg: float


def influence(classes: SortedClasses, weight: Weight) -> Variance:
    """Return s²/m of the positives' influences and s²/n of the negatives'; NaN for a class of one
    row.

    A positive at x contributes the average of K over the negatives' share [F̂₀(x−), F̂₀(x)]. Mass
    at a negative y raises this share for every positive above, each by (1/m)·W(F̂₀(xᵢ)), and for
    tied positives in proportion to the raised part of the segment. Therefore no slope of the curve
    must be estimated. W ≡ 1 gives DeLong's variance.

    >>> from rocsolid.weights import step
    >>> v = influence(SortedClasses(np.array([1.0, 2.0, 5.0]), np.array([0.0, 3.0])), step(0, 1))
    >>> round(v.pos, 12), round(v.neg, 12)  # of the placements 1/2, 1/2, 1 and 1, 1/3
    (0.027777777778, 0.111111111111)
    """
    return area_and_influence(classes, weight)[1]


def area_and_influence(classes: SortedClasses, weight: Weight) -> tuple[float, Variance]:
    if weight.axis == "tpr":
        classes = mirrored(classes)
    m, n = len(classes.pos), len(classes.neg)
    if m + n <= ALONE:
        of_pos, of_neg = np.array([m]), np.array([n])
        steps = _of_runs(PositiveRuns.of_classes(classes), of_pos, of_neg)
        value, parts = _area_and_influence([steps], of_pos, of_neg, weight)
    else:
        blocks = steps_up(classes, within=weight.support)
        value, parts = _area_and_influence(blocks, m, n, weight)
    return float(np.sum(value)), _turned(weight, *(float(np.sum(part)) for part in parts))


def areas(ranked: RankedGroups, weight: Weight) -> _FLOATS:
    """The area of each group."""
    steps, _, _ = _of_groups(ranked, weight)
    return np.asarray(line_dots(steps.share, heights(steps, weight)))


def influences(ranked: RankedGroups, weight: Weight) -> tuple[_FLOATS, _FLOATS]:
    """The part of each class in the variance of each group's area."""
    steps, m, n = _of_groups(ranked, weight)
    of_pos, of_neg = _turned(weight, *_area_and_influence([steps], m, n, weight)[1])
    return np.asarray(of_pos), np.asarray(of_neg)


def _of_groups(ranked: RankedGroups, weight: Weight) -> tuple[StepsUp, Any, Any]:
    if weight.axis == "tpr":
        ranked = ranked.turned
    m, n = ranked.positive.sum(axis=1), ranked.negative.sum(axis=1)
    return _of_runs(ranked.runs(), m, n), m, n


def _of_runs(runs: PositiveRuns, m: Any, n: Any) -> StepsUp:
    low, high = (ends / n[:, None] for ends in (runs.below, runs.through))
    return StepsUp(low, high, runs.pos / m[:, None])


def _turned(weight: Weight, pos: Any, neg: Any) -> Variance:
    return Variance(pos, neg) if weight.axis == "fpr" else Variance(neg, pos)


def _area_and_influence(
    blocks: Iterable[StepsUp], m: Any, n: Any, weight: Weight
) -> tuple[Any, tuple[Any, Any]]:
    largest = weight.l1_norm
    parts = []
    squares: Any = 0.0
    missed = missed_squares = neg_sum = neg_squares = squares
    lifted = reached = np.zeros(np.shape(m))
    for block in blocks:
        height = heights(block, weight)
        parts.append(line_dots(block.share, height))
        # one of the two is small, so squares cancel little
        missing = largest - height
        missed += line_dots(block.share, missing)
        missed_squares += line_dots(block.share, missing**2)
        squares += line_dots(block.share, height**2)
        lift, tied = lifts(block, weight)
        # a negative does not lift the positives below it
        through = np.cumsum(lift, axis=-1)
        before = lifted[..., None] + through - lift
        ends = np.concatenate([reached[..., None], block.high[..., :-1]], axis=-1)
        gap = block.low - ends
        at, width = before + lift - tied, block.high - block.low
        neg_sum += line_dots(gap, before) + line_dots(width, at)
        neg_squares += line_dots(gap, before**2) + line_dots(width, at**2)
        lifted, reached = lifted + through[..., -1], block.high[..., -1]
    neg_sum += (1.0 - reached) * lifted
    neg_squares += (1.0 - reached) * lifted**2
    value = parts[0] if len(parts) == 1 else math.fsum(parts)
    good = missed < value
    of_pos = _spread(np.where(good, missed, value), np.where(good, missed_squares, squares), m)
    return value, (of_pos, _spread(neg_sum, neg_squares, n))


def lifts(block: StepsUp, weight: Weight) -> tuple[_FLOATS, _FLOATS]:
    lift = weight(block.low)
    tied = lift.copy()
    slanted = np.nonzero(block.high > block.low)
    if slanted[0].size:
        low, high = block.low[slanted], block.high[slanted]
        end, width = weight.integral(high), high - low
        lift[slanted] = (end - weight.integral(low)) / width
        tied[slanted] = (end - weight.mean_integral(low, high)) / width
    return block.share * lift, block.share * tied


def _spread(mean: Any, mean_square: Any, count: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.maximum(mean_square - mean * mean, 0.0) / np.subtract(count, 1.0)
    return np.where(np.less(count, 2), np.nan, spread)


_MOST = 2000  # rows of a class in the pairwise sums of losses other than the step


def plug_in_influence(classes: SortedClasses, weight: Weight, loss: Loss) -> Variance:
    """Return s²/m of the positives' influences and s²/n of the negatives'; NaN for a class of one
    row.

    A positive at x contributes (1/n)Σⱼ ℓ(x−Yⱼ)W(F̂₀(Yⱼ)). With φ(t) the mean of ℓ(Xᵢ−t), the value
    is ∫φ dK(F̂₀), so mass at a negative y weighs −∫W(F̂₀)dφ over t ≥ y. For losses other than the
    step, the positives' part is estimated from at most 2000 evenly spaced rows of each class.

    >>> from rocsolid.weights import losses, step
    >>> classes = SortedClasses(np.array([1.0, 2.0, 5.0]), np.array([0.0, 3.0]))
    >>> v = plug_in_influence(classes, step(0, 1), losses.step())
    >>> round(v.pos, 12), round(v.neg, 12)
    (0.027777777778, 0.111111111111)
    """
    if weight.axis == "fpr":
        return _variance(classes, weight, loss)
    turned = _variance(mirrored(classes), weight, loss)
    return Variance(turned.neg, turned.pos)


def _variance(classes: SortedClasses, weight: Weight, loss: Loss) -> Variance:
    pos, neg = classes.pos, classes.neg
    starts = np.flatnonzero(run_begins(neg))
    count = np.diff(starts, append=len(neg))
    weighed = weight((starts + count) / len(neg))
    beaten = loss.sums(pos, neg[starts]) / len(pos)
    # a constant does not matter, so the sum may omit positives beyond the last negative
    drops = np.append(weighed[:-1] * (beaten[:-1] - beaten[1:]), 0.0)
    of_neg = np.cumsum(drops[::-1])[::-1]
    return Variance(
        _spread_of_plug_in(
            _of_pos(pos, neg, starts, weighed * count / len(neg), loss), None, len(pos)
        ),
        _spread_of_plug_in(of_neg, count, len(neg)),
    )


def _of_pos(
    pos: NDArray[np.float64], neg: NDArray[np.float64], starts: NDArray[np.intp],
    weighed: _FLOATS, loss: Loss,
) -> _FLOATS:  # fmt: skip
    through = np.append(0.0, np.cumsum(weighed))
    if isinstance(loss, StepLoss):
        return np.asarray(through[ranks(neg[starts], pos, "left")])
    # neighbouring negatives share a representative, the first of each group
    each = -(-len(starts) // _MOST)
    at = neg[starts[::each]].astype(np.float64)
    mass = np.diff(through[np.append(np.arange(0, len(starts), each), len(starts))])
    some = pos[:: -(-len(pos) // _MOST)].astype(np.float64)
    with np.errstate(invalid="ignore"):
        z = np.where(some[:, None] == at, 0.0, some[:, None] - at)
    return np.asarray(products(mass[None], loss(z))[0])


def _spread_of_plug_in(values: _FLOATS, count: NDArray[np.intp] | None, rows: int) -> float:
    if rows < 2:
        return float("nan")
    mean = np.average(values, weights=count)
    return float(np.average((values - mean) ** 2, weights=count)) / (rows - 1.0)


def plug_in(classes: SortedClasses, weight: Weight, loss: Loss) -> float:
    """The estimate f_{W,ℓ}(μ̂) of Maurer and Pontil (2020), section 2.1.

    F̂₀(Xⱼ) is the share of negatives with scores up to and including Xⱼ. With the step loss ties
    count 0 (H(0) = 0), so W ≡ 1 gives the AUC minus half of the ties. Because W is evaluated at the
    jumps of the sample, the estimator can be off by a constant at every sample size if W jumps too
    (Proposition 1). The step, ramp and hinge-type losses take N log N operations.

    >>> from rocsolid.weights import losses, step
    >>> classes = SortedClasses(np.array([3.0, 3.0, 8.0]), np.array([-5.0, -3.0, 1.0, 5.0]))
    >>> plug_in(classes, step(0, 0.5), losses.step()) == (3 + 3 + 1) / 12
    True
    """
    if weight.axis == "tpr":
        classes = mirrored(classes)
    neg = classes.neg
    new = np.empty(len(neg), dtype=bool)
    new[:1] = True
    np.not_equal(neg[1:], neg[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    count = np.diff(starts, append=len(neg))
    weighed = weight((starts + count) / len(neg)) * count
    seen = np.flatnonzero(weighed)  # negatives without weight add nothing
    sums = loss.sums(classes.pos, neg[starts[seen]]) if seen.size else np.zeros(0)
    return math.fsum(weighed[seen] * sums) / (len(classes.pos) * len(neg))

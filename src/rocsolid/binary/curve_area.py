"""The weighted area under the completed ROC curve: A_W = ∫ roc(v)·W(1−v) dv."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.binary.steps_up import StepsUp, steps_up
from rocsolid.summaries.mirrored import mirrored
from rocsolid.summaries.placements import Placements
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.weights import Weight


def curve_area(data: SortedClasses | ScoreCounts, weight: Weight) -> float:
    """The mean over positives X of the average of K on [F̂₀(X−), F̂₀(X)], K = ∫W.

    F̂₀ is the distribution function of the negatives. The curve is completed: ties of both classes
    are straight segments, and W is integrated exactly over each of them rather than sampled at the
    jumps as in the plug-in estimator of Maurer and Pontil 2020. So the value depends continuously
    on the two distributions even where W jumps, and on the example of that document's Proposition
    1, where the plug-in estimator is off by 1/4 for ever, it tends to the area under the
    population's completed curve (0 there, where f_{W,H} is 1/2). For W ≡ 1 it is the AUC, ties one
    half. It is not normalised: the largest value is ‖W‖₁. A table of weighted scores gives the
    weighted value.

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
    """The part of the weighted area at heights from tpr[0] to tpr[1] above the axis.

    At the height t the curve leaves the area K(1−roc⁻¹(t)) to its right, which is integrated over
    the heights; ``weight`` is over false-positive rates.
    """
    parts = [
        float(block.share @ heights(block, weight))
        for block in steps_up(data, tpr=tpr, within=weight.support)
    ]
    return math.fsum(parts)


def heights(block: StepsUp, weight: Weight) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The average of K over each segment; most segments are vertical and have one value of K."""
    value = weight.integral(block.low)
    slanted = np.flatnonzero(block.high > block.low)
    if slanted.size:
        value[slanted] = weight.mean_integral(block.low[slanted], block.high[slanted])
    return value


def _auc(data: SortedClasses | ScoreCounts) -> float:
    """The AUC from exact sums, so that a constant weight loses no digit of it."""
    if isinstance(data, SortedClasses):
        return Placements.from_sorted(data).auc
    return RangePlacements.of(data).placements.auc

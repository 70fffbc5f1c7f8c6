"""A box of rates both ways: bands for the rates of both classes enclose the curve in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.checks import check_alternative, check_delta
from rocsolid.intervals.guarantees.rank_band import lower_band, upper_band
from rocsolid.intervals.guarantees.weighted_area import area_interval, box_area
from rocsolid.intervals.guarantees.weighted_band import at_ranks, classes_of
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import CURVE
from rocsolid.summaries.sorted_classes import SortedClasses

_FLOATS = NDArray[np.float64]
SOURCE = "Berk and Jones 1979 (bands with equal local levels), one for the rates of each class"


def box_band(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    fpr: tuple[float, float],
    tpr: tuple[float, float],
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The area of a box under the curve, from a curve below the true one and one above it.

    Each negative's score has two thresholds, just above it and at it, and both have a
    false-positive rate and a true-positive rate. With an upper limit for the one and a lower limit
    for the other the true corner lies above and to the left of a known point. Between the two
    corners the curve is a straight line; it runs above the straight line between the two points,
    as it does so at both ends of what the two lines have in common, and beyond that the curve,
    which never falls, is above the higher point. From one score to the next the known curve jumps.
    With the limits exchanged all is the other way round. Where no positive is level with the
    negatives both points have one height. Four one-sided bands hold at once, each fails with δ/4
    at most (two with δ/2 in a limit alone).

    >>> pos, neg = np.arange(1000) / 1000 + 0.6, np.arange(1000) / 1000
    >>> print(box_band(pos, neg, (0.0, 0.4), (0.6, 1.0)))
    [0.05006, 0.10711] at 95 % (box-band)
    """
    return box_interval(classes_of(pos_scores, neg_scores), fpr, tpr, delta, alternative)


def box_interval(
    classes: SortedClasses,
    fpr: tuple[float, float],
    tpr: tuple[float, float],
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The same from sorted scores."""
    check_alternative(alternative)
    share = check_delta(delta) / (4.0 if alternative == "two-sided" else 2.0)
    largest = box_area(fpr, tpr)
    low = 0.0 if alternative == "less" else _below(classes, fpr, tpr, share)
    high = largest if alternative == "greater" else _above(classes, fpr, tpr, share)
    return area_interval(low, high, delta, alternative, "box-band", largest, SOURCE, reads=CURVE)


def _below(
    classes: SortedClasses, fpr: tuple[float, float], tpr: tuple[float, float], share: float
) -> float:
    m, n = len(classes.pos), len(classes.neg)
    right, under = upper_band(n, *fpr, share), lower_band(m, *tpr, share)
    above, level, first, _ = at_ranks(classes, right)
    heights = np.append(0.0, under.limit)
    low, high = (
        heights[np.searchsorted(under.ranks, hits, side="right")] for hits in (above, above + level)
    )
    # the thresholds just above a score and at it: false-positive rates up to their limits
    limit = right.limit[first]
    return _chords(limit, np.append(limit[1:], 1.0), low, high, fpr, tpr)


def _above(
    classes: SortedClasses, fpr: tuple[float, float], tpr: tuple[float, float], share: float
) -> float:
    m, n = len(classes.pos), len(classes.neg)
    left, over = lower_band(n, *fpr, share), upper_band(m, *tpr, share)
    above, level, _, last = at_ranks(classes, left)
    heights = np.append(over.limit, 1.0)
    low, high = (heights[np.searchsorted(over.ranks, hits + 1)] for hits in (above, above + level))
    # the same thresholds: false-positive rates from their limits on; all may be hit beyond the last
    limit = np.append(0.0, left.limit[last])
    return _chords(
        limit, np.append(limit[1:], 1.0), np.append(low, 1.0), np.append(high, 1.0), fpr, tpr
    )


def _chords(
    start: _FLOATS, end: _FLOATS, low: _FLOATS, high: _FLOATS, fpr: tuple[float, float],
    tpr: tuple[float, float],
) -> float:  # fmt: skip
    """The area of the box under straight lines from (start, low) to (end, high)."""
    left, right = np.clip(start, *fpr), np.clip(end, *fpr)
    slope = (high - low) / np.where(end > start, end - start, 1.0)
    a, b = low + slope * (left - start), low + slope * (right - start)
    rise = np.where(b > a, b - a, 1.0)
    over = np.clip((b - np.maximum(a, tpr[1])) / rise, 0.0, 1.0)
    under = np.clip((np.minimum(b, tpr[0]) - a) / rise, 0.0, 1.0)
    slanted = (1.0 - over - under) * (np.clip(a, *tpr) + np.clip(b, *tpr)) / 2.0
    return float((right - left) @ (over * tpr[1] + under * tpr[0] + slanted - tpr[0]))

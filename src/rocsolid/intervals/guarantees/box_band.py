"""A box of rates both ways: bands for the rates of both classes enclose the curve in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.checks import check_alternative, check_delta
from rocsolid.intervals.guarantees.rank_band import lower_band, upper_band
from rocsolid.intervals.guarantees.weighted_area import area_interval, box_area
from rocsolid.intervals.guarantees.weighted_band import classes_of
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

    Every threshold at a negative's score has a false-positive rate and a true-positive rate. With
    an upper limit for the one and a lower limit for the other the true curve, which never falls,
    runs above and to the left of that point; with the limits exchanged it runs below and to the
    right. Four one-sided bands hold at once, each but for δ/4 (two for δ/2 in a limit alone).

    >>> pos, neg = np.arange(1000) / 1000 + 0.6, np.arange(1000) / 1000
    >>> print(box_band(pos, neg, (0.0, 0.4), (0.6, 1.0)))
    [0.04993, 0.10724] at 95 % (box-band)
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
    pos, neg = classes.pos, classes.neg
    right, under = upper_band(len(neg), *fpr, share), lower_band(len(pos), *tpr, share)
    # the threshold just above y₍ₖ₎: a false-positive rate up to its limit, and so many positives
    hits = len(pos) - np.searchsorted(pos, neg[len(neg) - right.ranks], side="right")
    height = np.append(0.0, under.limit)[np.searchsorted(under.ranks, hits, side="right")]
    return _stairs(np.append(0.0, right.limit), np.append(right.limit, 1.0),
                   np.append(0.0, height), fpr, tpr)  # fmt: skip


def _above(
    classes: SortedClasses, fpr: tuple[float, float], tpr: tuple[float, float], share: float
) -> float:
    pos, neg = classes.pos, classes.neg
    left, over = lower_band(len(neg), *fpr, share), upper_band(len(pos), *tpr, share)
    # the threshold at y₍ₖ₎ itself: a false-positive rate from its limit on
    hits = len(pos) - np.searchsorted(pos, neg[len(neg) - left.ranks], side="left")
    height = np.append(over.limit, 1.0)[np.searchsorted(over.ranks, hits + 1, side="left")]
    return _stairs(np.append(0.0, left.limit), np.append(left.limit, 1.0),
                   np.append(height, 1.0), fpr, tpr)  # fmt: skip


def _stairs(
    start: _FLOATS, end: _FLOATS, height: _FLOATS, fpr: tuple[float, float],
    tpr: tuple[float, float],
) -> float:  # fmt: skip
    """The area of the box under stairs with these steps."""
    width = np.maximum(np.minimum(end, fpr[1]) - np.maximum(start, fpr[0]), 0.0)
    return float(width @ (np.clip(height, *tpr) - tpr[0]))

"""Tail-sensitive bands for the false-positive rates, then the hinge bound over the positives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_alternative, check_delta
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.rank_band import RankBand, lower_band, upper_band
from rocsolid.intervals.guarantees.weighted_area import area_interval, check_known
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import CURVE
from rocsolid.summaries.mirrored import mirrored
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.weights import Weight

_FLOATS = NDArray[np.float64]
SOURCE = (
    "Berk and Jones 1979 (bands with equal local levels), then the hinge bound given the negatives"
)


def weighted_band(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    weight: Weight,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """For any bounded weight, and best for partial areas, where it knows that rates are small.

    With Ψ(t) = K(1−t) the area is the mean of Ψ(S₀(X)) over positives X, S₀ the share of negatives
    above. An *upper* band for S₀, valid at all places at once, makes the Ψ smaller; given the
    negatives they are independent and alike, and their mean has the hinge *lower* limit. The upper
    limit comes from the *lower* band and the hinge upper limit. Each of the two bands and two
    hinges may fail with probability δ/4 (δ/2 for a limit alone). The estimate itself is not used.

    >>> from rocsolid.weights import step
    >>> pos, neg = np.arange(1000) / 1000 + 0.35, np.arange(1000) / 1000
    >>> print(weighted_band(pos, neg, step(0, 0.1)))
    [0.03187, 0.04635] at 95 % (weighted-band)
    """
    return band_interval(classes_of(pos_scores, neg_scores), weight, delta, alternative)


def band_interval(
    classes: SortedClasses,
    weight: Weight,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The same from sorted scores."""
    check_known(weight)
    if weight.axis == "tpr":
        classes = mirrored(classes)
    bands, tails = check_alternative(alternative) == "two-sided", check_delta(delta)
    share = tails / (4.0 if bands else 2.0)
    rates = (1.0 - weight.support[1], 1.0 - weight.support[0])
    m, n, largest = len(classes.pos), len(classes.neg), weight.l1_norm
    low, high = 0.0, largest
    if alternative != "less":
        mean = lower_mean(classes, weight, upper_band(n, *rates, share))
        low = largest * float(hinge_limits(_share(mean, largest), m, share, "greater")[0])
    if alternative != "greater":
        mean = upper_mean(classes, weight, lower_band(n, *rates, share))
        high = largest * float(hinge_limits(_share(mean, largest), m, share, "less")[1])
    return area_interval(
        low, high, delta, alternative, "weighted-band", largest, SOURCE, reads=CURVE
    )


def lower_mean(classes: SortedClasses, weight: Weight, band: RankBand) -> float:
    """The mean of Ψ(S⁺(X)): a positive above y₍ₖ₎ has at most the share ``limit`` above it."""
    pos, neg = classes.pos, classes.neg
    above = len(pos) - np.searchsorted(pos, neg[len(neg) - band.ranks], side="right")
    # what is above none of the ranks may have all negatives above it, and Ψ(1) = 0
    return float(np.diff(above, prepend=0) @ weight.integral(1.0 - band.limit)) / len(pos)


def upper_mean(classes: SortedClasses, weight: Weight, band: RankBand) -> float:
    """The mean of Ψ(S⁻(X)): a positive below y₍ₖ₎ has at least the share ``limit`` above it."""
    pos, neg = classes.pos, classes.neg
    below = np.searchsorted(pos, neg[len(neg) - band.ranks], side="left")
    counts = np.diff(np.append(len(pos), below), append=0)
    limit = np.append(0.0, band.limit)  # above all ranks there may be no negative at all
    return float(-counts @ weight.integral(1.0 - limit)) / len(pos)


def _share(mean: float, largest: float) -> _FLOATS:
    """The mean as a share of the largest value; a last digit beyond it is rounding."""
    return np.asarray(min(max(mean / largest, 0.0), 1.0))


def classes_of(pos_scores: ArrayLike, neg_scores: ArrayLike) -> SortedClasses:
    return SortedClasses(_sorted(pos_scores, "pos"), _sorted(neg_scores, "neg"))


def _sorted(given: ArrayLike, name: str) -> NDArray[Any]:
    scores = np.sort(np.asarray(given))
    if scores.ndim != 1 or scores.size == 0 or scores.dtype.kind not in "fiub":
        raise InputError("not a list of scores", where=f"{name}_scores", value=given)
    if np.isnan(scores[-1]):
        raise InputError("a score is NaN", where=f"{name}_scores", fix="leave such rows out")
    return scores

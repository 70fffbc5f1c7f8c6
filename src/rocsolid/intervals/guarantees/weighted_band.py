"""Tail-sensitive bands for the false-positive rates, then the hinge bound over the positives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.tensors import in_main_memory
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
_COUNTS = NDArray[np.intp]
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

    With Ψ(t) = K(1−t) the area is the mean over positives X of Ψ at the share of negatives above X;
    where negatives are level with X, of the average of Ψ between that share, S(X), and the share
    that is not below X, S(X−), since the curve is a straight line there. Ψ falls, so the average
    falls when either end rises. An *upper* band for both shares, valid at all places at once, makes
    all averages smaller; given the negatives they are independent and alike, and their mean has the
    hinge *lower* limit. The upper limit comes from the *lower* band and the hinge upper limit. Each
    of the two bands and two hinges may fail with probability δ/4 (δ/2 for a limit alone). The
    estimate itself is not used.

    >>> from rocsolid.weights import step
    >>> pos, neg = np.arange(1000) / 1000 + 0.35, np.arange(1000) / 1000
    >>> print(weighted_band(pos, neg, step(0, 0.1)))
    [0.03191, 0.04631] at 95 % (weighted-band)
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
    """The mean of Ψ from above: limits for the ends of each tie, from an upper band.

    A positive above y₍ₖ₎ has at most the share ``limit`` of negatives above it and level with it; a
    positive level with y₍ₖ₎ at most that share above it. What is above none of the ranks may have
    all negatives above it, and Ψ(1) = 0.
    """
    above, level, first, _ = at_ranks(classes, band)
    limit = band.limit[first]
    beyond = np.append(limit[1:], 1.0)
    between = np.diff(above + level, prepend=0) - level
    return _mean(classes, weight, between, limit, level, limit, beyond)


def upper_mean(classes: SortedClasses, weight: Weight, band: RankBand) -> float:
    """The mean of Ψ from below: limits for the ends of each tie, from a lower band.

    A positive below y₍ₖ₎ has at least the share ``limit`` of negatives above it; a positive level
    with y₍ₖ₎ at least that share above it and level with it. Above all ranks there may be none.
    """
    above, level, _, last = at_ranks(classes, band)
    limit = np.append(0.0, band.limit[last])
    between = np.diff(np.append(above, len(classes.pos)), prepend=0)
    between[1:] -= level
    return _mean(classes, weight, between, limit, level, limit[:-1], limit[1:])


def at_ranks(classes: SortedClasses, band: RankBand) -> tuple[_COUNTS, _COUNTS, _COUNTS, _COUNTS]:
    """Positives above and level with each score that the ranks have, and its first and last rank.

    The scores descend; first and last are places in the list of ranks.
    """
    pos, neg = classes.pos, classes.neg
    scores = neg[len(neg) - band.ranks]
    new = scores[1:] != scores[:-1]
    first = np.flatnonzero(np.append(True, new)[: len(scores)])
    last = np.flatnonzero(np.append(new, True)[-len(scores) :] if len(scores) else new)
    above = len(pos) - np.searchsorted(pos, scores[first], side="right")
    return above, len(pos) - np.searchsorted(pos, scores[first]) - above, first, last


def _mean(
    classes: SortedClasses,
    weight: Weight,
    between: _COUNTS,
    share: _FLOATS,
    level: _COUNTS,
    start: _FLOATS,
    end: _FLOATS,
) -> float:
    """The mean of Ψ at the shares of positives between scores and over the ties of the others."""
    tied = np.flatnonzero(level)
    of_ties = weight.mean_integral(1.0 - end[tied], 1.0 - start[tied])
    whole = between @ weight.integral(1.0 - share) + level[tied] @ of_ties
    return float(whole) / len(classes.pos)


def _share(mean: float, largest: float) -> _FLOATS:
    """The mean as a share of the largest value; a last digit beyond it is rounding."""
    return np.asarray(min(max(mean / largest, 0.0), 1.0))


def classes_of(pos_scores: ArrayLike, neg_scores: ArrayLike) -> SortedClasses:
    return SortedClasses(_sorted(pos_scores, "pos"), _sorted(neg_scores, "neg"))


def _sorted(given: ArrayLike, name: str) -> NDArray[Any]:
    scores = np.sort(np.asarray(in_main_memory(given, f"{name}_scores")))
    if scores.ndim != 1 or scores.size == 0 or scores.dtype.kind not in "fiub":
        raise InputError("not a list of scores", where=f"{name}_scores", value=given)
    if np.isnan(scores[-1]):
        raise InputError("a score is NaN", where=f"{name}_scores", fix="leave such rows out")
    return scores

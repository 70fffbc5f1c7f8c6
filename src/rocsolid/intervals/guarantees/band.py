"""One-sided simultaneous bands for a distribution, and areas under the curve that they bound."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.checks import tail_share
from rocsolid.intervals.guarantees.dkw import dkw_radius
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.rank_level import Side, level_and_chance, limits
from rocsolid.intervals.guarantees.weighted_area import area_interval, box_area, check_known
from rocsolid.results import Alternative
from rocsolid.results.interval import CURVE, Interval
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.products import dot
from rocsolid.summaries.ranked_classes import RankedClasses
from rocsolid.summaries.score_counts import mirrored
from rocsolid.weights.weight import Weight

_FLOATS = NDArray[np.float64]
MOST_RANKS = 400
_LEAST = -math.log(1e-24)  # of any error, also divided by numbers of segments and of ranks


@dataclass(frozen=True, slots=True, eq=False)
class RankBand:
    """Limits for the share of a class above its order statistics, at ascending ranks."""

    ranks: NDArray[np.int64]
    limit: _FLOATS


def upper_band(n: int, low: float, high: float, share: float) -> RankBand:
    """Return upper limits for P(Y > y₍ₖ₎) that all hold except with probability ``share``.

    The share above y₍ₖ₎, the k-th largest of n, is at most U₍ₖ₎, the k-th smallest of n uniform
    numbers, also with ties. The limits are q(1−η; k, n+1−k) with one η, at up to 400 ranks whose
    limits may lie between the rates ``low`` and ``high``, and (k−1)/n + ε at the ranks before and
    after (Dvoretzky, Kiefer, Wolfowitz and Massart), at up to two percent of ``share``.

    >>> band = upper_band(100, 0.0, 0.1, 0.0125)
    >>> band.ranks[:5], band.limit[:5].round(3)
    (array([1, 2, 3, 4, 5]), array([0.052, 0.072, 0.09 , 0.106, 0.251]))
    """
    # the last rank whose limit is below ``high`` even without regard to the other ranks, and the
    # first whose limit exceeds ``low`` even by the union bound
    last = _first_rank(n, high, 1.0 - share) - 1
    first = _first_rank(n, low, 1.0 - share / MOST_RANKS) if low > 0.0 else 1
    return cached_band(n, band_ranks(n, low, high), max(first - 1, 1), last, share, "upper")


def lower_band(n: int, low: float, high: float, share: float) -> RankBand:
    """Return lower limits for P(Y ≥ y₍ₖ₎) that all hold except with probability ``share``.

    P(Y ≥ y₍ₖ₎) is at least U₍ₖ₎ of `upper_band`. The ranks before and after have U₍ₖ₎ ≥ k/n − ε.

    >>> band = lower_band(100, 0.0, 0.1, 0.0125)
    >>> band.ranks[[0, 9, 24]], band.limit[[0, 9, 24]].round(3)
    (array([ 1, 10, 25]), array([0.   , 0.031, 0.133]))
    """
    # from the first rank whose limit may exceed ``low`` to the first whose limit reaches ``high``
    first = _first_rank(n, low, share) if low > 0.0 else 1
    last = min(_first_rank(n, high, share / MOST_RANKS), n)
    return cached_band(n, band_ranks(n, low, high), first, last, share, "lower")


@lru_cache(maxsize=256)
def band_ranks(n: int, low: float, high: float) -> tuple[int, ...]:
    """Return the ranks that a band between two rates may use, whatever its error.

    About 400 ranks lie where the limit of a rank may be between the rates at any error above 10⁻²⁴,
    by Bernstein's inequality. Up to 400 ranks lie before them, and up to 400 after.

    >>> [len(band_ranks(10**6, *rates)) for rates in ((0.0, 1.0), (0.0, 0.1), (0.1, 0.2))]
    [400, 800, 1200]
    """

    def away(rate: float) -> float:
        return math.sqrt(2.0 * _LEAST * n * rate * (1.0 - rate)) + _LEAST

    first = max(math.floor(n * low - away(low)), 1) if low > 0.0 else 1
    last = min(math.ceil(n * high + away(high)), n) if high < 1.0 else n
    return spread(n, 1, first - 1) + spread(n, first, last) + spread(n, last + 1, n)


def spread(n: int, first: int, last: int) -> tuple[int, ...]:
    """Return all ranks from first to last, or about 400 of them evenly on the scale arcsin √(k/n).

    >>> spread(10, 2, 5), len(spread(10**6, 1, 10**5)), spread(10, 3, 2)
    ((2, 3, 4, 5), 400, ())
    """
    if last - first < MOST_RANKS:
        return tuple(range(first, last + 1))
    ends = np.arcsin(np.sqrt((np.array([first, last]) - 0.5) / n))
    places = np.sin(np.linspace(ends[0], ends[1], MOST_RANKS)) ** 2 * n + 0.5
    return tuple(np.unique(np.rint(places).astype(np.int64)).tolist())


@lru_cache(maxsize=256)
def cached_band(
    n: int, every: tuple[int, ...], first: int, last: int, share: float, side: Side
) -> RankBand:
    """Return the band at those of the ranks from first to last; the data do not influence it."""
    ranks = tuple(rank for rank in every if first <= rank <= last)
    heights, chance = np.zeros(0), 0.0  # without a single rank too few rows to say something
    if ranks:
        level, chance = level_and_chance(n, ranks, share, side)
        heights = limits(n, ranks, level, side)
    beyond = tuple(rank for rank in every if not first <= rank <= last)
    spare = _spare(share, chance) if beyond else 0.0
    if spare:
        radius = dkw_radius(n, 2.0 * spare)
        places = np.array(beyond)
        wide = (places - 1) / n + radius if side == "upper" else places / n - radius
        order = np.argsort(np.array(ranks + beyond))
        ranks, heights = tuple(sorted(ranks + beyond)), np.concatenate((heights, wide))[order]
        if side == "upper":
            heights = np.minimum(np.minimum.accumulate(heights[::-1])[::-1], 1.0)
        else:
            heights = np.maximum(np.maximum.accumulate(heights), 0.0)
    heights.flags.writeable = False
    return RankBand(np.array(ranks, dtype=np.int64), heights)


@lru_cache(maxsize=256)
def pointwise_band(n: int, share: float, side: Side) -> RankBand:
    """Return limits that each fail with probability ``share``, at the ranks of `upper_band`.

    They lie within `lower_band` and `upper_band`, whose local level is at most the share, and cost
    a fraction of the time.
    """
    ranks = band_ranks(n, 0.0, 1.0)
    return RankBand(np.array(ranks, dtype=np.int64), limits(n, ranks, share, side))


def _spare(share: float, chance: float) -> float:
    spare = min(share - chance, 0.5)
    return spare if spare > max(1e-6 * share, 1e-10) else 0.0


def _first_rank(n: int, rate: float, level: float) -> int:
    """Return the smallest k in 1..n+1 with P(U₍ₖ₎ ≤ rate) = P(Bin(n, rate) ≥ k) ≤ level."""
    from scipy.special import betainc

    if rate >= 1.0:
        return n + 1
    low, high = 1, n + 1
    while low < high:
        middle = (low + high) // 2
        if betainc(middle, n + 1 - middle, rate) <= level:
            high = middle
        else:
            low = middle + 1
    return low


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
    """Return limits for a weighted area with any bounded weight, shortest for partial areas.

    With Ψ(t) = K(1−t), the area is the mean over positives X of Ψ at the share of negatives above
    X, averaged over a tie. A band for that share bounds Ψ at all scores at once; given the
    negatives, the mean has the hinge's limit. Each of the two bands and two hinges fails with δ/4
    (δ/2 in a one-sided limit).

    >>> from rocsolid.weights import step
    >>> pos, neg = np.arange(1000) / 1000 + 0.35, np.arange(1000) / 1000
    >>> print(weighted_band(pos, neg, step(0, 0.1)))
    [0.03191, 0.04631] at 95 % (weighted-band)
    """
    return band_interval(classes_of(pos_scores, neg_scores), weight, delta, alternative)


def band_interval(
    classes: SortedClasses | RankedClasses,
    weight: Weight,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    check_known(weight)
    if weight.axis == "tpr":
        classes = mirrored(classes)
    share, rates = tail_share(delta, alternative) / 2.0, rates_of(weight)
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


def rates_of(weight: Weight) -> tuple[float, float]:
    """Return an interval of false-positive rates outside which the weight is zero."""
    least, most = weight.support
    return 1.0 - most, 1.0 - least


def lower_mean(classes: SortedClasses | RankedClasses, weight: Weight, band: RankBand) -> float:
    """Bound the mean of Ψ from below, with an upper band at the ends of each tie.

    A positive above y₍ₖ₎ has at most the share ``limit`` of negatives above it and tied with it;
    one tied with y₍ₖ₎ has at most that share above it. Ψ(1) = 0.
    """
    above, level, first, _ = at_ranks(classes, band)
    limit = band.limit[first]
    beyond = np.append(limit[1:], 1.0)
    between = np.diff(above + level, prepend=0) - level
    return _mean(classes, weight, between, limit, level, limit, beyond)


def upper_mean(classes: SortedClasses | RankedClasses, weight: Weight, band: RankBand) -> float:
    """Bound the mean of Ψ from above, with a lower band at the ends of each tie."""
    above, level, _, last = at_ranks(classes, band)
    limit = np.append(0.0, band.limit[last])
    between = np.diff(np.append(above, len(classes.pos)), prepend=0)
    between[1:] -= level
    return _mean(classes, weight, between, limit, level, limit[:-1], limit[1:])


def at_ranks(
    classes: SortedClasses | RankedClasses, band: RankBand
) -> tuple[_COUNTS, _COUNTS, _COUNTS, _COUNTS]:
    """Count positives above and tied with each score at the ranks, highest score first.

    Also return the positions of the first and the last rank of each score in the list of ranks.
    """
    pos, neg = classes.pos, classes.neg
    scores = neg[len(neg) - band.ranks]
    new = scores[1:] != scores[:-1]
    first = np.flatnonzero(np.append(True, new)[: len(scores)])
    last = np.flatnonzero(np.append(new, True)[-len(scores) :] if len(scores) else new)
    above = len(pos) - pos.searchsorted(scores[first], side="right")
    return above, len(pos) - pos.searchsorted(scores[first]) - above, first, last


def _mean(
    classes: SortedClasses | RankedClasses,
    weight: Weight,
    between: _COUNTS,
    share: _FLOATS,
    level: _COUNTS,
    start: _FLOATS,
    end: _FLOATS,
) -> float:
    """Return the mean of Ψ over the positives between scores and over those in ties."""
    tied = np.flatnonzero(level)
    of_ties = weight.mean_integral(1.0 - end[tied], 1.0 - start[tied])
    whole = dot(between, weight.integral(1.0 - share)) + dot(level[tied], of_ties)
    return whole / len(classes.pos)


def _share(mean: float, largest: float) -> _FLOATS:
    return np.asarray(min(max(mean / largest, 0.0), 1.0))


BOX_BAND_SOURCE = (
    "Berk and Jones 1979 (bands with equal local levels), one for the rates of each class"
)


def box_band(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    fpr: tuple[float, float],
    tpr: tuple[float, float],
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for the area under the curve in a box of rates.

    Limits for both rates at each threshold place the true corner above and to the left of a known
    point. The curve is straight between two corners, so it runs above the line between the two
    points. Each of four bands fails with δ/4 (each of two with δ/2 in a one-sided limit).

    >>> pos, neg = np.arange(1000) / 1000 + 0.6, np.arange(1000) / 1000
    >>> print(box_band(pos, neg, (0.0, 0.4), (0.6, 1.0)))
    [0.04985, 0.10716] at 95 % (box-band)
    """
    return box_interval(classes_of(pos_scores, neg_scores), fpr, tpr, delta, alternative)


def box_interval(
    classes: SortedClasses | RankedClasses,
    fpr: tuple[float, float],
    tpr: tuple[float, float],
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    share = tail_share(delta, alternative) / 2.0
    largest = box_area(fpr, tpr)
    low = 0.0 if alternative == "less" else _below(classes, fpr, tpr, share)
    high = largest if alternative == "greater" else _above(classes, fpr, tpr, share)
    return area_interval(
        low, high, delta, alternative, "box-band", largest, BOX_BAND_SOURCE, reads=CURVE
    )


def _below(
    classes: SortedClasses | RankedClasses,
    fpr: tuple[float, float],
    tpr: tuple[float, float],
    share: float,
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
    classes: SortedClasses | RankedClasses,
    fpr: tuple[float, float],
    tpr: tuple[float, float],
    share: float,
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
    """Return the area of the box under straight lines from (start, low) to (end, high)."""
    left, right = np.clip(start, *fpr), np.clip(end, *fpr)
    slope = (high - low) / np.where(end > start, end - start, 1.0)
    a, b = low + slope * (left - start), low + slope * (right - start)
    rise = np.where(b > a, b - a, 1.0)
    over = np.clip((b - np.maximum(a, tpr[1])) / rise, 0.0, 1.0)
    under = np.clip((np.minimum(b, tpr[0]) - a) / rise, 0.0, 1.0)
    slanted = (1.0 - over - under) * (np.clip(a, *tpr) + np.clip(b, *tpr)) / 2.0
    return dot(right - left, over * tpr[1] + under * tpr[0] + slanted - tpr[0])

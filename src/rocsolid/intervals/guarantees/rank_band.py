"""One-sided simultaneous bands for a distribution, tight in the tails: equal local levels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.dkw import dkw_radius
from rocsolid.intervals.guarantees.rank_level import Side, level_and_chance, limits

_FLOATS = NDArray[np.float64]
MOST_RANKS = 400


@dataclass(frozen=True, slots=True, eq=False)
class RankBand:
    """Limits for the shares of a class above its order statistics, at some ranks from the top.

    ``limit[i]`` belongs to the rank ``ranks[i]``; both ascend.
    """

    ranks: NDArray[np.int64]
    limit: _FLOATS


def upper_band(n: int, low: float, high: float, share: float) -> RankBand:
    """P(Y > y₍ₖ₎) ≤ limit at all ranks at once, except with a probability of at most ``share``.

    y₍ₖ₎ is the k-th largest of n. The share of the class above it is at most U₍ₖ₎, the k-th
    smallest of n uniform numbers, whatever the distribution (ties only make it smaller), so
    q(1−η; k, n+1−k) is an upper limit at each rank, and η is such that they hold together. The
    bound holds for any choice of ranks that does not look at the data: here those whose limits may
    lie between the rates ``low`` and ``high``, and at most 400 of them, evenly spread on the scale
    arcsin √(k/n), on which every order statistic has the same spread.

    The level η is found to two percent of ``share``. What it leaves pays for a band of Dvoretzky,
    Kiefer, Wolfowitz and Massart at the ranks before and after those: U₍ₖ₎ ≤ (k−1)/n + ε at all of
    them. Their limits do not lie between the rates, and only an end of a tie makes use of them.

    >>> band = upper_band(100, 0.0, 0.1, 0.0125)
    >>> band.ranks[:5], band.limit[:5].round(3)
    (array([1, 2, 3, 4, 5]), array([0.052, 0.072, 0.09 , 0.106, 0.251]))
    """
    # the last rank whose limit is below ``high`` even without regard to the other ranks, and the
    # first whose limit exceeds ``low`` even by the union bound
    last = _first_rank(n, high, 1.0 - share) - 1
    first = _first_rank(n, low, 1.0 - share / MOST_RANKS) if low > 0.0 else 1
    return cached_band(n, max(first - 1, 1), last, share, "upper")


def lower_band(n: int, low: float, high: float, share: float) -> RankBand:
    """P(Y ≥ y₍ₖ₎) ≥ limit at all ranks at once, except with a probability of at most ``share``.

    That share is at least U₍ₖ₎, whatever the distribution; see `upper_band`. Here the ranks before
    and after have U₍ₖ₎ ≥ k/n − ε.

    >>> band = lower_band(100, 0.0, 0.1, 0.0125)
    >>> band.ranks[[0, 9, 24]], band.limit[[0, 9, 24]].round(3)
    (array([ 1, 10, 25]), array([0.   , 0.031, 0.133]))
    """
    # from the first rank whose limit may exceed ``low`` to the first whose limit reaches ``high``
    first = _first_rank(n, low, share) if low > 0.0 else 1
    last = min(_first_rank(n, high, share / MOST_RANKS), n)
    return cached_band(n, first, last, share, "lower")


def spread(n: int, first: int, last: int) -> tuple[int, ...]:
    """All ranks from first to last, or about 400 evenly on the scale arcsin √(k/n).

    >>> spread(10, 2, 5), len(spread(10**6, 1, 10**5)), spread(10, 3, 2)
    ((2, 3, 4, 5), 400, ())
    """
    if last - first < MOST_RANKS:
        return tuple(range(first, last + 1))
    ends = np.arcsin(np.sqrt((np.array([first, last]) - 0.5) / n))
    places = np.sin(np.linspace(ends[0], ends[1], MOST_RANKS)) ** 2 * n + 0.5
    return tuple(np.unique(np.rint(places).astype(np.int64)).tolist())


@lru_cache(maxsize=256)
def cached_band(n: int, first: int, last: int, share: float, side: Side) -> RankBand:
    """The band at ranks from first to last; it takes a moment and does not depend on the data."""
    ranks = spread(n, first, last)
    heights, chance = np.zeros(0), 0.0  # without a single rank too few rows to say something
    if ranks:
        level, chance = level_and_chance(n, ranks, share, side)
        heights = limits(n, ranks, level, side)
    beyond = spread(n, 1, first - 1) + spread(n, last + 1, n) if ranks else spread(n, 1, n)
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


def _spare(share: float, chance: float) -> float:
    """What the band leaves of its share of the errors, or 0 where that is lost in rounding."""
    spare = min(share - chance, 0.5)
    return spare if spare > max(1e-6 * share, 1e-10) else 0.0


def _first_rank(n: int, rate: float, level: float) -> int:
    """The smallest k in 1..n+1 with P(Bin(n, rate) ≥ k) ≤ level, that is P(U₍ₖ₎ ≤ rate) ≤ level."""
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

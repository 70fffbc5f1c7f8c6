"""From below: the mean over all matchings of a product over pairs, by scaling to equal sums."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.intp]
ENOUGH = 1e-2  # of the logarithm: what may be lost by scaling no further
ROUNDING = 1e-6  # of the logarithm, far above what the roundings of a million rows add up to
_STEPS = 500


class PairSums(Protocol):
    """Weighted sums of a number d_ij in [−1, 1] of each pair, i of the smaller class.

    ``copies`` is how many equal rows stand at each place, of the smaller class and of the larger;
    ``spread`` is a number that ln((1 + μd)/(1 + μd′)) does not exceed.
    """

    @property
    def copies(self) -> tuple[_FLOATS, _FLOATS]: ...
    def spread(self, stake: float) -> float: ...
    def across(self, weight: _FLOATS) -> _FLOATS:
        """Σ_j d_ij·weight_j for each i."""

    def down(self, weight: _FLOATS) -> _FLOATS:
        """Σ_i weight_i·d_ij for each j."""


@dataclass(frozen=True, slots=True, eq=False)
class WinSums:
    """Weighted sums of φ_ij, i a row of the smaller class and j a row of the larger.

    φ is 1 where the positive is above the negative, ½ at a tie, else 0. Their table is not built:
    in sorted order a sum of φ is a difference of prefix sums. Of each class there are its order and
    for each of its rows how many of the other class lie below it and how many not above it.
    """

    small: tuple[_INT, _INT, _INT]
    large: tuple[_INT, _INT, _INT]
    positives_small: bool

    @classmethod
    def of(cls, pos: NDArray[Any], neg: NDArray[Any]) -> WinSums:
        """
        >>> sums = WinSums.of(np.array([2, 1]), np.array([0, 1, 3]))
        >>> sums.across(np.array([1.0, 10.0, 100.0])), sums.down(np.array([1.0, 10.0]))
        (array([11.,  6.]), array([11.,  6.,  0.]))
        >>> WinSums.of(np.array([0, 1, 3]), np.array([2, 1])).down(np.array([1.0, 10.0]))
        array([ 0.,  5., 11.])
        """
        fewer = len(pos) <= len(neg)
        small, large = (pos, neg) if fewer else (neg, pos)
        by_small, by_large = (np.argsort(each, kind="stable") for each in (small, large))
        return cls(
            (by_small, *_ranks(large[by_large], small)),
            (by_large, *_ranks(small[by_small], large)),
            fewer,
        )

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.small[0]), len(self.large[0])

    def across(self, weight: _FLOATS) -> _FLOATS:
        return _wins(weight[self.large[0]], *self.small[1:], self.positives_small)

    def down(self, weight: _FLOATS) -> _FLOATS:
        return _wins(weight[self.small[0]], *self.large[1:], not self.positives_small)


@dataclass(frozen=True, slots=True, eq=False)
class WinDifferences:
    """Of d = φ − φ′, for two scores of the same rows."""

    first: WinSums
    second: WinSums

    @property
    def copies(self) -> tuple[_FLOATS, _FLOATS]:
        k, n = self.first.sizes
        return np.ones(k), np.ones(n)

    def spread(self, stake: float) -> float:
        return math.log((1.0 + abs(stake)) / (1.0 - abs(stake)))

    def across(self, weight: _FLOATS) -> _FLOATS:
        return self.first.across(weight) - self.second.across(weight)

    def down(self, weight: _FLOATS) -> _FLOATS:
        return self.first.down(weight) - self.second.down(weight)


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """Where scaling starts for every stake, so near to the end that one step is mostly enough."""

    mean: float  # of d over all pairs
    off: float  # the largest distance of a row's mean from it
    down: _FLOATS  # Σ_i d_ij
    tilted: _FLOATS  # Σ_i (d̄_i − mean)·d_ij
    sizes: tuple[float, float]

    @classmethod
    def of(cls, sums: PairSums) -> Margins:
        small, large = sums.copies
        k, n = float(small.sum()), float(large.sum())
        along = sums.across(large) / n
        mean = float((small * along).sum()) / k
        off = float(np.abs(along - mean).max())
        return cls(mean, off, sums.down(small), sums.down(small * (along - mean)), (k, n))

    def column(self, stake: float) -> _FLOATS:
        """One over the sums of columns, rows weighted by (1 − t(d̄_i − mean))/(1 + μ·mean) ≥ 0.

        With t = μ/(1 + μ·mean) that is the first step from equal columns, up to squares of μ.
        """
        k, n = self.sizes
        part = 1.0 / (1.0 + stake * self.mean)
        most = 0.9 / max(self.off, 1e-300)
        tilt = min(max(stake * part, -most), most)
        needed = (n - k) + part * (k + stake * (self.down - tilt * self.tilted))
        return np.asarray(1.0 / needed)


def _wins(weight: _FLOATS, below: _INT, not_above: _INT, positive: bool) -> _FLOATS:
    """For each row the weight of what it wins against, or of what wins against it."""
    through = np.concatenate(([0.0], np.cumsum(weight)))
    under = through[below]
    if not_above is not below:
        under = (under + through[not_above]) / 2.0
    return under if positive else through[-1] - under


def _ranks(ascending: NDArray[Any], score: NDArray[Any]) -> tuple[_INT, _INT]:
    """How many lie below each score and how many not above it, one array if that is the same."""
    below, not_above = ascending.searchsorted(score), ascending.searchsorted(score, side="right")
    return below, below if np.array_equal(below, not_above) else not_above


def log_mean_product(sums: PairSums, stake: float, margins: Margins) -> float:
    """A number up to ln of the mean of Π(1 + μd) over all matchings, where all 1 + μd are positive.

    A matching gives each of the k rows a column of its own out of n ≥ k. With n−k rows of ones
    added, which change no product, the mean is per(C)/n!, C the n × n table of 1 + μd. Let r and c
    be positive and B_ij = r_i·C_ij·c_j.

    If all rows and columns of B sum to 1, per(B) ≥ n!/n^n: van der Waerden's conjecture, proved by
    Egorychev and by Falikman (both 1981). So the mean is at least Π(1/r_i)·Π(1/c_j)/n^n. Little is
    lost: with C_ij = 1 + ε_ij, and ε_ij of mean 0 along rows and columns, the mean of Π(1 + ε) over
    the matchings is 1 up to a term of the size of ε².

    Rows and columns are scaled in turn (Sinkhorn). When the rows sum to 1 and the columns to s_j,
    let c* be the columns' factors in the limit. Along row i the logarithm is concave, so
    ln(Cc*)_i ≥ ln(Cc)_i + Σ_j B_ij·ln(c*_j/c_j), and in sum

        Σ ln(Cc*)_i − Σ ln c*_j ≥ Σ ln(Cc)_i − Σ ln c_j + Σ_j (s_j−1)·ln(c*_j/c_j).

    The left side, less n·ln n, is the logarithm of the bound. Factors c that are one over a
    weighted sum of a column differ by the ratio κ of the largest and the smallest
    entry at most, so the logarithms of c*_j/c_j lie in an interval of length 2 ln κ, and as
    Σ(s_j−1) = 0 the last sum is at least −Σ|s_j−1|·ln κ. That is taken off, wherever one stops.

    Two rows and two columns; d is 1, 0 in the first row and 0, -1 in the second:

    >>> a = WinSums.of(np.array([3, 1]), np.array([2, 2]))
    >>> b = WinSums.of(np.array([3, 3]), np.array([4, 2]))
    >>> sums = WinDifferences(a, b)
    >>> found = log_mean_product(sums, 0.5, Margins.of(sums))
    >>> round(found, 3), round(float(np.log((1.5 * 0.5 + 1.0 * 1.0) / 2)), 3)
    (-0.142, -0.134)
    """
    small, large = sums.copies
    k, n = float(small.sum()), float(large.sum())
    ratio = sums.spread(stake)
    column = margins.column(stake)
    best = -math.inf
    for _ in range(_STEPS):
        every = large * column
        total = float(every.sum())
        row = 1.0 / (total + stake * sums.across(every))
        each = small * row
        needed = each.sum() + (n - k) / total + stake * sums.down(each)
        # sums, not dot products: those wait for threads, which many cores in use make slow
        lost = float((large * np.abs(column * needed - 1.0)).sum()) * ratio
        found = (n - k) * math.log(total) - float((small * np.log(row)).sum())
        found -= float((large * np.log(column * n)).sum())
        best = max(best, found - lost)
        if lost < ENOUGH:
            break
        column = 1.0 / needed
    return best - ROUNDING * max(n / 1e6, 1.0)

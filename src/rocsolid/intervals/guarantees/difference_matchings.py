from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.placements import checked_scores
from rocsolid.results import Alternative
from rocsolid.results.interval import ROWS, Interval

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.intp]
ENOUGH = 1e-2  # of the logarithm: what may be lost by scaling no further
ROUNDING = 1e-6  # of the logarithm, far above what the roundings of a million rows add up to
UNSEEN = 50.0  # of the logarithm: earnings that are this far below the owed ones change no digit
_STEPS = 500


class PairSums(Protocol):
    """Weighted sums of a number d_ij in [−1, 1] of each pair, i of the smaller class.

    ``copies`` contains the numbers of equal rows at each position, of the smaller and of the larger
    class. ``spread`` is an upper bound for ln((1 + μd)/(1 + μd′)).
    """

    @property
    def copies(self) -> tuple[_FLOATS, _FLOATS]: ...
    def spread(self, stake: float) -> float: ...
    def across(self, weight: _FLOATS) -> _FLOATS:
        """Return Σ_j d_ij·weight_j for each i."""

    def down(self, weight: _FLOATS) -> _FLOATS:
        """Return Σ_i weight_i·d_ij for each j."""


@dataclass(frozen=True, slots=True, eq=False)
class WinSums:
    """Weighted sums of φ_ij, i a row of the smaller class and j a row of the larger class.

    In sorted order a sum of φ is a difference of prefix sums. For each class, its order is stored,
    and for each of its rows the numbers of rows of the other class below it and not above it.
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
        ascending_small, ascending_large = small.take(by_small), large.take(by_large)
        return cls(
            (by_small, *_ranks(ascending_large, ascending_small, by_small)),
            (by_large, *_ranks(ascending_small, ascending_large, by_large)),
            fewer,
        )

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.small[0]), len(self.large[0])

    def across(self, weight: _FLOATS) -> _FLOATS:
        return _wins(weight.take(self.large[0]), *self.small[1:], self.positives_small)

    def down(self, weight: _FLOATS) -> _FLOATS:
        return _wins(weight.take(self.small[0]), *self.large[1:], not self.positives_small)


@dataclass(frozen=True, slots=True, eq=False)
class WinDifferences:
    """Weighted sums of d = φ − φ′, for two scores of the same rows."""

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
    """Starting values of the scaling for every stake, so close that one step usually suffices."""

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

    @property
    def reversed(self) -> Margins:
        """The margins of −d, to the last bit."""
        return Margins(-self.mean, self.off, -self.down, self.tilted, self.sizes)

    def column(self, stake: float) -> _FLOATS:
        """Return one over the column sums, rows weighted by (1 − t(d̄_i − mean))/(1 + μ·mean) ≥ 0.

        With t = μ/(1 + μ·mean) this is the first step from equal columns, up to squares of μ.
        """
        k, n = self.sizes
        part = 1.0 / (1.0 + stake * self.mean)
        most = 0.9 / max(self.off, 1e-300)
        tilt = min(max(stake * part, -most), most)
        needed = (n - k) + part * (k + stake * (self.down - tilt * self.tilted))
        return np.asarray(1.0 / needed)


def _wins(weight: _FLOATS, below: _INT, not_above: _INT, positive: bool) -> _FLOATS:
    """Return for each row the weight of the rows that it beats, or of those that beat it."""
    through = np.zeros(len(weight) + 1)
    np.cumsum(weight, out=through[1:])
    under = through.take(below)
    if not_above is not below:
        under = (under + through.take(not_above)) / 2.0
    return under if positive else through[-1] - under


def _ranks(ascending: NDArray[Any], score: NDArray[Any], rows: _INT) -> tuple[_INT, _INT]:
    """Return the numbers below and not above each score, as one array if they are the same.

    ``score`` ascends too, which halves the time of a search; ``rows`` are its places in the result.
    """
    left, right = ascending.searchsorted(score), ascending.searchsorted(score, side="right")
    below, not_above = np.empty((2, len(rows)), dtype=np.intp)
    below[rows], not_above[rows] = left, right
    return below, below if np.array_equal(left, right) else not_above


def log_mean_product(
    sums: PairSums, stake: float, margins: Margins, useless: float = -math.inf
) -> float:
    """Bound from below ln of the mean of Π(1 + μd) over all matchings, with all 1 + μd positive.

    With n−k rows of ones added the mean is per(C)/n!, C the n × n table of 1 + μd. If all rows and
    columns of r_i·C_ij·c_j sum to 1, the mean is at least Π(1/r_i)·Π(1/c_j)/n^n (van der Waerden's
    bound; Egorychev 1981, Falikman 1981).

    Rows and columns are scaled in turn (Sinkhorn). Where the rows sum to 1 and the columns to s_j,
    more scaling lowers the bound by at most Σ|s_j−1|·ln κ, which is subtracted; κ is the ratio of
    the largest to the smallest entry. Before the subtraction no bound is below the last one, so
    scaling ends where it is less than ``useless``.

    In the example d is 1, 0 in the first row and 0, -1 in the second:

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
        bound = (n - k) * math.log(total) - float((small * np.log(row)).sum())
        bound -= float((large * np.log(column * n)).sum())
        best = max(best, bound - lost)
        if lost < ENOUGH or bound < useless:
            break
        column = 1.0 / needed
    return best - ROUNDING * max(n / 1e6, 1.0)


SOURCE = (
    "Hoeffding 1963, section 5 (blocks), with bets averaged over all matchings (van der Waerden's "
    "bound for permanents, Egorychev 1981 and Falikman 1981)"
)
RANGE = (-1.0, 1.0)
MOST = 2_000_000  # rows: some five seconds a difference

# Stakes in units of √(2 ln(1/δ)/k). The best is one over the standard deviation of the mean of d
# over k pairs, times √k, which for two models of the same rows is some .3 to .02.
_FIRST, _APART, _HOW_MANY, _LARGEST = 3.0, 4.0, 4, 0.95
CLAIM = Claim("difference-matchings", SOURCE, reads=ROWS, range=RANGE)


def difference_matchings(
    pos_a: ArrayLike,
    neg_a: ArrayLike,
    pos_b: ArrayLike,
    neg_b: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for Δ = A_a − A_b from two scores a and b of each row, in the same row order.

    Let E_μ be the mean of Π(1 + μd), d = φ_a − φ_b, over **all** matchings of the k rows of the
    smaller class with rows of the larger class. The expectation of E_μ is (1 + μΔ)^k. For every Δ ≤
    a, Σ w·E_μ/(1 + μa)^k reaches 1/δ with probability at most δ; the weights w and the stakes μ in
    (0, 1) depend only on k and δ. The lower limit is the a at which the sum equals 1/δ. E_μ is a
    permanent and is replaced by a lower bound (`log_mean_product`).

    The limits follow the variance that DeLong's method estimates, not the variance of a single
    pair.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 400), rng.normal(0, 1, 400)
    >>> print(difference_matchings(pos, neg, pos + rng.normal(0, 1, 400), neg))
    [0.0270, 0.0852] at 95 % (difference-matchings)
    """
    a, b = win_sums(_checked(pos_a, pos_b, "pos"), _checked(neg_a, neg_b, "neg"))
    return matched_difference(a, b, delta, alternative)


def matched_difference(a: WinSums, b: WinSums, delta: float, alternative: Alternative) -> Interval:
    share = tail_share(delta, alternative)
    margins = Margins.of(WinDifferences(a, b))
    low = -1.0 if alternative == "less" else _lower(a, b, share, margins)
    high = 1.0 if alternative == "greater" else -_lower(b, a, share, margins.reversed)
    return CLAIM.interval((low, high), delta)


def win_sums(pos: Sequence[NDArray[Any]], neg: Sequence[NDArray[Any]]) -> list[WinSums]:
    """Return the sums of wins for several scores of the same rows.

    Rows are sorted by all scores first, so that not even rounding depends on their order.
    """
    orders = [np.lexsort(tuple(each)) for each in (pos, neg)]
    return [WinSums.of(p[orders[0]], n[orders[1]]) for p, n in zip(pos, neg, strict=True)]


def stakes(k: int, share: float) -> NDArray[np.float64]:
    """Return a few stakes μ, from the sizes alone.

    >>> stakes(20, 0.025), stakes(10_000, 0.025).round(2)
    (array([0.95]), array([0.08, 0.33, 0.95]))
    """
    unit = np.sqrt(-2.0 * np.log(share) / k)
    return np.unique(np.minimum(unit * _FIRST * _APART ** np.arange(_HOW_MANY), _LARGEST))


def log_earned(
    better: WinSums, worse: WinSums, share: float, margins: Margins | None = None
) -> Callable[[float], float]:
    """Return ln of the earnings of bets on better − worse if Δ were a; their mean is at most 1.

    A larger stake counts only if it earns something at the limit that the first one has alone.
    """
    k = better.sizes[0]
    each = stakes(k, share)
    sums = WinDifferences(better, worse)
    start = Margins.of(sums) if margins is None else margins
    owed = math.log(len(each) / share)
    won: list[float] = []
    for stake in each.tolist():
        useless = -math.inf
        if won:
            limit = math.expm1((won[0] - owed) / k) / each[0]
            useless = owed - UNSEEN + k * math.log1p(stake * max(limit, -1.0))
        won.append(log_mean_product(sums, stake, start, useless))
    return lambda a: float(np.logaddexp.reduce(won - k * np.log1p(each * a)) - np.log(len(each)))


def _lower(better: WinSums, worse: WinSums, share: float, margins: Margins) -> float:
    earned = log_earned(better, worse, share, margins)
    return _last_refused(lambda a: bool(earned(a) >= -np.log(share)), 1e-12)


def _last_refused(refused: Callable[[float], bool], close: float) -> float:
    """Return the largest difference that is refused, from below, by bisection."""
    low, high = -1.0, 1.0
    while high - low > close:
        middle = (low + high) / 2.0
        low, high = (middle, high) if refused(middle) else (low, middle)
    return low


def _checked(a: ArrayLike, b: ArrayLike, name: str) -> list[NDArray[Any]]:
    both = [checked_scores(scores, f"{name}_{which}") for scores, which in ((a, "a"), (b, "b"))]
    if len(both[0]) != len(both[1]):
        raise InputError(
            "the two scores do not have the same number of rows",
            where=name,
            value=(len(both[0]), len(both[1])),
            fix="give both scores for each row",
        )
    return both


STAKES = 0.9 * 0.5 ** np.arange(8.0)
"""From large differences between alike scores to .01 between unlike ones."""


def earned_on_queries(d: _FLOATS) -> list[_FLOATS]:
    """Return Σ ln(1 + μd) at each stake μ, for a bet on A and for a bet on B.

    >>> [won[0].round(4).item() for won in earned_on_queries(np.array([0.5, 0.5]))]
    [0.7431, -1.1957]
    """
    return [np.log1p(np.multiply.outer(STAKES, sign * d)).sum(axis=1) for sign in (1.0, -1.0)]


def earned_on_rows(pos: _FLOATS, neg: _FLOATS) -> tuple[list[_FLOATS], float]:
    """Return the bets for two scores of both classes, averaged over all matchings, and A − B.

    >>> pos, neg = np.array([[2.0, 0.0]]), np.array([[1.0, 1.0]])  # A wins the pair, B loses it
    >>> won, difference = earned_on_rows(pos, neg)
    >>> round(won[0][0].item(), 4), difference
    (0.6419, 1.0)
    """
    sums = win_sums(list(pos.T), list(neg.T))
    forward = Margins.of(WinDifferences(*sums))
    won = []
    for (one, other), margins in ((sums, forward), (sums[::-1], forward.reversed)):
        bets = WinDifferences(one, other)
        won.append(np.array([log_mean_product(bets, float(s), margins) for s in STAKES]))
    return won, forward.mean


def lower_limit(earned: Sequence[float], pairs: int, error: float) -> float:
    owed = math.log(1.0 / error) + math.log(len(STAKES))

    def refused(a: float) -> bool:
        left = np.array(earned) - pairs * np.log1p(STAKES * a)
        return bool(np.logaddexp.reduce(left) >= owed)

    return _last_refused(refused, 1e-9)

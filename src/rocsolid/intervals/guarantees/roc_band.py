"""A pointwise band for the ROC curve that holds at every sample size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.checks import IID, check_delta
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RocBand:
    """Limits for the true curve's true-positive rate at each false-positive rate of a grid.

    ``pointwise`` says that the level holds at each rate by itself, not for the whole curve at once.
    """

    fpr: _FLOATS
    low: _FLOATS
    high: _FLOATS
    level: float
    method: str = "order statistics and Clopper-Pearson"
    pointwise: bool = True
    assumptions: tuple[str, ...] = IID


def pointwise_band(counts: ScoreCounts, fpr: _FLOATS, level: float = 0.95) -> RocBand:
    """At each false-positive rate t an interval for roc(t), exact for every distribution.

    Let c be the (1−t)-quantile of the negatives' scores. Two order statistics of the negatives
    enclose c: each side fails with probability at most δ/4, by binomial tails. Given them, the
    numbers of positives above the upper and at or above the lower one are binomial, and
    Clopper-Pearson limits with δ/4 each finish it: roc(t) lies between P(X > c) and P(X ≥ c), ties
    joined by segments included. The level holds at each t, not for all t together.

    >>> table = ScoreCounts.from_arrays(np.arange(40) >= 20, np.arange(40.0))
    >>> band = pointwise_band(table, np.array([0.5]))
    >>> band.low.round(3), band.high
    (array([0.803]), array([1.]))
    """
    from scipy.special import betaincinv

    share = check_delta(1.0 - level) / 4.0
    m, n = int(counts.n_pos), int(counts.n_neg)
    pos_through, neg_through = np.cumsum(counts.pos), np.cumsum(counts.neg)
    upper_rank, lower_rank = _enclosing_ranks(n, 1.0 - fpr, share)
    # the r-th smallest negative sits in the first row of the table that reaches r
    at_upper = np.searchsorted(neg_through, upper_rank)
    at_lower = np.searchsorted(neg_through, np.maximum(lower_rank, 1))
    through = pos_through[np.minimum(at_upper, len(counts) - 1)]
    above = np.where(upper_rank <= n, m - through, 0)
    not_below = np.where(lower_rank >= 1, m - pos_through[at_lower] + counts.pos[at_lower], m)
    low, high = np.zeros(len(fpr)), np.ones(len(fpr))
    some = above > 0
    low[some] = betaincinv(above[some], m - above[some] + 1, share)
    some = not_below < m
    high[some] = betaincinv(not_below[some] + 1, m - not_below[some], 1.0 - share)
    return RocBand(fpr, low, high, level)


def _enclosing_ranks(
    n: int, quantile: _FLOATS, share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The smallest u with P(Bin(n, q) ≥ u) ≤ share and the largest l with P(Bin(n, q) < l) ≤ share.

    u is n + 1 and l is 0 where no order statistic will do.

    >>> _enclosing_ranks(20, np.array([0.5]), 0.0125)
    (array([16]), array([5]))
    """
    upper = np.zeros(len(quantile), dtype=np.int64)
    lower = np.zeros(len(quantile), dtype=np.int64)
    for at, q in enumerate(quantile.tolist()):
        # bdtr(k, n, q) = P(Bin ≤ k) ascends in k: bisect for the first k that reaches a level
        upper[at] = _first_reaching(n, q, 1.0 - share) + 1
        # P(Bin < l) = P(Bin ≤ l − 1) stays below the share up to the first k that reaches it
        lower[at] = _first_reaching(n, q, share)
    return upper, lower


def _first_reaching(n: int, q: float, level: float) -> int:
    """The smallest k in 0..n with P(Bin(n, q) ≤ k) ≥ level."""
    from scipy.special import bdtr

    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if bdtr(middle, n, q) >= level:
            high = middle
        else:
            low = middle + 1
    return low

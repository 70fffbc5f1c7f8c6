"""The earnings of bets on one batch against a difference, and the limit from all earnings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.difference_matchings import win_sums
from rocsolid.intervals.guarantees.scaled_matchings import Margins, WinDifferences, log_mean_product

_FLOATS = NDArray[np.float64]
STAKES = 0.9 * 0.5 ** np.arange(8.0)
"""From large differences between alike scores to .01 between unlike ones."""


def earned_on_queries(d: _FLOATS) -> list[_FLOATS]:
    """Σ ln(1 + μd) at each stake μ, for a bet on A and for one on B.

    >>> [won[0].round(4).item() for won in earned_on_queries(np.array([0.5, 0.5]))]
    [0.7431, -1.1957]
    """
    return [np.log1p(np.multiply.outer(STAKES, sign * d)).sum(axis=1) for sign in (1.0, -1.0)]


def earned_on_rows(pos: _FLOATS, neg: _FLOATS) -> tuple[list[_FLOATS], float]:
    """The same of two scores of both classes, averaged over all matchings; and their difference.

    >>> pos, neg = np.array([[2.0, 0.0]]), np.array([[1.0, 1.0]])  # A wins the pair, B loses it
    >>> won, difference = earned_on_rows(pos, neg)
    >>> round(won[0][0].item(), 4), difference
    (0.6419, 1.0)
    """
    sums = win_sums(list(pos.T), list(neg.T))
    won = []
    for one, other in (sums, sums[::-1]):
        bets = WinDifferences(one, other)
        margins = Margins.of(bets)
        won.append(np.array([log_mean_product(bets, float(s), margins) for s in STAKES]))
    return won, Margins.of(WinDifferences(*sums)).mean


def lower_limit(earned: Sequence[float], pairs: int, error: float) -> float:
    """The a at which the earnings against Δ ≤ a are 1/error, from below, by bisection."""
    owed = math.log(1.0 / error) + math.log(len(STAKES))
    low, high = -1.0, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2.0
        left = np.array(earned) - pairs * np.log1p(STAKES * middle)
        if np.logaddexp.reduce(left) >= owed:
            low = middle
        else:
            high = middle
    return low

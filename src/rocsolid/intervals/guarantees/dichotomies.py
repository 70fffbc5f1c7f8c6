"""How many ways a class of scorers has to cut N points in two by a threshold."""

from __future__ import annotations

import math

from rocsolid.checks import whole
from rocsolid.intervals.guarantees.shatter import Finite, Linear, ScorerClass, log_regions


def log_dichotomies(scorers: ScorerClass, points: int) -> float:
    """ln Π(N), Π(N) the sets that {f ≤ t} and its complement cut out of N points.

    Linear scorers on R^d cut by hyperplanes: 2·Σ_{l≤d} C(N−1, l) ways (Cover 1965), ties among
    the points only lower it. Each of K scorers has 2N ways. For other classes Π(N) ≤ 2(s + 1),
    s = s(F˘, N) of Agarwal et al. 2005: {f ≤ t} is empty, or {f ≤ f(z)} with z the highest of the
    points in it, which the signs of f(x) − f(z) tell.

    >>> from rocsolid.intervals.guarantees.shatter import Finite, Linear
    >>> [round(math.exp(log_dichotomies(f, 4))) for f in (Linear(1), Linear(2), Finite(3))]
    [8, 14, 24]
    """
    n = whole(points, "points")
    if isinstance(scorers, Linear):
        return log_regions(n, scorers.dimension + 1)
    if isinstance(scorers, Finite):
        return math.log(scorers.size) + math.log(2 * n)
    return math.log(2) + float(_log1p_exp(scorers.log_threshold_patterns(n)))


def _log1p_exp(x: float) -> float:
    """ln(e^x + 1) without overflow."""
    return x + math.log1p(math.exp(-x)) if x > 0 else math.log1p(math.exp(x))

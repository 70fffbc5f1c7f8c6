"""Certified limits for a concordance, from blocks of pairs that may not be comparable."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.intervals.guarantees.checks import FIXED_SCORER, INDEPENDENT, check_value, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import kl_lower
from rocsolid.results import Alternative, Interval

SOURCE = "Hoeffding 1963, Theorem 1 and section 5 (blocks of independent pairs), for a ratio"
ASSUMPTIONS = (INDEPENDENT, "rows identically distributed", FIXED_SCORER)

FOR_COMPARABLE = 0.05
"""The part of the error for the unknown share of comparable pairs."""

_STEEPEST = 40.0
_STAKES = 200  # neighbours differ by 6 %, which costs at most .1 % of the exponent
CLAIM = Claim("ordered-pairs", SOURCE, ASSUMPTIONS)


def ordered_pairs(
    concordance: float,
    comparable: float,
    rows: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for C = P(correctly ordered | different outcomes), with ties counted one half.

    For a pair of rows let D be 1 if the outcomes differ, else 0, and N be D, D/2 or 0 if the scores
    agree with the outcomes, are equal, or disagree. C = EN/ED; ``concordance`` is Ĉ, and
    ``comparable`` is p̂, the mean of D over all pairs, with the exponential moment bounds of k =
    ⌊rows/2⌋ independent pairs (Hoeffding 1963).

    Let P be the relative-entropy upper limit of ED at δ/20, and G(c) = ln(1 − c + ce^λ) − λc. By
    convexity of e^{λ(N−cD)}, c < Ĉ is rejected if for some λ

        −λp̂(Ĉ − c) + ln(1 − P + Pe^{G(c)}) < ln(19δ/20)/k.

    For λ with 1 − e^{−λ} ≥ λq/(1+q), q = √(1−P), the left side is concave in c and not negative at
    Ĉ, so the rejected c are an initial piece. Only these λ are used. The upper limit is the lower
    limit of the reversed score. For two outcomes the bounds for an AUC are tighter.

    >>> print(ordered_pairs(0.8, 1.0, 200))
    [0.6775, 0.8933] at 95 % (ordered-pairs)
    """
    value = check_value(concordance, "concordance")
    differing, k = check_value(comparable, "comparable"), whole(rows, "rows") // 2
    share = tail_share(delta, alternative)
    low = 0.0 if alternative == "less" else _lower(value, differing, k, share)
    high = 1.0 if alternative == "greater" else 1.0 - _lower(1.0 - value, differing, k, share)
    return CLAIM.interval((low, high), delta)


def _lower(value: float, differing: float, k: int, share: float) -> float:
    """Return the end of the initial piece of rejected values, from below."""
    if k == 0:
        return 0.0
    bound = -math.log(FOR_COMPARABLE * share) / k
    most = 1.0 - float(kl_lower(np.array([1.0 - differing]), np.array([bound]))[0])
    stake = _stakes(most)
    limit = math.log((1.0 - FOR_COMPARABLE) * share) / k
    low, high = 0.0, value
    for _ in range(60):
        middle = 0.5 * (low + high)
        grown = np.log1p(middle * np.expm1(stake)) - stake * middle
        left = np.log1p(most * np.expm1(grown)) - stake * differing * (value - middle)
        low, high = (middle, high) if left.min() < limit else (low, middle)
    return low


def _stakes(most: float) -> NDArray[np.float64]:
    """Return the λ for which the rejected values are an initial piece."""
    stake = np.geomspace(_STEEPEST * 1.06 ** (1 - _STAKES), _STEEPEST, _STAKES)
    rest = math.sqrt(max(1.0 - most, 0.0))
    return np.asarray(stake[-np.expm1(-stake) >= stake * rest / (1.0 + rest)])

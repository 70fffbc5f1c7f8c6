"""McDiarmid's inequality for the AUC: ε = √(ln(2/δ)(m+n)/(2mn))."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.checks import (
    FIXED_SCORER,
    INDEPENDENT,
    check_sizes,
    check_value,
    log_inverse_share,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.deviation import Deviation
from rocsolid.intervals.guarantees.sides import Limits, symmetric
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import VALUE

SOURCE = "Agarwal et al. 2005, Theorem 5 and Corollary 6 (Theorem 8: random labels)"
ASSUMPTIONS = (INDEPENDENT, FIXED_SCORER)
CLAIM = Claim("mcdiarmid", SOURCE, ASSUMPTIONS, VALUE)


def mcdiarmid(
    auc: float, n_pos: int, n_neg: int, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """Theorem 5, P(|Â−A| ≥ ε) ≤ 2exp(−2mnε²/(m+n)), solved for ε (Corollary 6).

    With ρ = m/N it reads ε = √(ln(2/δ)/(2ρ(1−ρ)N)). By Theorem 8 the same interval holds with the
    observed ρ when the labels are random too. It needs independent rows only, and is then about
    E Â; ``hoeffding`` is never wider where rows of one class are alike.

    >>> print(mcdiarmid(0.8, 100, 400))
    [0.6482, 0.9518] at 95 % (mcdiarmid)
    """
    m, n = check_sizes(n_pos, n_neg)
    return CLAIM.interval(mcdiarmid_limits(check_value(auc), m, n, delta, alternative), delta)


def mcdiarmid_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """ε of Corollary 6, the same for every AUC.

    >>> round(float(mcdiarmid_deviation(100, 400)), 4)
    0.1518
    """
    m, n = check_sizes(n_pos, n_neg)
    if auc is not None:
        check_value(auc)
    return CLAIM.deviation(mcdiarmid_epsilon(m, n, delta), delta)


def mcdiarmid_epsilon(
    n_pos: ArrayLike, n_neg: ArrayLike, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> NDArray[np.float64]:
    """√(ln(2/δ)/2·(1/m+1/n)), or with ln(1/δ) for one limit; arrays and effective sizes welcome."""
    inverse = 1 / np.asarray(n_pos, dtype=np.float64) + 1 / np.asarray(n_neg, dtype=np.float64)
    return np.asarray(np.sqrt(log_inverse_share(delta, alternative) / 2 * inverse))


def mcdiarmid_limits(
    auc: ArrayLike,
    n_pos: ArrayLike,
    n_neg: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Limits:
    """The limits for arrays, broadcast against each other."""
    return symmetric(auc, mcdiarmid_epsilon(n_pos, n_neg, delta, alternative), alternative)

"""Hoeffding's inequality for blocks: ε = √(ln(2/δ)/(2k)), k = min(m, n)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.checks import check_sizes, check_value, log_inverse_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.deviation import Deviation
from rocsolid.intervals.guarantees.sides import Limits, symmetric
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import VALUE

SOURCE = "Hoeffding 1963, section 5 (blocks of independent pairs)"
CLAIM = Claim("hoeffding-blocks", SOURCE, reads=VALUE)


def hoeffding(
    auc: float, n_pos: int, n_neg: int, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """P(Â−A ≥ ε) ≤ exp(−2kε²): the AUC is an average of means of k independent pairs.

    As k ≥ mn/(m+n), it is never wider than ``mcdiarmid``, and shorter by √2 where m = n.

    >>> print(hoeffding(0.8, 100, 400))
    [0.6642, 0.9358] at 95 % (hoeffding-blocks)
    """
    m, n = check_sizes(n_pos, n_neg)
    return CLAIM.interval(hoeffding_limits(check_value(auc), min(m, n), delta, alternative), delta)


def hoeffding_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """ε of ``hoeffding``, the same for every AUC.

    >>> round(float(hoeffding_deviation(100, 400)), 4)
    0.1358
    """
    k = min(check_sizes(n_pos, n_neg))
    if auc is not None:
        check_value(auc)
    return CLAIM.deviation(hoeffding_epsilon(k, delta), delta)


def hoeffding_epsilon(
    k: ArrayLike, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> NDArray[np.float64]:
    """√(ln(2/δ)/(2k)), or with ln(1/δ) for one limit; arrays welcome."""
    size = np.asarray(k, dtype=np.float64)
    return np.asarray(np.sqrt(log_inverse_share(delta, alternative) / (2 * size)))


def hoeffding_limits(
    auc: ArrayLike, k: ArrayLike, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Limits:
    """The limits for arrays of AUCs and of k = min(m, n), broadcast against each other."""
    return symmetric(auc, hoeffding_epsilon(k, delta, alternative), alternative)

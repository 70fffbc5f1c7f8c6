"""Bounds from the AUC and the class sizes: Hoeffding's, relative entropy and McDiarmid's."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.checks import (
    FIXED_SCORER,
    INDEPENDENT,
    Deviation,
    Limits,
    check_deviation,
    check_sizes,
    check_value,
    deviation_at,
    log_inverse_share,
    mirrored,
    symmetric,
    tail_share,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.results import Alternative
from rocsolid.results.interval import VALUE, Interval

SOURCE = "Hoeffding 1963, section 5 (blocks of independent pairs)"
CLAIM = Claim("hoeffding-blocks", SOURCE, reads=VALUE)


def hoeffding(
    auc: float, n_pos: int, n_neg: int, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """Return the limits Â ± √(ln(2/δ)/(2k)): P(Â−A ≥ ε) ≤ exp(−2kε²).

    The AUC is an average of means of k independent pairs. As k ≥ mn/(m+n), the interval is never
    wider than ``mcdiarmid``.

    >>> print(hoeffding(0.8, 100, 400))
    [0.6642, 0.9358] at 95 % (hoeffding-blocks)
    """
    m, n = check_sizes(n_pos, n_neg)
    return CLAIM.interval(hoeffding_limits(check_value(auc), min(m, n), delta, alternative), delta)


def hoeffding_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """Return the deviation ε of ``hoeffding``, which is the same for every AUC."""
    k = min(check_sizes(n_pos, n_neg))
    if auc is not None:
        check_value(auc)
    return CLAIM.deviation(hoeffding_epsilon(k, delta), delta)


def hoeffding_epsilon(
    k: ArrayLike, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> NDArray[np.float64]:
    size = np.asarray(k, dtype=np.float64)
    return np.asarray(np.sqrt(log_inverse_share(delta, alternative) / (2 * size)))


def hoeffding_limits(
    auc: ArrayLike, k: ArrayLike, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Limits:
    return symmetric(auc, hoeffding_epsilon(k, delta, alternative), alternative)


KL_SOURCE = "Hoeffding 1963, Theorem 1 and section 5 (blocks of independent pairs)"
TINY = 1e-15
KL_CLAIM = Claim("kl", KL_SOURCE, reads=VALUE)


def kl(
    auc: float, n_pos: int, n_neg: int, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """Return Hoeffding's relative-entropy limits for a mean of k independent pairs.

    The interval is never wider than ``hoeffding`` and never shorter than ``hinge``.

    >>> print(kl(0.8, 100, 400))
    [0.6784, 0.8928] at 95 % (kl)
    """
    m, n = check_sizes(n_pos, n_neg)
    return KL_CLAIM.interval(kl_limits(check_value(auc), min(m, n), delta, alternative), delta)


def kl_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """Return the distance from the AUC to the farther limit of ``kl``, by default the largest."""
    k = min(check_sizes(n_pos, n_neg))
    if auc is None:
        epsilon = _largest(-math.log(tail_share(delta, "two-sided")) / k)
    else:
        epsilon = deviation_at(lambda x: kl_limits(x, k, delta), auc)
    return KL_CLAIM.deviation(epsilon, delta)


def _largest(bound: float) -> float:
    """Return max over x of x − L(x), the distance from an AUC to its lower limit.

    kl(x‖a) is convex in both arguments jointly, so L is convex and x − L concave, and the maximum
    is next to the best point of any grid.
    """
    low, high, best = 0.0, 1.0, 0.0
    while high - low > 1e-9:  # closer, x − L differs by less than the rounding of L
        x = np.linspace(low, high, 33)
        distance = x - kl_lower(x, np.full(33, bound))
        at = int(np.argmax(distance))
        low, high, best = x[max(at - 1, 0)], x[min(at + 1, 32)], float(distance[at])
    return best


def kl_limits(
    auc: ArrayLike, k: ArrayLike, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Limits:
    estimate, size = np.broadcast_arrays(
        np.asarray(auc, dtype=np.float64), np.asarray(k, dtype=np.float64)
    )
    return mirrored(
        lambda x, share: kl_lower(x, -np.log(share) / size), estimate, delta, alternative
    )


def kl_lower(x: NDArray[np.float64], bound: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the smallest a ≤ x with kl(x‖a) ≤ bound, from below.

    With s = logit(a), kl(x‖a) = −H(x) − xs + ln(1+eˢ) is convex in s. From its second iterate on,
    Newton's method therefore stays on the side where kl is too large; the last line subtracts
    rounding. A value or a bound below 1e-15 is moved outward.
    """
    # at x = 0 and x = 1 the limit has a closed form, and NaN stays NaN
    limit = np.where(x == 1.0, np.exp(-bound), np.where(x <= TINY, 0.0, np.nan))
    inner = (x > TINY) & (x < 1.0)
    if not inner.any():
        return limit
    x, bound = x[inner], np.maximum(np.broadcast_to(bound, inner.shape)[inner], TINY)
    minus_entropy = x * np.log(x) + (1 - x) * np.log1p(-x)
    s = np.log(x) - np.log1p(-x) - np.sqrt(2 * bound / (x * (1 - x)))
    for _ in range(100):
        gap = x - _expit(s)
        step = (minus_entropy - x * s + np.logaddexp(0.0, s) - bound) / gap
        s += step
        if np.all(np.abs(step) <= 1e-14 * (1 + np.abs(s)) / gap):
            break
    limit[inner] = _expit(s - 1e-15 * (1 + np.abs(s)) / gap)
    return limit


def _expit(s: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):  # e^∞ is meant: the limit is then 0
        return np.asarray(1 / (1 + np.exp(-s)))


MCDIARMID_SOURCE = "Agarwal et al. 2005, Theorem 5 and Corollary 6 (Theorem 8: random labels)"
ASSUMPTIONS = (INDEPENDENT, FIXED_SCORER)
MCDIARMID_CLAIM = Claim("mcdiarmid", MCDIARMID_SOURCE, ASSUMPTIONS, VALUE)


def mcdiarmid(
    auc: float, n_pos: int, n_neg: int, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """Return the limits Â ± √(ln(2/δ)(m+n)/(2mn)): P(|Â−A| ≥ ε) ≤ 2exp(−2mnε²/(m+n)).

    By Theorem 8 the same interval holds if the labels are random. Only independent rows are
    required; without identical distributions the limits are for E Â.

    Reference: Agarwal et al. 2005, Theorem 5 and Corollary 6.

    >>> print(mcdiarmid(0.8, 100, 400))
    [0.6482, 0.9518] at 95 % (mcdiarmid)
    """
    m, n = check_sizes(n_pos, n_neg)
    return MCDIARMID_CLAIM.interval(
        mcdiarmid_limits(check_value(auc), m, n, delta, alternative), delta
    )


def mcdiarmid_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """Return the deviation ε of ``mcdiarmid``, which is the same for every AUC."""
    m, n = check_sizes(n_pos, n_neg)
    if auc is not None:
        check_value(auc)
    return MCDIARMID_CLAIM.deviation(mcdiarmid_epsilon(m, n, delta), delta)


def mcdiarmid_tail(epsilon: float, n_pos: int, n_neg: int) -> float:
    """Bound the probability that the AUC of a fixed scorer is off by ε or more.

    The bound is 2exp(−2mnε²/(m+n)), cut off at 1 (Agarwal et al. 2005, Theorem 5).

    >>> round(mcdiarmid_tail(0.1, 100, 400), 5)
    0.40379
    """
    m, n = check_sizes(n_pos, n_neg)
    check_deviation(epsilon)
    return min(1.0, 2.0 * math.exp(-2.0 * epsilon**2 / (1 / m + 1 / n)))


def mcdiarmid_epsilon(
    n_pos: ArrayLike, n_neg: ArrayLike, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> NDArray[np.float64]:
    inverse = 1 / np.asarray(n_pos, dtype=np.float64) + 1 / np.asarray(n_neg, dtype=np.float64)
    return np.asarray(np.sqrt(log_inverse_share(delta, alternative) / 2 * inverse))


def mcdiarmid_limits(
    auc: ArrayLike,
    n_pos: ArrayLike,
    n_neg: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Limits:
    return symmetric(auc, mcdiarmid_epsilon(n_pos, n_neg, delta, alternative), alternative)

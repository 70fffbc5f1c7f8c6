"""Blocks with the binomial relative entropy: {A : kl(Â‖A) ≤ ln(2/δ)/k}."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.checks import check_sizes, check_value, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.deviation import Deviation, deviation_at
from rocsolid.intervals.guarantees.sides import Limits, mirrored
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import VALUE

SOURCE = "Hoeffding 1963, Theorem 1 and section 5 (blocks of independent pairs)"
TINY = 1e-15
CLAIM = Claim("kl", SOURCE, reads=VALUE)


def kl(
    auc: float, n_pos: int, n_neg: int, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """Hoeffding's relative-entropy bound for a mean of k = min(m, n) independent pairs.

    The AUC is an average, over the ways to match the smaller class into the larger, of means of k
    independent pairs, so any exponential moment bound for such a mean holds for the AUC. Never
    wider than ``hoeffding``, never tighter than ``hinge``.

    >>> print(kl(0.8, 100, 400))
    [0.6784, 0.8928] at 95 % (kl)
    """
    m, n = check_sizes(n_pos, n_neg)
    return CLAIM.interval(kl_limits(check_value(auc), min(m, n), delta, alternative), delta)


def kl_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """How far the farther limit of ``kl`` lies from the AUC; without an AUC, the largest such."""
    k = min(check_sizes(n_pos, n_neg))
    if auc is None:
        epsilon = _largest(-math.log(tail_share(delta, "two-sided")) / k)
    else:
        epsilon = deviation_at(lambda x: kl_limits(x, k, delta), auc)
    return CLAIM.deviation(epsilon, delta)


def _largest(bound: float) -> float:
    """max over x of x − L(x), the distance from an AUC to its lower limit.

    kl(x‖a) is convex in both together, so the pairs with kl(x‖a) ≤ bound form a convex set, its
    lower edge L is convex and x − L concave: the maximum lies beside the best point of any grid.
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
    """The limits for arrays of AUCs and of k = min(m, n), broadcast against each other."""
    estimate, size = np.broadcast_arrays(
        np.asarray(auc, dtype=np.float64), np.asarray(k, dtype=np.float64)
    )
    return mirrored(
        lambda x, share: kl_lower(x, -np.log(share) / size), estimate, delta, alternative
    )


def kl_lower(x: NDArray[np.float64], bound: NDArray[np.float64]) -> NDArray[np.float64]:
    """The smallest a ≤ x with kl(x‖a) ≤ bound, from below.

    With s = logit(a), kl(x‖a) = −H(x) − xs + ln(1+eˢ) is convex in s, so from its second iterate on
    Newton's method stays on the side where kl is too large: the limit is never inside the true one
    by more than rounding, for which the last line allows. What a double cannot tell from 0 (a value
    or a bound below 1e-15) is moved outward.
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

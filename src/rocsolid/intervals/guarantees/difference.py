from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import (
    FIXED_SCORER,
    Limits,
    check_alternative,
    check_delta,
    check_difference,
    check_sizes,
    check_value,
    log_inverse_share,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import kl_lower
from rocsolid.results import Alternative
from rocsolid.results.interval import CLUSTERS, WEIGHTS, Interval

SOURCE = "Hoeffding 1963, Theorem 1 and section 5 (blocks), with a trinomial for each pair"
RANGE = (-1.0, 1.0)
CLAIM = Claim("trinomial", SOURCE, range=RANGE)


def difference(
    difference: float,
    disagreement: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for Δ = A_a − A_b from the difference and the mean disagreement of two scores.

    ``difference`` is Δ̂, and ``disagreement`` is the mean of |φ_a − φ_b| over all pairs, or over
    whole matchings of the smaller class into the larger that were drawn without looking at the
    scores. For a pair, d = φ_a − φ_b has the mean Δ, and E|d| = q. As e^{λd} ≤ 1 + |d|(cosh λ − 1)
    + d sinh λ,

        P(Δ̂ ≥ x) ≤ inf_λ e^{−λkx}(1 + q(cosh λ − 1) + Δ sinh λ)^k.

    The relative-entropy upper limit q_U replaces the unknown q. q_U and each limit fail with δ/3
    (δ/2 for a one-sided limit).

    >>> print(difference(0.02, 0.05, 400, 400))
    [-0.0219, 0.0598] at 95 % (trinomial)
    >>> print(difference(0.02, 0.30, 400, 400))
    [-0.0663, 0.1055] at 95 % (trinomial)
    """
    m, n = check_sizes(n_pos, n_neg)
    check_difference(difference)
    low, high = difference_limits(
        np.float64(difference),
        np.float64(check_value(disagreement, "disagreement")),
        np.float64(min(m, n)),
        delta,
        alternative,
    )
    return CLAIM.interval((low, high), delta)


def difference_limits(
    difference: NDArray[np.float64] | np.float64,
    disagreement: NDArray[np.float64] | np.float64,
    k: NDArray[np.float64] | np.float64,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Limits:
    """Return the limits for broadcast arrays of differences, disagreements and k = min(m, n)."""
    x, differing, size = np.broadcast_arrays(difference, disagreement, k)
    share = check_delta(delta) / (3 if check_alternative(alternative) == "two-sided" else 2)
    most = 1.0 - kl_lower(1.0 - differing, -np.log(share) / size)
    # the upper limit is the lower one of b − a, reversed
    low, minus_high = _lower(np.stack([x, -x]), most, size, share)
    return (
        -np.ones(x.shape) if alternative == "less" else low,
        np.ones(x.shape) if alternative == "greater" else -minus_high,
    )


def _lower(
    x: NDArray[np.float64], most: NDArray[np.float64], k: NDArray[np.float64], share: float
) -> NDArray[np.float64]:
    """Return the smallest Δ in [−q_U, q_U] that the bound does not reject, by bisection."""
    bound = np.log(share) / k
    low, high = np.broadcast_to(-most, x.shape), np.minimum(x, most)
    for _ in range(60):
        middle = 0.5 * (low + high)
        rejected = _log_bound(x, most, middle) < bound
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle)
    return low


def _log_bound(
    x: NDArray[np.float64], q: NDArray[np.float64], mean: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return min over λ ≥ 0 of −λx + ln(p₀ + p₊e^λ + p₋e^{−λ}), for x no smaller than the mean."""
    above, below, none = (q + mean) / 2.0, (q - mean) / 2.0, 1.0 - q
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt((x * none) ** 2 + 4.0 * above * below * (1.0 - x * x))
        # the same root twice: the one without a difference of nearly equal numbers is taken
        z = np.where(
            x > 0.0,
            (x * none + root) / (2.0 * above * (1.0 - x)),
            2.0 * below * (1.0 + x) / (root - x * none),
        )
        z = np.maximum(z, 1.0)
        inner = -x * np.log(z) + np.log(none + above * z + below / z)
    # a difference of 1 needs every pair to be won: z goes to infinity there
    return np.where(
        x >= 1.0, np.log(np.maximum(above, 1e-300)), np.where(z < np.inf, inner, -np.inf)
    )


DIFFERENCE_MCDIARMID_SOURCE = (
    "McDiarmid 1989, as in Agarwal et al. 2005, Theorem 5, for a difference"
)
ASSUMPTIONS = (
    "rows independent, or clusters where they are given",
    "weights and numbers of rows in a cluster fixed without regard to the scores",
    FIXED_SCORER,
)
DIFFERENCE_MCDIARMID_CLAIM = Claim(
    "mcdiarmid (difference)",
    DIFFERENCE_MCDIARMID_SOURCE,
    ASSUMPTIONS,
    WEIGHTS | CLUSTERS,
    range=(-1.0, 1.0),
)


def difference_mcdiarmid(
    difference: float,
    squared_shares: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for E Δ̂ under weights or clusters: Δ̂ ± 2√(ln(2/δ)/2·Σ_c(u_c + v_c)²).

    u_c and v_c are the shares of the positives' and of the negatives' weight in an independent unit
    c, which is a row or a cluster; ``squared_shares`` is Σ_c(u_c + v_c)². Replacing the unit moves
    either AUC by at most u_c + v_c.

    >>> print(difference_mcdiarmid(0.02, 2 / 400))
    [-0.1721, 0.2121] at 95 % (mcdiarmid (difference))
    """
    check_difference(difference)
    if not (is_number(squared_shares) and 0.0 < squared_shares < math.inf):
        raise InputError("not a positive number", where="squared_shares", value=squared_shares)
    epsilon = 2.0 * math.sqrt(log_inverse_share(delta, alternative) / 2.0 * squared_shares)
    low = -1.0 if alternative == "less" else max(difference - epsilon, -1.0)
    high = 1.0 if alternative == "greater" else min(difference + epsilon, 1.0)
    return DIFFERENCE_MCDIARMID_CLAIM.interval((low, high), delta)

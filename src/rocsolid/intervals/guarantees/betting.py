from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.checks import tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import kl_limits
from rocsolid.intervals.guarantees.placements import check_placements, mean_placement
from rocsolid.results import Alternative
from rocsolid.results.interval import PLACEMENTS, Interval

Number = float | NDArray[np.float64]

# The variance of a placement as a part of the largest that its mean allows, and the share of the
# stake that is put on it. Binormal scores have 1/3 (no skill) to 1/10 (AUC .99), a two-valued score
# up to 1. Shape only matters to the width: the guarantee is the same whatever these are.
SHAPES = ((0.25, 0.8), (1.0, 0.2))


def stakes(mean: Number, spread: NDArray[np.float64], cap: float) -> NDArray[np.float64]:
    """Return λ = min(κ/√(a(1−a)), 1/a, cap) for the supposed mean a and each κ in ``spread``."""
    return np.minimum(spread / np.sqrt(mean * (1 - mean)), np.minimum(1 / mean, cap))


def log_product(values: NDArray[np.float64], mean: Number, stake: Number) -> NDArray[np.float64]:
    """Return ln Π(1 + λ(vᵢ−a)) over the last axis.

    The product has expectation at most 1 if the mean is at most a. With λ from ``stakes`` every
    factor falls in a: the slope is −κ(a(1−v)+v(1−a))/(2(a(1−a))^{3/2}) for λ = κ/√(a(1−a)), and the
    factor is v/a for λ = 1/a.
    """
    with np.errstate(divide="ignore"):  # at λ = 1/a a value of 0 loses everything
        return np.asarray(np.log1p(np.maximum(stake * (values - mean), -1.0)).sum(axis=-1))


def smallest_plausible(
    log_wealth: Callable[[NDArray[np.float64]], Number], above: Number, share: float
) -> NDArray[np.float64]:
    """Return the a at which a wealth that falls in a equals 1/share, approached from below.

    The wealth is below 1 at ``above``.
    """
    high, needed = np.array(above, dtype=np.float64), -np.log(share)
    low = np.zeros_like(high)
    while np.max(high - low, initial=0.0) > 1e-12:
        middle = (low + high) / 2
        rejected = log_wealth(middle) >= needed
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle)
    return low


def log_mean_exp(logs: Sequence[Number], weights: Sequence[float]) -> NDArray[np.float64]:
    """Return ln Σ wᵢexp(lᵢ) without overflow."""
    weighted = [np.log(w) + each for w, each in zip(weights, logs, strict=True)]
    return np.asarray(np.logaddexp.reduce(weighted, axis=0))


PLACEMENTS_SHARE = 0.95  # of δ; the rest goes to the larger class
SOURCE = (
    "Waudby-Smith and Ramdas 2024 (betting) on the placements at 0.95δ, "
    "relative entropy on the larger class at 0.05δ"
)
CLAIM = Claim("betting", SOURCE, reads=PLACEMENTS)


def betting(
    placements: ArrayLike,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits from bets on the placements of the smaller class, in two steps.

    Given the larger class (size M), the placements are independent with mean A′, the AUC against
    the larger class as observed. The capital Π(1+λ(vᵢ−a)) of a bet against a ≥ A′ reaches 1/δ with
    probability at most δ. A′ is a mean of M independent values in [0, 1] with mean A, so kl(A′‖A)
    carries the limit for A′ to A.

    >>> print(betting([0.7, 0.8, 0.9] * 40, 120, 12_000))
    [0.7538, 0.8416] at 95 % (betting)
    """
    limits = _limits(_lower, placements, n_pos, n_neg, delta, alternative)
    return CLAIM.interval(limits, delta)


def _limits(
    lower: Callable[[NDArray[np.float64], int, float], float], placements: ArrayLike, n_pos: int,
    n_neg: int, delta: float, alternative: Alternative,
) -> tuple[float, float]:  # fmt: skip
    values, larger = check_placements(placements, n_pos, n_neg)
    share = tail_share(delta, alternative)
    low = 0.0 if alternative == "less" else lower(values, larger, share)
    return low, 1.0 if alternative == "greater" else 1 - lower(1 - values, larger, share)


def _lower(values: NDArray[np.float64], larger: int, share: float) -> float:
    first, rest = PLACEMENTS_SHARE * share, (1 - PLACEMENTS_SHARE) * share
    shapes, weights = zip(*SHAPES, strict=True)
    spread = np.sqrt(-2 * np.log(first) / (values.size * np.array(shapes)))
    given_larger = smallest_plausible(
        lambda a: log_mean_exp(
            [log_product(values, a, stake) for stake in stakes(a, spread, np.inf)], weights
        ),
        mean_placement(values),
        first,
    )
    return float(kl_limits(given_larger, larger, rest, "greater")[0])


E_VALUE_SOURCE = (
    "e-value on placements given the larger class, Bernoulli moment bound for the larger class"
)
E_VALUE_CLAIM = Claim("e-value", E_VALUE_SOURCE, reads=PLACEMENTS)


def e_value(
    placements: ArrayLike,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits from an e-value on the placements of the smaller class.

    Given the larger class (size M), the placements v₁ … v_s of the smaller class are independent
    with the same mean, which is a mean of M independent values in [0, 1] with mean A. So for 0 ≤ λ
    ≤ 1/A

        E(A) = Π(1+λ(vᵢ−A)) · e^{sλA} / (1−A+Ae^{sλ/M})^M

    has expectation at most 1, and falls in A for λ = min(κ/√(A(1−A)), 1/A, M/s), κ from (m, n, δ)
    only. The limit is the A at which the weighted mean over two κ equals 2/δ.

    >>> print(e_value([0.7, 0.8, 0.9] * 40, 120, 12_000))
    [0.7667, 0.8304] at 95 % (e-value)
    """
    limits = _limits(_lower_of_e_value, placements, n_pos, n_neg, delta, alternative)
    return E_VALUE_CLAIM.interval(limits, delta)


def _lower_of_e_value(values: NDArray[np.float64], larger: int, share: float) -> float:
    shapes, weights = zip(*SHAPES, strict=True)
    spread = np.sqrt(-2 * np.log(share) / (values.size * (np.array(shapes) + values.size / larger)))
    limit = smallest_plausible(
        lambda a: log_mean_exp(
            [
                log_e(values, larger, float(a), float(stake))
                for stake in stakes(a, spread, larger / values.size)
            ],
            weights,
        ),
        mean_placement(values),
        share,
    )
    return float(limit)


def log_e(values: NDArray[np.float64], larger: int, a: float, stake: float) -> float:
    bet = values.size * stake
    paid = larger * math.log1p(a * math.expm1(bet / larger)) - bet * a
    return float(log_product(values, a, stake)) - paid

"""The earnings of bets on values in [0, 1] against a supposed mean, whatever the rows' order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Number = float | NDArray[np.float64]

# The variance of a placement as a part of the largest that its mean allows, and the share of the
# stake that is put on it. Binormal scores have 1/3 (no skill) to 1/10 (AUC .99), a two-valued score
# up to 1. Shape only matters to the width: the guarantee is the same whatever these are.
SHAPES = ((0.25, 0.8), (1.0, 0.2))


def stakes(mean: Number, spread: NDArray[np.float64], cap: float) -> NDArray[np.float64]:
    """λ = min(κ/√(a(1−a)), 1/a, cap) for the supposed mean a and each κ in ``spread``.

    Many means at once are a row, and ``spread`` then a column.
    """
    return np.minimum(spread / np.sqrt(mean * (1 - mean)), np.minimum(1 / mean, cap))


def log_product(values: NDArray[np.float64], mean: Number, stake: Number) -> NDArray[np.float64]:
    """ln Π(1 + λ(vᵢ−a)), of expectation at most 0 before the logarithm if the mean is ≤ a.

    The product runs along the last axis. With λ from ``stakes`` every factor falls as a rises:
    while λ = κ/√(a(1−a)) its slope is −κ(a(1−v)+v(1−a))/(2(a(1−a))^{3/2}), and at λ = 1/a the
    factor is v/a.
    """
    with np.errstate(divide="ignore"):  # at λ = 1/a a value of 0 loses everything
        return np.asarray(np.log1p(np.maximum(stake * (values - mean), -1.0)).sum(axis=-1))


def smallest_plausible(
    log_wealth: Callable[[NDArray[np.float64]], Number], above: Number, share: float
) -> NDArray[np.float64]:
    """The a where a wealth that falls in a, to below 1 at ``above``, is 1/share: from below."""
    high, needed = np.array(above, dtype=np.float64), -np.log(share)
    low = np.zeros_like(high)
    while np.max(high - low, initial=0.0) > 1e-12:
        middle = (low + high) / 2
        rejected = log_wealth(middle) >= needed
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle)
    return low


def log_mean_exp(logs: Sequence[Number], weights: Sequence[float]) -> NDArray[np.float64]:
    """ln Σ wᵢexp(lᵢ) without overflow."""
    weighted = [np.log(w) + each for w, each in zip(weights, logs, strict=True)]
    return np.asarray(np.logaddexp.reduce(weighted, axis=0))

"""What bets on the placements earn against a supposed mean, whatever the order of the rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

# The variance of a placement as a part of the largest that its mean allows, and the share of the
# stake that is put on it. Binormal scores have 1/3 (no skill) to 1/10 (AUC .99), a two-valued score
# up to 1. Shape only matters to the width: the guarantee is the same whatever these are.
SHAPES = ((0.25, 0.8), (1.0, 0.2))


def stakes(mean: float, spread: NDArray[np.float64], cap: float) -> NDArray[np.float64]:
    """λ = min(κ/√(a(1−a)), 1/a, cap) for the supposed mean a and each κ in ``spread``."""
    return np.asarray(np.minimum(spread / np.sqrt(mean * (1 - mean)), min(1 / mean, cap)))


def log_product(values: NDArray[np.float64], mean: float, stake: float) -> float:
    """ln Π(1 + λ(vᵢ−a)), of expectation at most 0 before the logarithm if the mean is ≤ a.

    With λ from ``stakes`` every factor falls as a rises: while λ = κ/√(a(1−a)) its slope is
    −κ(a(1−v)+v(1−a))/(2(a(1−a))^{3/2}), and at λ = 1/a the factor is v/a.
    """
    with np.errstate(divide="ignore"):  # at λ = 1/a a placement of 0 loses everything
        return float(np.log1p(np.maximum(stake * (values - mean), -1.0)).sum())


def smallest_plausible(log_wealth: Callable[[float], float], above: float, share: float) -> float:
    """The a where a wealth that falls in a, to below 1 at ``above``, is 1/share: from below."""
    low, high, needed = 0.0, above, -np.log(share)
    while high - low > 1e-12:
        middle = (low + high) / 2
        if log_wealth(middle) >= needed:
            low = middle
        else:
            high = middle
    return low


def log_mean_exp(logs: list[float], weights: list[float]) -> float:
    """ln Σ wᵢexp(lᵢ) without overflow."""
    top = max(logs)
    if top == -np.inf:
        return top
    return float(top + np.log(sum(w * np.exp(v - top) for v, w in zip(logs, weights, strict=True))))

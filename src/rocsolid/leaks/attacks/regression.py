"""Random rankings, then ridge regression; it stands rounding and noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.attacks.host import Guess, Host

_RIDGES = 10.0 ** np.arange(-9, 5)


def regression(ask: Host, rng: np.random.Generator) -> Guess:
    """Given n₁ an AUC is an affine function of the labels: Σ (r_i − r̄)·y_i = n₀n₁(AUC − ½)."""
    n, n_pos = ask.n, ask.n_pos
    centre = (n - 1) / 2
    ranks = np.array([rng.permutation(n) for _ in range(ask.left)], dtype=np.float64) - centre
    heard = np.array([float(ask(r)) for r in ranks])
    sums = n_pos * (n - n_pos) * (heard - 0.5)
    return Guess.of(_ridge(ranks / n, sums / n))


def _ridge(design: NDArray[np.float64], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ridge regression without an intercept; the penalty has the least leave-one-out error."""
    values, vectors = np.linalg.eigh(design @ design.T)
    values = np.maximum(values, 0.0)
    turned = vectors.T @ sums
    best = (np.inf, turned)
    for ridge in _RIDGES * max(values.max(), 1e-300):
        inverse = 1 / (values + ridge)
        dual = vectors @ (inverse * turned)
        left_out = dual / (vectors**2 @ inverse)
        error = float(left_out @ left_out)
        if error < best[0]:
            best = (error, dual)
    estimate: NDArray[np.float64] = design.T @ best[1]
    return estimate

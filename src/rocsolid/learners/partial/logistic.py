"""Logistic regression, as the place where a search for a better partial area starts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def logistic_weights(features: Any, positive: NDArray[np.bool_]) -> Floats:
    """The weights w (without the constant) of least Σ ln(1 + e^(−y(w·x+b))) + ½‖w‖².

    >>> logistic_weights(np.array([[0.0], [1.0], [2.0], [3.0]]), np.arange(4) >= 2).round(2)
    array([0.96])
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    signs = np.where(positive, 1.0, -1.0)
    n, size = features.shape

    def loss(both: Floats) -> tuple[float, Floats]:
        w, b = both[:size], both[size]
        margin = signs * (features @ w + b)
        value = np.logaddexp(0.0, -margin).sum() + 0.5 * w @ w
        pull = -signs * expit(-margin)
        return float(value) / n, np.append(features.T @ pull + w, pull.sum()) / n

    found = minimize(loss, np.zeros(size + 1), jac=True, method="L-BFGS-B")
    return np.asarray(found.x[:size])

"""A smooth convex loss of scores, minimised over linear scores by a truncated Newton method."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.sparsefuncs import mean_variance_axis

_FLOATS = NDArray[np.float64]
_STILL = 1e-10  # a mean change of a scaled weight that is none
Times = Callable[[_FLOATS], _FLOATS]


class SmoothLoss(Protocol):
    """A loss of the scores of all rows."""

    def at(self, scores: _FLOATS) -> tuple[float, _FLOATS, Times]:
        """Its value, its gradient, and the product of its second derivative and a vector."""
        ...


def fit_linear(
    loss: SmoothLoss, features: Any, *, share: float, ridge: float, tol: float, max_iter: int
) -> tuple[_FLOATS, int]:
    """The w with the least share·loss(Xw) + ½·ridge·‖w‖², and the number of Newton steps.

    The loss must not change when all scores rise alike. Newton's steps are solved by conjugate
    gradients (``Newton-CG`` of SciPy), so the second derivative is only ever multiplied by a
    vector. The search runs over w times a scale a feature, which makes its speed independent of the
    features' units, and stops where the gradient's norm is at most ``tol``.
    """
    from scipy.optimize import minimize

    if isinstance(features, np.ndarray):
        features = features - features.mean(axis=0)  # the same loss, from smaller numbers
    scale = 1.0 / np.sqrt(ridge + _variances(features))
    seen: dict[str, Any] = {}

    def value_and_gradient(v: _FLOATS) -> tuple[float, _FLOATS]:
        w = scale * v
        value, slope, times = loss.at(features @ w)
        gradient = scale * (share * (features.T @ slope) + ridge * w)
        seen.update(v=v.copy(), times=times, gradient=gradient)
        return share * value + 0.5 * ridge * float(w @ w), gradient

    def hessian_times(v: _FLOATS, direction: _FLOATS) -> _FLOATS:
        if not np.array_equal(v, seen["v"]):
            value_and_gradient(v)
        u = scale * direction
        product: _FLOATS = scale * (share * (features.T @ seen["times"](features @ u)) + ridge * u)
        return product

    def stop(v: _FLOATS) -> None:
        if np.array_equal(v, seen["v"]) and np.linalg.norm(seen["gradient"]) <= tol:
            raise StopIteration

    found = minimize(
        value_and_gradient,
        np.zeros(features.shape[1]),
        jac=True,
        hessp=hessian_times,
        method="Newton-CG",
        callback=stop,
        options={"xtol": _STILL, "maxiter": max_iter},
    )
    norm = float(np.linalg.norm(value_and_gradient(found.x)[1]))
    if norm > tol and not found.success:
        warnings.warn(
            f"not converged after {found.nit} steps, where the gradient's norm is {norm:.2g}; "
            "raise max_iter or tol, or regularise more",
            ConvergenceWarning,
            stacklevel=3,
        )
    return scale * found.x, max(int(found.nit), 1)


def _variances(features: Any) -> _FLOATS:
    if isinstance(features, np.ndarray):
        return np.asarray(features.var(axis=0))
    return np.asarray(mean_variance_axis(features, axis=0)[1])

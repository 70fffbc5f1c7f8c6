"""What correlations between values change in a test that they are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]
_LEAST = 1e-9  # of a variance: what rounding leaves of a difference of equal values
_BELIEVED = 0.5  # of each correlation, as few clusters tell little; half was best in simulations


def root(correlation: _FLOATS) -> _FLOATS:
    """A matrix R with R Rᵀ as given; normal values times Rᵀ have these correlations."""
    size, axes = np.linalg.eigh(correlation)
    return np.asarray(axes * np.sqrt(np.maximum(size, 0.0)))


def in_step(rng: np.random.Generator, draws: _FLOATS, of: _FLOATS) -> _FLOATS:
    """The same draws of each column in an order that makes columns vary together.

    Their ranks are those of normal values with the correlations whose `root` is ``of``.

    >>> draws = np.arange(8.0).reshape(4, 2)
    >>> np.diff(in_step(np.random.default_rng(0), draws, root(np.ones((2, 2)))))[:, 0]
    array([1., 1., 1., 1.])
    """
    order = np.argsort(rng.normal(size=draws.shape) @ of.T, axis=0)
    found = np.empty_like(draws)
    np.put_along_axis(found, order, np.sort(draws, axis=0), axis=0)
    return found


def from_the_rest(independent: _FLOATS, variance: _FLOATS, correlation: _FLOATS) -> _FLOATS:
    """The variance of each value less the weighted mean of all others.

    With weights w = 1/variance it is v_j + 1/Σw where values are ``independent``; correlations add
    Σₖₗ wₖwₗCₖₗ/(Σw)² − 2Σₖ wₖCⱼₖ/Σw, sums over the others, k ≠ l.
    """
    weight, error = 1.0 / variance, np.sqrt(variance)
    left = weight.sum(axis=-1, keepdims=True) - weight
    with_each = error * ((1.0 / error) @ correlation - 1.0 / error)
    among = (weight * with_each).sum(axis=-1, keepdims=True) - 2.0 * weight * with_each
    found = independent + among / left**2 - 2.0 * with_each / left
    return np.asarray(np.maximum(found, _LEAST * independent))


def expected_q(variance: _FLOATS, correlation: _FLOATS) -> float:
    """The mean of Q where values are equal: their number less one if they are independent."""
    pull = 1.0 / np.sqrt(variance)
    return len(variance) - float(pull @ correlation @ pull / (pull @ pull))


def shrunken(
    values: _FLOATS, variance: _FLOATS, correlation: _FLOATS, between: float, centre: float
) -> _FLOATS:
    """The best linear prediction of true values that vary by ``between`` around ``centre``."""
    if between == 0.0:
        return np.full(len(values), centre)
    error = np.sqrt(variance)
    believed = _BELIEVED * correlation + (1.0 - _BELIEVED) * np.eye(len(values))
    joint = believed * np.outer(error, error) + between * np.eye(len(values))
    return np.asarray(centre + between * np.linalg.solve(joint, values - centre))

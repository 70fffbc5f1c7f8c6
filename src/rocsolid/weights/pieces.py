"""Averages of a function that is a polynomial between knots."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

_FLOATS = NDArray[np.float64]
Integral = Callable[[_FLOATS], _FLOATS]


def gauss_mean(function: Integral, low: _FLOATS, high: _FLOATS, order: int) -> _FLOATS:
    """The average over [low, high], exact for polynomials of a degree below 2·order.

    >>> float(gauss_mean(lambda x: x**3, np.array(0.0), np.array(1.0), 2).round(15))
    0.25
    """
    middle, half = (low + high) / 2, (high - low) / 2
    mean = np.zeros(np.shape(middle))
    for node, weight in _rule(order):
        mean = mean + weight * function(middle + node * half)
    return mean


@cache
def _rule(order: int) -> list[tuple[float, float]]:
    """Gauss and Legendre's nodes in (−1, 1), with weights that add up to one."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    return list(zip(nodes.tolist(), (weights / 2).tolist(), strict=True))


def double_integral(function: Integral, knots: _FLOATS, order: int) -> _FLOATS:
    """∫ of the function from the first knot to each knot."""
    parts = np.diff(knots) * gauss_mean(function, knots[:-1], knots[1:], order)
    return np.concatenate([[0.0], np.cumsum(parts)])


def mean_over_pieces(
    function: Integral,
    knots: _FLOATS,
    doubles: _FLOATS,
    order: int,
    low: ArrayLike,
    high: ArrayLike,
) -> _FLOATS:
    """The average over [low, high], whatever knots lie inside.

    ``doubles`` is `double_integral` at the knots. An interval within one piece is one quadrature;
    a longer one is its two ends plus the whole pieces between them.
    """
    a, b = np.broadcast_arrays(
        np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    )
    shape = a.shape
    a, b = a.ravel(), b.ravel()
    mean = gauss_mean(function, a, b, order)
    first = np.searchsorted(knots[1:-1], a, side="right")
    last = np.searchsorted(knots[1:-1], b, side="left")
    across = np.flatnonzero(first < last)
    if across.size:
        a, b = a[across], b[across]
        end, start = knots[first[across] + 1], knots[last[across]]
        whole = doubles[last[across]] - doubles[first[across] + 1]
        ends = (end - a) * gauss_mean(function, a, end, order)
        ends += (b - start) * gauss_mean(function, start, b, order)
        mean[across] = (ends + whole) / (b - a)
    return mean.reshape(shape)

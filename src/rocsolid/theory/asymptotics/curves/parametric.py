"""Curves given by a formula."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.theory.asymptotics.curves.curve import Curve, from_function

_F = NDArray[np.float64]


def constant(p: float) -> Curve:
    """ȳ(s) = p: a ranker that knows nothing.

    >>> print(constant(0.3))
    constant(0.3), mean 0.3 (grades 1: 0.3, 0: 0.7)
    """
    value = float(p)
    return from_function(lambda s: np.full_like(s, value), name=f"constant({value:g})")


def linear(bottom: float, top: float) -> Curve:
    """A straight line from ȳ(0) = bottom to ȳ(1) = top.

    >>> linear(0.1, 0.6).mean([0, 0.5, 1])
    array([0.1 , 0.35, 0.6 ])
    """
    low, high = float(bottom), float(top)
    return from_function(lambda s: low + (high - low) * s, name=f"linear({low:g}, {high:g})")


def power(bottom: float, top: float, exponent: float) -> Curve:
    """ȳ(s) = bottom + (top − bottom)·s^exponent: for a large exponent only the top is rich.

    >>> round(power(0, 1, 3).levels.mean, 12)
    0.25
    """
    low, high, steep = float(bottom), float(top), float(exponent)
    if not 0.0 < steep < float("inf"):
        raise InputError("the exponent must be positive", where="exponent", value=exponent)
    return from_function(
        lambda s: low + (high - low) * s**steep, name=f"power({low:g}, {high:g}, {steep:g})"
    )


def logistic(intercept: float, slope: float) -> Curve:
    """ȳ(s) = 1/(1 + exp(−intercept − slope·s)).

    >>> logistic(-3, 4).mean([0, 1]).round(3)
    array([0.047, 0.731])
    """
    a, b = float(intercept), float(slope)
    if not (np.isfinite(a) and np.isfinite(b)):
        raise InputError("the coefficients must be finite", where="logistic", value=(a, b))

    def values(s: _F) -> _F:
        from scipy.special import expit

        return np.asarray(expit(a + b * s))

    return from_function(values, name=f"logistic({a:g}, {b:g})")


def piecewise(s: Sequence[float], relevance: Sequence[float]) -> Curve:
    """Straight lines between the points (s, relevance), from s = 0 to s = 1.

    >>> piecewise([0, 0.8, 1], [0.1, 0.1, 0.9]).mean([0.5, 0.9])
    array([0.1, 0.5])
    """
    at, values = np.asarray(s, dtype=np.float64), np.asarray(relevance, dtype=np.float64)
    if at.ndim != 1 or at.shape != values.shape or len(at) < 2:
        raise InputError(
            "piecewise takes as many relevances as points s, at least two", where="piecewise"
        )
    if at[0] != 0.0 or at[-1] != 1.0 or not np.all(np.diff(at) > 0.0):
        raise InputError("the points s must rise from 0 to 1", where="s", value=at.tolist())
    return from_function(
        lambda x: np.interp(x, at, values), breaks=at[1:-1], name=f"piecewise({len(at)} points)"
    )

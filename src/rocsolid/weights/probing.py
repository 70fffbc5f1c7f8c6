"""Integral, maximum and slope of a function on [0, 1], estimated from some of its values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError

_FLOATS = NDArray[np.float64]
_DEGREE = 7
_TOLERANCE = 1e-11  # error of a polynomial at values that were not used to fit it
_FIRST_CELLS = 64
_MOST_CELLS = 20_000
_NARROWEST = 2.0**-44  # a cell of this width with a larger error contains a jump
_JUMP = 1e-8
_WIDE = 2.0**-24  # slopes of narrower cells, next to jumps and kinks, are dominated by rounding
_POINTS = np.cos(np.pi * (np.arange(_DEGREE + 1) + 0.5) / (_DEGREE + 1))  # in (−1, 1)
_TO_COEFFICIENTS = np.linalg.inv(np.vander(_POINTS, increasing=True))

ORDER = 5  # the integral of a piece has degree 8, and five nodes average degree 9 exactly


@dataclass(frozen=True, eq=False)
class Probed:
    """Polynomials on cells that approximate a function, with its largest value and slope seen."""

    knots: _FLOATS
    coefficients: _FLOATS  # those of the antiderivative on each cell, in t from −1 to 1
    largest: float
    steepest: float

    def integral(self, u: ArrayLike) -> _FLOATS:
        """Return ∫₀ᵘ of the polynomials."""
        at = np.asarray(u, dtype=np.float64)
        cell = np.searchsorted(self.knots[1:-1], at, side="right")
        left, right = self.knots[cell], self.knots[cell + 1]
        t = (2 * at - left - right) / (right - left)
        value = self.coefficients[cell, -1]
        for power in range(self.coefficients.shape[1] - 2, -1, -1):
            value = value * t + self.coefficients[cell, power]
        return np.asarray(value)


def probe(function: Callable[[_FLOATS], _FLOATS]) -> Probed:
    """Split [0, 1] until a polynomial of degree 7 predicts the values on both halves of a cell.

    Features between the evaluated points, some 1,500 evenly spread ones and more in rough parts,
    are missed.
    """
    edges = np.linspace(0.0, 1.0, _FIRST_CELLS + 1)
    low, high = edges[:-1], edges[1:]
    seen = function(_nodes(low, high))
    largest = float(max(seen.max(), function(np.array([0.0, 1.0])).max()))
    kept: list[tuple[_FLOATS, _FLOATS, _FLOATS]] = []
    count, jumps = 0, False
    while low.size:
        middle = (low + high) / 2
        halves = [(low, middle), (middle, high)]
        values = [function(_nodes(*half)) for half in halves]
        largest = max(largest, *(float(v.max()) for v in values))
        fitted = seen @ _TO_COEFFICIENTS.T
        surprise = np.zeros(len(low))
        for shift, own in zip((-0.5, 0.5), values, strict=True):
            foretold = fitted @ np.vander(_POINTS / 2 + shift, _DEGREE + 1, increasing=True).T
            surprise = np.maximum(surprise, np.abs(foretold - own).max(axis=1))
        rough = surprise > _TOLERANCE * largest
        narrow = high - low <= _NARROWEST
        jumps = jumps or bool(np.any(rough & narrow))
        done = ~rough | narrow
        kept.append((low[done], high[done], fitted[done]))
        count += int(done.sum())
        split = ~done
        if count + 2 * int(split.sum()) > _MOST_CELLS:
            raise InputError(
                "the weight is too rough to be integrated numerically",
                where="weight",
                fix="describe it by rs.weights.step, ramp or cost_curve, or smooth it",
            )
        low, high = (np.concatenate([half[end][split] for half in halves]) for end in (0, 1))
        seen = np.concatenate([v[split] for v in values])
    return _assembled(kept, largest, jumps)


def values_of(function: Callable[[Any], Any]) -> Callable[[_FLOATS], _FLOATS]:
    """Return the function for arrays; a function of single numbers is called one by one."""

    def of_array(u: _FLOATS) -> _FLOATS:
        try:
            value = np.asarray(function(u), dtype=np.float64)
        except (TypeError, ValueError):
            value = np.empty(0)
        if value.shape != u.shape:
            one_by_one = [float(function(float(each))) for each in u.ravel()]
            value = np.array(one_by_one, dtype=np.float64).reshape(u.shape)
        bad = np.flatnonzero(~(np.isfinite(value) & (value >= 0)))
        if bad.size:
            raise InputError(
                "a weight must be finite and not negative",
                where=f"weight({float(u.flat[bad[0]]):.6g})",
                value=float(value.flat[bad[0]]),
            )
        return value

    return of_array


def _nodes(low: _FLOATS, high: _FLOATS) -> _FLOATS:
    """Return the evaluated points of each cell, one row per cell."""
    return ((low + high) / 2)[:, None] + ((high - low) / 2)[:, None] * _POINTS


def _assembled(kept: list[tuple[_FLOATS, _FLOATS, _FLOATS]], largest: float, jumps: bool) -> Probed:
    low, high, fitted = (np.concatenate(part) for part in zip(*kept, strict=True))
    order = np.argsort(low)
    low, high, fitted = low[order], high[order], fitted[order]
    half = (high - low) / 2
    powers = np.arange(1, _DEGREE + 2)
    anti = np.concatenate([np.zeros((len(low), 1)), fitted / powers * half[:, None]], axis=1)
    signs = (-1.0) ** np.arange(_DEGREE + 2)
    anti[:, 0] = -(anti @ signs)  # zero at the left end
    anti[1:, 0] += np.cumsum(anti.sum(axis=1))[:-1]
    # a jump at the border of two cells causes an error in neither
    left, right = fitted @ signs[:-1], fitted.sum(axis=1)
    jumps = jumps or bool(np.any(np.abs(right[:-1] - left[1:]) > _JUMP * largest))
    steepest = float("inf")
    if not jumps:
        at = np.vander(np.linspace(-1.0, 1.0, 33), _DEGREE, increasing=True)
        wide = 2 * half >= _WIDE
        slopes = (fitted[wide, 1:] * powers[:-1]) @ at.T / half[wide, None]
        steepest = float(np.abs(slopes).max())
    return Probed(np.append(low, 1.0), anti, largest, steepest)

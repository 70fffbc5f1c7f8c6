"""The base class of weights, and piecewise linear weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import one_of
from rocsolid.errors import InputError


@lru_cache(maxsize=1024)
def complement(rate: float) -> float:
    """Return 1 − rate, exact for the decimal number that was written.

    In floating point 1 − 0.9 is 0.09999999999999998, which excludes one negative in ten.

    >>> complement(0.9), 1 - 0.9
    (0.1, 0.09999999999999998)
    """
    return float(1 - Fraction(repr(float(rate))))


def check_region(low: float, high: float, name: str) -> tuple[float, float]:
    """Return a region of rates; reject it unless 0 ≤ low < high ≤ 1."""
    try:
        sound = 0.0 <= low < high <= 1.0 and not isinstance(high, bool)
    except TypeError:
        sound = False
    if not sound:
        raise InputError(
            "a region of rates needs 0 <= low < high <= 1",
            where=name,
            value=(low, high),
            fix="give shares, the lower end first: (0, 0.05) means from 0 to 5 %",
        )
    return float(low), float(high)


def check_axis(axis: Axis) -> Axis:
    one_of(axis, get_args(Axis), "axis")
    return axis


def check_positive(value: float, name: str) -> float:
    if not 0.0 < value < float("inf"):
        raise InputError(f"{name} must be a positive number", value=value)
    return float(value)


Axis = Literal["fpr", "tpr"]


class Weight(ABC):
    """A bounded weight W ≥ 0 on [0, 1] for the area A_W = ∫ roc(v)·W(1−v) dv.

    The argument u is the true-negative rate 1−v, as in Maurer and Pontil (2020). A weight over
    true-positive rates (``axis`` "tpr") is for the mirrored problem, with the classes exchanged and
    the order of scores reversed: u is the true-positive rate, and A_W = ∫ (1−roc⁻¹(t))·W(t) dt.
    """

    @property
    def axis(self) -> Axis:
        """The rate that the weight depends on: "fpr" or "tpr"."""
        return "fpr"

    @abstractmethod
    def __call__(self, u: ArrayLike) -> NDArray[np.float64]:
        """W(u)."""

    @abstractmethod
    def integral(self, u: ArrayLike) -> NDArray[np.float64]:
        """K(u) = ∫₀ᵘ W."""

    @abstractmethod
    def mean_integral(self, low: ArrayLike, high: ArrayLike) -> NDArray[np.float64]:
        """Return the average of K over [low, high], or K itself if the two are equal."""

    @property
    @abstractmethod
    def sup_norm(self) -> float:
        """The norm ‖W‖∞."""

    @property
    @abstractmethod
    def lipschitz(self) -> float:
        """The norm ‖W‖Lip, infinite for a weight that jumps."""

    @property
    def l1_norm(self) -> float:
        """The norm ‖W‖₁ = K(1), the largest possible A_W."""
        return float(self.integral(1.0))

    @property
    def support(self) -> tuple[float, float]:
        """An interval of u outside which W is zero."""
        return 0.0, 1.0

    @property
    def constant(self) -> float | None:
        """The value of W if W is constant, else None."""
        return None

    @property
    def powers(self) -> Mapping[int, float]:
        """The heights of whole powers of u whose sum is W, all above 0, if known."""
        return {}

    @property
    def probed(self) -> bool:
        """True if a norm or K was estimated from values of W, which is no proof."""
        return False


_FLOATS = NDArray[np.float64]
Integral = Callable[[_FLOATS], _FLOATS]


def gauss_mean(function: Integral, low: _FLOATS, high: _FLOATS, order: int) -> _FLOATS:
    """Return the average over [low, high], exact for polynomials of degree below 2·order.

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
    """Return Gauss–Legendre nodes in (−1, 1), with weights that sum to one."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    return list(zip(nodes.tolist(), (weights / 2).tolist(), strict=True))


def double_integral(function: Integral, knots: _FLOATS, order: int) -> _FLOATS:
    """Return ∫ of the function from the first knot to each knot."""
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
    """Return the average over [low, high], which may contain knots.

    ``doubles`` is `double_integral` at the knots. An interval within one piece needs one
    quadrature; a longer interval is the sum of its two ends and the whole pieces between.
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


_ORDER = 2  # K is a parabola on each piece


class _Pieces(NamedTuple):
    """Linear pieces from knots[i] to knots[i+1]; ``integral`` is K at the knots."""

    knots: _FLOATS
    start: _FLOATS
    end: _FLOATS
    slope: _FLOATS
    integral: _FLOATS


class Polyline(Weight):
    """The linear interpolation of ``points``; at a jump W is the larger of the two values."""

    @abstractmethod
    def points(self) -> list[tuple[float, float]]:
        """Rates from 0 to 1 on the weight's axis with heights; a jump repeats a rate."""

    @cached_property
    def _pieces(self) -> _Pieces:
        points = self.points()
        if self.axis == "fpr":
            points = [(complement(rate), height) for rate, height in reversed(points)]
        u, height = np.array(points, dtype=np.float64).T
        long = np.flatnonzero(np.diff(u) > 0)
        start, end, widths = height[long], height[long + 1], np.diff(u)[long]
        areas = np.cumsum(widths * (start + end) / 2)
        return _Pieces(
            knots=np.append(u[long], 1.0),
            start=start,
            end=end,
            slope=(end - start) / widths,
            integral=np.concatenate([[0.0], areas]),
        )

    @cached_property
    def _doubles(self) -> _FLOATS:
        return double_integral(self.integral, self._pieces.knots, _ORDER)

    def __call__(self, u: ArrayLike) -> _FLOATS:
        p, x = self._pieces, np.asarray(u, dtype=np.float64)

        def height(piece: NDArray[np.intp]) -> _FLOATS:
            return np.asarray(p.start[piece] + p.slope[piece] * (x - p.knots[piece]))

        right = np.searchsorted(p.knots[1:-1], x, side="right")
        left = np.searchsorted(p.knots[1:-1], x, side="left")
        return np.maximum(
            height(right), np.where(x == p.knots[left + 1], p.end[left], height(left))
        )

    def integral(self, u: ArrayLike) -> _FLOATS:
        p, at = self._pieces, np.asarray(u, dtype=np.float64)
        piece = np.searchsorted(p.knots[1:-1], at, side="right")
        t = at - p.knots[piece]
        return np.asarray(p.integral[piece] + t * (p.start[piece] + p.slope[piece] * t / 2))

    def mean_integral(self, low: ArrayLike, high: ArrayLike) -> _FLOATS:
        return mean_over_pieces(self.integral, self._pieces.knots, self._doubles, _ORDER, low, high)

    @property
    def sup_norm(self) -> float:
        return float(max(self._pieces.start.max(), self._pieces.end.max()))

    @property
    def lipschitz(self) -> float:
        p = self._pieces
        jumps = bool(np.any(p.end[:-1] != p.start[1:]))
        return float("inf") if jumps else float(np.abs(p.slope).max())

    @property
    def support(self) -> tuple[float, float]:
        p = self._pieces
        heavy = np.flatnonzero((p.start > 0) | (p.end > 0))
        return float(p.knots[heavy[0]]), float(p.knots[heavy[-1] + 1])

    @property
    def constant(self) -> float | None:
        heights = np.append(self._pieces.start, self._pieces.end)
        return float(heights[0]) if bool(np.all(heights == heights[0])) else None

"""Weights drawn with a ruler: straight between points, with jumps allowed."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.weights.pieces import double_integral, mean_over_pieces
from rocsolid.weights.weight import Weight, complement

_FLOATS = NDArray[np.float64]
_ORDER = 2  # K is a parabola on each piece


class _Pieces(NamedTuple):
    """Straight pieces from knots[i] to knots[i+1]; ``integral`` is K at the knots."""

    knots: _FLOATS
    start: _FLOATS
    end: _FLOATS
    slope: _FLOATS
    integral: _FLOATS


class Polyline(Weight):
    """The straight lines between ``points``; at a jump W is the larger of its two values."""

    @abstractmethod
    def points(self) -> list[tuple[float, float]]:
        """Rates on the weight's axis from 0 to 1 with the heights there; a jump is a rate twice."""

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

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.weights.weight import Weight, gauss_mean

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True)
class Polynomial(Weight):
    """W(u) = Σ_p heights[p]·u^p."""

    heights: tuple[float, ...]

    def __call__(self, u: ArrayLike) -> _FLOATS:
        return self._sum(u, self.heights)

    def integral(self, u: ArrayLike) -> _FLOATS:
        return self._sum(u, (0.0, *(h / (p + 1) for p, h in enumerate(self.heights))))

    def mean_integral(self, low: ArrayLike, high: ArrayLike) -> _FLOATS:
        a, b = np.broadcast_arrays(np.asarray(low, dtype=float), np.asarray(high, dtype=float))
        return gauss_mean(self.integral, a, b, len(self.heights) // 2 + 1)

    @property
    def sup_norm(self) -> float:
        return sum(self.heights)

    @property
    def lipschitz(self) -> float:
        return sum(p * h for p, h in enumerate(self.heights))

    @property
    def constant(self) -> float | None:
        return self.heights[0] if not any(self.heights[1:]) else None

    @property
    def powers(self) -> Mapping[int, float]:
        return {p: h for p, h in enumerate(self.heights) if h}

    @staticmethod
    def _sum(u: ArrayLike, heights: Sequence[float]) -> _FLOATS:
        return np.asarray(np.polynomial.polynomial.polyval(np.asarray(u, dtype=float), heights))


def polynomial(heights: Sequence[float]) -> Polynomial:
    """Return Σ heights[p]·(1−FPR)^p, a mixture of the powers of `rs.weights.power`.

    No height is below 0.

    >>> w = polynomial((0.5, 0, 1.5))
    >>> w([0.0, 1.0]), w.l1_norm, w.lipschitz
    (array([0.5, 2. ]), 1.0, 3.0)
    """
    try:
        given = tuple(float(height) for height in heights)
    except (TypeError, ValueError):
        given = ()
    if not (given and all(0.0 <= height < float("inf") for height in given) and any(given)):
        raise InputError(
            "a polynomial needs a height of at least 0 for each power, and one above 0",
            where="heights",
            value=heights,
            fix="give the heights of u^0, u^1, u^2 and so on, such as (0, 0.5, 0.5)",
        )
    return Polynomial(given)

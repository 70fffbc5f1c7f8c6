"""Power weights: (1 − false-positive rate)^p."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.weights.weight import Weight


@dataclass(frozen=True)
class Power(Weight):
    """W(u) = u^p, K(u) = u^(p+1)/(p+1)."""

    p: float

    def __call__(self, u: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(np.asarray(u, dtype=np.float64) ** self.p)

    def integral(self, u: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(np.asarray(u, dtype=np.float64) ** (self.p + 1) / (self.p + 1))

    def mean_integral(self, low: ArrayLike, high: ArrayLike) -> NDArray[np.float64]:
        """u^(q−1)/(q(q−1)) · (1−(1−x)^q)/x with q = p+2 and x = (high−low)/high."""
        a, b = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        q = self.p + 2
        with np.errstate(divide="ignore", invalid="ignore"):
            x = (b - a) / b
            ratio = np.where(b > a, -np.expm1(q * np.log1p(-x)) / x, q)
        return np.asarray(b ** (q - 1) / (q * (q - 1)) * ratio)

    @property
    def sup_norm(self) -> float:
        return 1.0

    @property
    def lipschitz(self) -> float:
        return self.p if self.p >= 1.0 or self.p == 0.0 else float("inf")

    @property
    def constant(self) -> float | None:
        return 1.0 if self.p == 0.0 else None


def power(p: float) -> Power:
    """(1−FPR)^p for p ≥ 0: the larger p, the more the low false-positive rates count.

    In Maurer and Pontil 2020 this is W(u) = u^p. With whole p, (p+1)·A_W is the probability that a
    positive outranks p+1 negatives at once, where scores are continuous. Lipschitz for p ≥ 1.

    >>> w = power(2)
    >>> w([0.5, 1.0]), w.l1_norm == 1 / 3, w.lipschitz
    (array([0.25, 1.  ]), True, 2.0)
    """
    if not 0.0 <= p < float("inf"):
        raise InputError("a power must be a number of at least 0", value=p)
    return Power(float(p))

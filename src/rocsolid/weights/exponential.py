"""Exponential early recognition: weights e^(−α·FPR)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.weights.pieces import gauss_mean
from rocsolid.weights.weight import Weight, check_positive


@dataclass(frozen=True)
class Exponential(Weight):
    """W(u) = e^(−α(1−u)), K(u) = e^(−α(1−u))·(1−e^(−αu))/α."""

    alpha: float

    def __call__(self, u: ArrayLike) -> NDArray[np.float64]:
        return np.exp(-self.alpha * (1 - np.asarray(u, dtype=np.float64)))

    def integral(self, u: ArrayLike) -> NDArray[np.float64]:
        at = np.asarray(u, dtype=np.float64)
        return np.asarray(-np.exp(-self.alpha * (1 - at)) * np.expm1(-self.alpha * at) / self.alpha)

    def mean_integral(self, low: ArrayLike, high: ArrayLike) -> NDArray[np.float64]:
        a, b = np.broadcast_arrays(
            np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        )
        if self.alpha <= 1.0:
            # the closed form cancels here, while eight points are exact to the last digit
            return gauss_mean(self.integral, a, b, 8)
        z = self.alpha * (b - a)
        with np.errstate(invalid="ignore"):
            share = np.where(z > 0, -np.expm1(-z) / z, 1.0)
        rest = np.exp(-self.alpha)
        return np.asarray((np.exp(-self.alpha * (1 - b)) * share - rest) / self.alpha)

    @property
    def sup_norm(self) -> float:
        return 1.0

    @property
    def lipschitz(self) -> float:
        return self.alpha


def exponential(alpha: float) -> Exponential:
    """e^(−α·FPR), which rewards positives at the very top of the list.

    This is the weight behind RIE and BEDROC (Truchon & Bayly 2007), taken over false-positive
    rates where they take shares of the whole list; A_W/‖W‖₁ is the area under the concentrated
    ROC curve of Swamidass et al. (2010) and tends to BEDROC as positives become rare. In Maurer and
    Pontil 2020 this is W(u) = e^(−α(1−u)). About 1−e^(−1) of the weight lies below FPR = 1/α.

    >>> w = exponential(20)
    >>> round(w.l1_norm, 4), w.sup_norm, w.lipschitz
    (0.05, 1.0, 20.0)
    """
    return Exponential(check_positive(alpha, "alpha"))

"""Independent labels that say no more than the mean number of positives and the mean sum."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError

_Floats = NDArray[np.float64]
_STEPS = 500


@dataclass(frozen=True, slots=True)
class MaxEnt:
    """logit P(yᵢ = 1) = ``lam`` + ``theta``·(wᵢ − ``centre``).

    ``p`` is P(yᵢ = 1) of each row, ``log_partition`` is Σ ln(1 + e^(lam + theta·(wᵢ − centre))).
    """

    lam: float
    theta: float
    centre: int
    p: _Floats
    log_partition: float

    def log_density(self, k: int, total: float) -> float:
        """ln of the probability of each single choice of ``k`` rows with sum ``total``.

        It does not depend on the choice, so the number of such choices is
        P(k rows with sum total) / e^log_density.
        """
        return self.lam * k + self.theta * (total - k * self.centre) - self.log_partition


def maximum_entropy(
    weights: NDArray[np.int64], k: int, total: float, sizes: NDArray[np.int64] | None = None
) -> MaxEnt:
    """Fit Σp = ``k`` and Σp·w = ``total``; ``sizes`` says how many rows have each weight.

    Among all distributions of the labels with these two means it has the largest entropy, and given
    k and the sum all labelings are equally likely under it. Newton's method on the convex dual
    ln Z(λ, θ) − λk − θ·total. The sum must lie
    strictly between the smallest and the largest.

    >>> fit = maximum_entropy(np.array([0, 1, 2, 3]), 2, 3)
    >>> fit.p, round(fit.theta, 12)
    (array([0.5, 0.5, 0.5, 0.5]), 0.0)
    """
    size = np.ones(len(weights)) if sizes is None else sizes.astype(np.float64)
    rows = float(size.sum())
    mean = float(size @ weights / rows)
    spread = math.sqrt(float(size @ (weights - mean) ** 2 / rows))
    if not (0 < k < rows and spread > 0 and _attainable(weights, size, k, total)):
        raise RocsolidError(
            "no independent labels have these means",
            where=f"{k} of {int(rows)} rows with sum {total}",
            fix="the sum must lie strictly between the smallest and the largest",
        )
    x = (weights - mean) / spread
    aim = np.array([k, (total - k * mean) / spread])

    def dual(point: _Floats) -> tuple[float, _Floats]:
        logit = point[0] + point[1] * x
        return float(size @ np.logaddexp(0.0, logit)) - float(point @ aim), logit

    point = np.array([math.log(k / (rows - k)), 0.0])
    value, logit = dual(point)
    for _ in range(_STEPS):
        p = _logistic(logit)
        slope = np.array([size @ p, size @ (p * x)]) - aim
        w = size * p * (1.0 - p)
        wx = w * x
        a, b, c = w.sum(), wx.sum(), wx @ x
        determinant = a * c - b * b
        if not determinant > 0.0:
            break
        step = np.array([b * slope[1] - c * slope[0], b * slope[0] - a * slope[1]]) / determinant
        gain = -float(slope @ step)  # Newton's decrement, squared
        if gain < 1e-24 * rows:
            break
        share = 1.0
        while True:
            tried = point + share * step
            new_value, new_logit = dual(tried)
            if new_value <= value - 0.25 * share * gain or share < 1e-12:
                break
            # near the optimum the gain drowns in rounding; the full step is right there
            if gain < 1e-9 * (1.0 + abs(value)) and share == 1.0:
                break
            share /= 2.0
        point, value, logit = tried, new_value, new_logit
    theta = float(point[1] / spread)
    centre = round(mean)
    lam = float(point[0] + theta * (centre - mean))
    logit = (lam + theta * (weights - centre)).astype(np.float64)
    log_partition = math.fsum(size * np.logaddexp(0.0, logit))
    return MaxEnt(lam, theta, centre, _logistic(logit), log_partition)


def _attainable(weights: NDArray[np.int64], size: _Floats, k: int, total: float) -> bool:
    """Whether the sum lies strictly between the extremes."""
    order = np.argsort(weights)
    through = np.cumsum(size[order])
    chosen = np.diff(np.minimum(through, k), prepend=0.0)
    lightest = float(chosen @ weights[order])
    left_out = np.diff(np.minimum(through, through[-1] - k), prepend=0.0)
    heaviest = float((size[order] - left_out) @ weights[order])
    return lightest < total < heaviest


def _logistic(logit: _Floats) -> _Floats:
    small = np.exp(-np.abs(logit))
    return np.where(logit >= 0, 1.0, small) / (1.0 + small)

"""BCa: percentiles moved for bias and for a variance that changes with the value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.tails import tail
from rocsolid.results.interval import Alternative

SOURCE = "Efron, Journal of the American Statistical Association 82 (1987), 171-185"

_SAME = 1e-12  # values that differ by rounding alone count as equal to the estimate


def bca(
    estimate: float,
    values: NDArray[np.float64],
    acceleration: float,
    level: float,
    alternative: Alternative,
    range_: tuple[float, float] = (0.0, 1.0),
) -> tuple[float, float]:
    """Quantiles of the values at Φ(z₀ + (z₀+z)/(1−a(z₀+z))) for z at both tails.

    z₀ is the normal quantile of the share of values below the estimate (equal ones count half) and
    a the ``acceleration``. Second-order correct for smooth statistics; it still covers too seldom
    where few rows carry the tail. With all values on one side of the estimate there is no z₀.

    >>> low, high = bca(0.5, np.arange(101) / 100, 0.0, 0.9, "two-sided")
    >>> round(low, 9), round(high, 9)
    (0.05, 0.95)
    """
    from scipy.special import ndtr, ndtri

    near = np.abs(values - estimate) <= _SAME
    share = float(np.mean((values < estimate) & ~near) + 0.5 * np.mean(near))
    if not 0.0 < share < 1.0:
        raise UnsoundError(
            "all resampled values lie on one side of the estimate, so BCa knows no bias",
            where=f"{len(values):,} resamples",
            fix="take more resamples, or another interval",
        )
    bias = float(ndtri(share))

    def at(p: float) -> float:
        z = bias + float(ndtri(p))
        slope = 1.0 - acceleration * z
        if slope <= 0.0:  # past the pole: the tail has no end
            return range_[1] if z > 0.0 else range_[0]
        return float(np.quantile(values, ndtr(bias + z / slope)))

    p = tail(level, alternative)
    low = range_[0] if alternative == "less" else at(1.0 - p)
    high = range_[1] if alternative == "greater" else at(p)
    return low, high


def acceleration(influence: NDArray[np.float64]) -> float:
    """Σl³ / (6 (Σl²)^1.5) of the units' influences l on the estimate, each sample's summing to 0.

    The jackknife's form of it (Efron 1987, section 7), which for several samples, such as the
    positives and the negatives, runs over the units of all of them.

    >>> round(acceleration(np.array([-0.1, -0.1, 0.2])), 6)
    0.068041
    """
    squares = float(np.sum(influence**2))
    return 0.0 if squares == 0.0 else float(np.sum(influence**3)) / (6.0 * squares**1.5)

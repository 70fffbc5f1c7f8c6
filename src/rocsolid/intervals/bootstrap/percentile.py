"""The percentile bootstrap: quantiles of the resampled values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated.tails import tail
from rocsolid.results.interval import Alternative

SOURCE = "Efron, Annals of Statistics 7 (1979), 1-26; Efron and Tibshirani 1993, section 13.3"


def percentile(
    values: NDArray[np.float64],
    level: float,
    alternative: Alternative,
    range_: tuple[float, float] = (0.0, 1.0),
) -> tuple[float, float]:
    """The quantiles that leave (1−level)/2 of the values out at each end, interpolated linearly.

    First-order correct. It takes the spread of the values around the estimate for that of the
    estimate around the truth. Where the distribution is skewed, as for an AUC near 1, it therefore
    lies on the wrong side and covers too seldom.

    >>> low, high = percentile(np.arange(101) / 100, 0.9, "two-sided")
    >>> round(low, 9), round(high, 9)
    (0.05, 0.95)
    """
    p = tail(level, alternative)
    low = range_[0] if alternative == "less" else float(np.quantile(values, 1.0 - p))
    high = range_[1] if alternative == "greater" else float(np.quantile(values, p))
    return low, high

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.results.interval import Alternative

ASSUMPTIONS = (
    "queries independent and drawn alike",
    "the mean of their values close to normal: at least about ten queries in the skewed tail",
)
SOURCE = "Student, Biometrika 6 (1908), 1-25"

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]
Numbers = float | NDArray[np.float64]


def t_limits(
    mean: Numbers, std_error: Numbers, df: Numbers, level: float, alternative: Alternative
) -> Limits:
    """Return mean ± t_ν·SE with ν degrees of freedom; an end that was not requested is infinite.

    The limits are exact for independent normal values. The limits are not cut to the range of the
    measure, and a standard error of zero is not rejected: the caller does both.

    >>> low, high = t_limits(0.5, 0.1, 9, 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.2738 0.7262
    """
    from scipy.special import stdtrit

    half = stdtrit(df, tail(level, alternative)) * np.asarray(std_error)
    low, high = np.asarray(mean - half), np.asarray(mean + half)
    return (
        np.full_like(low, -np.inf) if alternative == "less" else low,
        np.full_like(high, np.inf) if alternative == "greater" else high,
    )

from __future__ import annotations

import numpy as np

from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.means.t import Limits, Numbers
from rocsolid.results.interval import Alternative

SOURCE = "Hall, The Bootstrap and Edgeworth Expansion, Springer 1992 (removal of skewness)"


def hall_limits(
    mean: Numbers,
    deviation: Numbers,
    skewness: Numbers,
    size: Numbers,
    level: float,
    alternative: Alternative,
) -> Limits:
    """Return the means μ whose u = (x̄−μ)/s has u + γu²/3 + γ²u³/27 + γ/(6n) within ± t/√n.

    The left side is ((1 + γu/3)³ − 1)/γ + γ/(6n). With the skewness γ of the values it is nearer to
    normal than u itself. The limit on the side of the long tail therefore moves out and the other
    limit in; γ = 0 yields Student's t. An end that was not requested is infinite.

    >>> low, high = hall_limits(0.5, 0.2, 2.0, 25, 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.4351 0.6414
    """
    from scipy.special import stdtrit

    third = np.asarray(skewness, dtype=np.float64) / 3.0
    reach = stdtrit(np.asarray(size) - 1.0, tail(level, alternative)) / np.sqrt(size)
    flat = np.abs(third) < 1e-9
    curved = np.where(flat, 1.0, third)

    def inverse(bound: Numbers) -> Numbers:
        z = bound - third / (2.0 * np.asarray(size))
        return np.where(flat, z, (np.cbrt(1.0 + 3.0 * curved * z) - 1.0) / curved)

    low = np.asarray(mean - deviation * inverse(reach))
    high = np.asarray(mean - deviation * inverse(-reach))
    return (
        np.full_like(low, -np.inf) if alternative == "less" else low,
        np.full_like(high, np.inf) if alternative == "greater" else high,
    )

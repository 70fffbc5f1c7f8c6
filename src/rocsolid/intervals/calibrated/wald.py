"""The plain interval: estimate ± normal quantile times standard error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated.tails import Limits, quantile, within_range
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Numbers


def wald(
    auc: Numbers, variance: NDArray[np.float64], level: float, alternative: Alternative
) -> Limits:
    """Â ± z√Var, cut to [0, 1]. Where the variance is NaN, so are the limits.

    >>> low, high = wald(0.8, np.asarray(0.0025), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.7020 0.8980
    """
    half = quantile(level, alternative) * np.sqrt(variance)
    return within_range(np.asarray(auc - half), np.asarray(auc + half), alternative)

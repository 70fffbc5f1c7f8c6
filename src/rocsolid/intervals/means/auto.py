"""The default interval for a mean over queries: logit-t and corrections for skewness."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.means import hall, logit_t, t
from rocsolid.intervals.means.t import Limits, Numbers
from rocsolid.intervals.means.tail import in_tail
from rocsolid.results.interval import Alternative

ASSUMPTIONS = (
    "queries independent and drawn alike",
    "the longer tail of their values not much heavier than the sample shows (coverage page)",
)
SOURCE = f"{t.SOURCE}; {logit_t.SOURCE}; {hall.SOURCE}; the hull of them, coverage page of rocsolid"

UNSEEN = 3.0
"""The skewness is raised by this over the number of queries that carry the tail."""


def auto_limits(
    rows: NDArray[np.float64], level: float, alternative: Alternative, *, bounded: bool = True
) -> Limits:
    """Return for each row of values the hull of logit-t and of Hall's limits at two skewnesses.

    One skewness is the sample's, the other the sample's times 1 + 3/r, with r the number of queries
    in the longer tail (`in_tail`). Bounded values lie in [0, 1]; for others Student's t replaces
    logit-t. The method is calibrated by simulation, not certified. Rows with equal values have
    width 0.

    >>> low, high = auto_limits(np.array([[0.1] * 16 + [0.3, 0.5, 0.7, 0.9]]), 0.95, "two-sided")
    >>> print(f"{low[0]:.4f} {high[0]:.4f}")
    0.1133 0.6472
    """
    size, mean = rows.shape[1], rows.mean(axis=1)
    deviation = rows.std(axis=1, ddof=1)
    error = deviation / math.sqrt(size)
    first = logit_t.logit_t_limits if bounded else t.t_limits
    members = [first(mean, error, size - 1, level, alternative)]
    skewness, carried = _skewness(rows, mean, deviation), in_tail(rows)
    raised: Numbers = 1.0 + UNSEEN / np.maximum(carried, 1.0 / UNSEEN)
    for part in (1.0, raised):
        members.append(hall.hall_limits(mean, deviation, skewness * part, size, level, alternative))
    lows, highs = zip(*members, strict=True)
    return np.minimum.reduce(lows), np.maximum.reduce(highs)


def _skewness(
    rows: NDArray[np.float64], mean: NDArray[np.float64], deviation: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the third moment over s³, corrected for the number of values; 0 for two values."""
    n = rows.shape[1]
    third = ((rows - mean[:, None]) ** 3).mean(axis=1)
    corrected = n * n / ((n - 1) * (n - 2)) if n > 2 else 0.0
    return np.asarray(corrected * third / np.where(deviation > 0.0, deviation, 1.0) ** 3)

"""DeLong's interval: the standard one, honest only for large samples away from 0 and 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated.tails import Limits, refuse_scalar
from rocsolid.intervals.calibrated.wald import wald
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

ASSUMPTIONS = (
    "rows independent within and between the classes",
    "both classes large and the AUC away from 0 and 1 (normal approximation)",
)
SOURCE = (
    "DeLong, DeLong and Clarke-Pearson, Comparing the areas under two or more correlated receiver "
    "operating characteristic curves: a nonparametric approach, Biometrics 44 (1988), 837-845"
)
REASON = "the estimated variance is zero, or a class has a single row"
FIX = 'use interval="auto", which holds there, or read the certified interval'


def delong(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """Â ± z√(s²(V10)/m + s²(V01)/n), cut to [0, 1] as in pROC.

    DeLong et al. 1988, equation 5, for one curve. Where the variance is zero (a perfect
    separation, or a constant score) the formula would claim certainty: a single data set is
    refused, a group among many gets NaN limits. Coverage near an AUC of 1 is far below the level
    at ordinary sizes; see the coverage page.

    >>> low, high = delong(Moments(0.8, 0.0010, 0.0015, 40, 60), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.7020 0.8980
    """
    bad = unsound(moments)
    refuse_scalar(bad, moments, "DeLong's interval", REASON, FIX)
    variance = np.where(bad, np.nan, moments.variance)
    return wald(moments.auc, variance, level, alternative)


def unsound(moments: Moments) -> NDArray[np.bool_]:
    """Where the variance is zero or, for a class of one row, unknown.

    >>> unsound(Moments(np.array([1.0, 0.8]), np.array([0, 0.001]), np.array([0, 0.001]), 9, 9))
    array([ True, False])
    """
    return np.asarray(~(np.asarray(moments.variance) > 0.0))

from __future__ import annotations

import numpy as np

from rocsolid.intervals.means.t import Limits, Numbers, t_limits
from rocsolid.results.interval import Alternative

ASSUMPTIONS = ("queries independent and drawn alike", "the logit of the mean close to normal")
SOURCE = (
    "Student, Biometrika 6 (1908), 1-25, on the logit scale by the delta method, as for an AUC in "
    "Pepe, The Statistical Evaluation of Medical Tests for Classification and Prediction, Oxford "
    "2003, section 5.2"
)


def logit_t_limits(
    share: Numbers, std_error: Numbers, df: Numbers, level: float, alternative: Alternative
) -> Limits:
    """Return expit(logit p ± t_ν·SE/(p(1−p))) for a mean p of values in [0, 1], 0 < p < 1.

    At a mean of 0 or 1 the limits are NaN.

    >>> low, high = logit_t_limits(0.9, 0.05, 9, 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.7192 0.9693
    """
    from scipy.special import expit, logit

    inside = np.where((np.asarray(share) > 0.0) & (np.asarray(share) < 1.0), share, np.nan)
    low, high = t_limits(
        logit(inside), std_error / (inside * (1.0 - inside)), df, level, alternative
    )
    return expit(low), expit(high)

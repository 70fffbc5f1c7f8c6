"""The bootstrap studentised on the logit: the estimate's error in units of its own spread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated.tails import tail
from rocsolid.results.interval import Alternative

SOURCE = (
    "Hall, The Bootstrap and Edgeworth Expansion, Springer 1992, chapter 3; logit scale as in "
    "Pepe, The Statistical Evaluation of Medical Tests for Classification and Prediction, Oxford "
    "2003, section 5.2"
)


def studentised_logit(
    estimate: float,
    variance: float,
    values: NDArray[np.float64],
    variances: NDArray[np.float64],
    level: float,
    alternative: Alternative,
) -> tuple[float, float]:
    """expit(logit θ̂ − t·σ̂) at quantiles t of (logit θ* − logit θ̂)/σ*, σ = √Var/(θ(1−θ)).

    Second-order correct. A resample at 0 or 1, or one without variance, has an infinite t. So when
    more than a tail's share of them is at 1, the lower limit is 0: the resamples do not say how
    far down the truth may lie. Quantiles are order statistics, the outer one where they fall
    between two.

    >>> values, variances = np.linspace(0.7, 0.9, 101), np.full(101, 0.0025)
    >>> low, high = studentised_logit(0.8, 0.0025, values, variances, 0.9, "two-sided")
    >>> print(f"{low:.3f} {high:.3f}")
    0.722 0.883
    """
    from scipy.special import expit, logit

    centre = float(logit(estimate))
    spread = np.sqrt(variance) / (estimate * (1.0 - estimate))
    with np.errstate(divide="ignore", invalid="ignore"):
        error = (logit(values) - centre) * values * (1.0 - values) / np.sqrt(variances)
        # at 0 and 1, and where a resample has no variance, the error has no bound
        endless = (values <= 0.0) | (values >= 1.0) | ~(variances > 0.0)
        error = np.where(endless, np.where(values == estimate, 0.0, np.inf), error)
    error = np.where(endless & (values < estimate), -np.inf, error)
    p = tail(level, alternative)
    low, high = 0.0, 1.0
    if alternative != "less":
        low = float(expit(centre - np.quantile(error, p, method="higher") * spread))
    if alternative != "greater":
        high = float(expit(centre - np.quantile(error, 1.0 - p, method="lower") * spread))
    return low, high

"""Hanley and McNeil's interval: the variance from the AUC alone, by an exponential model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated.tails import Limits, refuse_scalar
from rocsolid.intervals.calibrated.wald import wald
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

ASSUMPTIONS = (
    "rows independent within and between the classes",
    "scores exponential in both classes (the model that the variance comes from), without ties",
    "both classes large and the AUC away from 0 and 1 (normal approximation)",
)
SOURCE = (
    "Hanley and McNeil, The meaning and use of the area under a receiver operating characteristic "
    "(ROC) curve, Radiology 143 (1982), 29-36"
)
REASON = "the estimated AUC is 0 or 1, where the model's variance is zero"
FIX = 'use interval="auto", which holds there, or read the certified interval'


def hanley_mcneil(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """Â ± z√Var with the variance of `hanley_mcneil_variance`, cut to [0, 1].

    At Â of 0 or 1 a single data set is refused; a group among many gets NaN limits.

    >>> low, high = hanley_mcneil(Moments(0.893, 0.0, 0.0, 51, 58), 0.95, "two-sided")
    >>> print(f"{low:.3f} {high:.3f}")
    0.829 0.957
    """
    bad = unsound(moments)
    refuse_scalar(bad, moments, "Hanley and McNeil's interval", REASON, FIX)
    variance = np.where(bad, np.nan, hanley_mcneil_variance(moments))
    return wald(moments.auc, variance, level, alternative)


def hanley_mcneil_variance(moments: Moments) -> NDArray[np.float64]:
    """[A(1−A) + (m−1)(Q₁−A²) + (n−1)(Q₂−A²)]/(mn), Q₁ = A/(2−A), Q₂ = 2A²/(1+A).

    Hanley and McNeil 1982, equations 1 and 2. The paper's example, 51 abnormal and 58 normal
    images with an AUC of .893, has a standard error of .0320 with Q₁ and Q₂ counted in the
    ratings; the model's Q₁ and Q₂ give a little more.

    >>> print(f"{hanley_mcneil_variance(Moments(0.893, 0.0, 0.0, 51, 58)) ** 0.5:.4f}")
    0.0325
    """
    auc = np.asarray(moments.auc, dtype=np.float64)
    m, n = np.asarray(moments.n_pos), np.asarray(moments.n_neg)
    pairs = np.where(m * n > 0, m * n, np.nan)
    # Q₁−A² = A(1−A)·(1−A)/(2−A) and Q₂−A² = A(1−A)·A/(1+A): no cancellation near 0 and 1.
    parts = 1.0 + (m - 1.0) * (1.0 - auc) / (2.0 - auc) + (n - 1.0) * auc / (1.0 + auc)
    return np.asarray(auc * (1.0 - auc) * parts / pairs)


def unsound(moments: Moments) -> NDArray[np.bool_]:
    """Where the estimate is 0 or 1.

    >>> unsound(Moments(np.array([1.0, 0.8]), 0.0, 0.0, 9, 9))
    array([ True, False])
    """
    auc = np.asarray(moments.auc)
    return np.asarray((auc == 0.0) | (auc == 1.0))

"""Logit-t: DeLong's variance on the logit scale, with Welch's degrees of freedom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated import delong
from rocsolid.intervals.calibrated.tails import Limits, refuse_scalar, tail, within_range
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

ASSUMPTIONS = (
    "rows independent within and between the classes",
    "the logit of the estimate close to normal: some tens of discordant pairs in the smaller class",
)
SOURCE = (
    "DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845 (variance); "
    "Pepe, The Statistical Evaluation of Medical Tests for Classification and Prediction, Oxford "
    "2003, section 5.2 (logit scale); Welch, Biometrika 34 (1947), 28-35 (degrees of freedom)"
)
REASON = "the estimated AUC is 0 or 1, its estimated variance is zero, or a class has a single row"
FIX = 'use interval="auto", which holds there, or read the certified interval'


def logit_t(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """expit(logit Â ± t_ν √Var / (Â(1−Â))), with DeLong's Var and Welch's ν.

    The delta method on the logit keeps the limits inside (0, 1) and skews them the right way near
    the ends; Student's quantile pays for the variance being estimated. At Â of 0 or 1 there is no
    logit: a single data set is refused, a group among many gets NaN limits.

    >>> low, high = logit_t(Moments(0.8, 0.0010, 0.0015, 40, 60), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.6827 0.8815
    """
    from scipy.special import expit, logit, stdtrit

    bad = unsound(moments)
    refuse_scalar(bad, moments, "The logit-t interval", REASON, FIX)
    auc = np.where(bad, np.nan, moments.auc)
    spread = np.sqrt(moments.variance) / (auc * (1.0 - auc))
    half = stdtrit(degrees_of_freedom(moments), tail(level, alternative)) * spread
    centre = logit(auc)
    return within_range(expit(centre - half), expit(centre + half), alternative)


def degrees_of_freedom(moments: Moments) -> NDArray[np.float64]:
    """Welch's ν = V² / (v₁²/(m−1) + v₂²/(n−1)), V = v₁ + v₂; NaN where that is 0/0.

    With one class carrying all the variance, ν is that class's size less one. Under weights and for
    clusters see `Units.df`.

    >>> degrees_of_freedom(Moments(0.8, 0.001, 0.0, 40, 60)).item()
    39.0
    """
    bad = unsound(moments)
    v_pos = np.where(bad, np.nan, moments.var_pos)
    v_neg = np.where(bad, np.nan, moments.var_neg)
    # Shares of the variance, not variances, are squared: a variance of 1e-200 must not underflow.
    share = v_pos / (v_pos + v_neg)
    if moments.units is not None:
        return moments.units.df(share)
    df_pos = np.where(bad, np.nan, np.subtract(moments.n_pos, 1.0))
    df_neg = np.where(bad, np.nan, np.subtract(moments.n_neg, 1.0))
    return np.asarray(1.0 / (share**2 / df_pos + (1.0 - share) ** 2 / df_neg))


def unsound(moments: Moments) -> NDArray[np.bool_]:
    """Where DeLong's variance is unusable, the estimate is 0 or 1, or a class has one row.

    >>> unsound(Moments(np.array([1.0, 0.8]), np.array([0.1, 0.1]), np.array([0.1, 0.1]), 9, 9))
    array([ True, False])
    """
    inside = (np.asarray(moments.auc) > 0.0) & (np.asarray(moments.auc) < 1.0)
    several = (np.asarray(moments.n_pos) > 1.0) & (np.asarray(moments.n_neg) > 1.0)
    return np.asarray(delong.unsound(moments) | ~inside | ~several)

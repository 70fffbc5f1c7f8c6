"""Newcombe's method 5 with each class weighing by its own size."""

from __future__ import annotations

import numpy as np

from rocsolid.intervals.calibrated.newcombe5 import score_limits
from rocsolid.intervals.calibrated.tails import Limits
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments


def newcombe5_classwise(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """Every θ with (Â−θ)² ≤ z²θ(1−θ)[1 + (m−1)(1−θ)/(2−θ) + (n−1)θ/(1+θ)]/(mn).

    Hanley and McNeil's variance itself, in place of method 5's average over the classes, which
    halves the weight of a small positive class. Equal to method 5 when m = n.

    >>> low, high = newcombe5_classwise(Moments(0.95, 0.0, 0.0, 30, 1000), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.8668 0.9828
    """
    return score_limits(
        moments,
        np.asarray(moments.n_pos) - 1.0,
        np.asarray(moments.n_neg) - 1.0,
        level,
        alternative,
    )


def newcombe5_mirrored(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """The class-wise form with the classes exchanged: the exponential model turned around.

    Exchanging the labels and negating the scores turns Â into itself, m into n and the class-wise
    interval into this one. It covers what the class-wise form misses: few negatives.

    >>> low, high = newcombe5_mirrored(Moments(0.95, 0.0, 0.0, 1000, 30), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.8668 0.9828
    """
    exchanged = Moments(moments.auc, moments.var_neg, moments.var_pos, moments.n_neg, moments.n_pos)
    return newcombe5_classwise(exchanged, level, alternative)

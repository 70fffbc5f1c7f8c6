"""The default interval: logit-t, and near the boundary the hull of four intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated import logit_t as logit
from rocsolid.intervals.calibrated.newcombe5 import newcombe5
from rocsolid.intervals.calibrated.newcombe5_classwise import (
    newcombe5_classwise,
    newcombe5_mirrored,
)
from rocsolid.intervals.calibrated.tails import Limits
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

ASSUMPTIONS = (
    "rows independent within and between the classes",
    "scores not much more clustered than the simulated ones of the coverage page",
)
SOURCE = (
    "logit-t (DeLong, DeLong and Clarke-Pearson 1988; Pepe 2003, section 5.2; Welch 1947), and "
    "when min(m, n)·min(AUC, 1-AUC) < 10 the hull of it, of method 5 of Newcombe, Statistics in "
    "Medicine 25 (2006), 559-573, and of both class-wise forms of that; coverage page of rocsolid"
)

ENOUGH = 10.0
"""Rows of the smaller class that must, on average, be misplaced before logit-t stands alone."""


def auto(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """Logit-t where min(m, n)·min(Â, 1−Â) ≥ 10, else the hull of it and three Newcombe forms.

    Logit-t leaves the hull where it does not exist (Â of 0 or 1, an estimated variance of zero, a
    class of one row), so that a constant score never gets an interval of no width; far from the
    boundary the hull of the Newcombe forms takes its place there. Exchanging the labels and
    negating the scores changes nothing. Holds for any m, n ≥ 1; it is calibrated by simulation and
    not guaranteed.

    >>> low, high = auto(Moments(1.0, 0.0, 0.0, 10, 10), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.8002 1.0000
    """
    parts = np.broadcast_arrays(
        moments.auc, moments.var_pos, moments.var_neg, moments.n_pos, moments.n_neg
    )
    shape = parts[0].shape
    flat = [np.asarray(part, dtype=np.float64).reshape(-1) for part in parts]
    groups = Moments(*flat)
    low, high = logit.logit_t(groups, level, alternative)
    hulled = near_boundary(groups) | logit.unsound(groups)
    if not hulled.any():
        return low.reshape(shape), high.reshape(shape)
    some = Moments(*(part[hulled] for part in flat))
    for method in (newcombe5, newcombe5_classwise, newcombe5_mirrored):
        one_low, one_high = method(some, level, alternative)
        low[hulled] = np.fmin(low[hulled], one_low)
        high[hulled] = np.fmax(high[hulled], one_high)
    return low.reshape(shape), high.reshape(shape)


def near_boundary(moments: Moments) -> NDArray[np.bool_]:
    """Where fewer than ten rows of the smaller class are misplaced: min(m, n)·min(Â, 1−Â) < 10.

    >>> near_boundary(Moments(np.array([0.95, 0.8]), 0.0, 0.0, 100, 100))
    array([ True, False])
    """
    auc = np.asarray(moments.auc)
    smaller = np.minimum(moments.n_pos, moments.n_neg)
    return np.asarray(smaller * np.minimum(auc, 1.0 - auc) < ENOUGH)

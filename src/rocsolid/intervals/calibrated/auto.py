"""The default interval: logit-t, which fades into the hull of four intervals near an end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated import logit_t as logit
from rocsolid.intervals.calibrated.newcombe5 import newcombe5
from rocsolid.intervals.calibrated.newcombe5_classwise import (
    newcombe5_classwise,
    newcombe5_mirrored,
)
from rocsolid.intervals.calibrated.tails import Limits, tail
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

_FLOATS = NDArray[np.float64]

ASSUMPTIONS = (
    "rows independent within and between the classes",
    "scores not much more clustered than the simulated ones of the coverage page",
)
SOURCE = (
    "logit-t (DeLong, DeLong and Clarke-Pearson 1988; Pepe 2003, section 5.2; Welch 1947); where "
    "min(m, n)·min(AUC, 1-AUC) falls from 20 to 5 it fades into the hull of it, of method 5 of "
    "Newcombe, Statistics in Medicine 25 (2006), 559-573, and of both class-wise forms of that; "
    "with fewer than two misplaced rows the limits of Clopper and Pearson, Biometrika 26 (1934), "
    "404-413; coverage page of rocsolid"
)

HULL, ENOUGH, LOGIT = 5.0, 10.0, 20.0
"""Rows of the smaller class that are misplaced on average: up to ``HULL`` the hull stands, from
``LOGIT`` on logit-t stands alone; with fewer than ``ENOUGH`` few rows carry what is known."""

FEW = 2.0
"""Misplaced rows below which the nearer limit takes in that of Clopper and Pearson."""


def auto(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """Logit-t; near an end, more and more the hull of it and three Newcombe forms.

    `hull_share` says how much of the hull is taken, so that no limit jumps with the estimate. Where
    fewer than two rows of the smaller class are misplaced, the limit on the near side is at least
    as far out as Clopper and Pearson's for that many of k = min(m, n). At Â of 0 or 1 the same
    holds of the far limit, because nothing then shows where a misplaced row would fall. Logit-t
    leaves the hull where it does not exist (Â of 0 or 1, an estimated variance of zero, a class of
    one row), so that a constant score never gets an interval of no width. Where weights show that a
    class misses its heavy rows, the limits allow for one that is all wrong or all right
    (`unseen_share`). Exchanging the labels and negating the scores changes nothing. Holds for any
    m, n ≥ 1; it is calibrated by simulation and not guaranteed.

    >>> low, high = auto(Moments(1.0, 0.0, 0.0, 10, 10), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.6915 1.0000
    """
    parts = np.broadcast_arrays(
        moments.auc, moments.var_pos, moments.var_neg, moments.n_pos, moments.n_neg
    )
    shape = parts[0].shape
    flat = [np.asarray(moment, dtype=np.float64).reshape(-1) for moment in parts]
    groups = Moments(*flat, units=moments.units)
    low, high = logit.logit_t(groups, level, alternative)
    share = hull_share(groups)
    hulled = share > 0.0
    if hulled.any():
        some = Moments(*(moment[hulled] for moment in flat))
        alone = (low[hulled], high[hulled])
        hull = alone
        for method in (newcombe5, newcombe5_classwise, newcombe5_mirrored):
            one = method(some, level, alternative)
            hull = np.fmin(hull[0], one[0]), np.fmax(hull[1], one[1])
        low[hulled], high[hulled] = (
            faded(share[hulled], whole, logit_only)
            for whole, logit_only in zip(hull, alone, strict=True)
        )
        low[hulled], high[hulled] = _few_misplaced(
            some,
            np.broadcast_to(_misplaced(groups), share.shape)[hulled],
            low[hulled],
            high[hulled],
            1.0 - tail(level, alternative),
        )
    unseen = 0.0 if moments.units is None else moments.units.unseen
    low, high = (1.0 - unseen) * low, (1.0 - unseen) * high + unseen
    return low.reshape(shape), high.reshape(shape)


def faded(share: _FLOATS, hull: _FLOATS, alone: _FLOATS) -> _FLOATS:
    """A limit between the hull's and that of logit-t, which need not exist where the hull is all.

    >>> faded(np.array([1.0, 0.5]), np.array([0.5, 0.5]), np.array([np.nan, 0.75])).tolist()
    [0.5, 0.625]
    """
    rest = np.where(share < 1.0, alone, hull)
    return np.asarray(rest + share * (hull - rest))


def _few_misplaced(
    moments: Moments, misplaced: _FLOATS, low: _FLOATS, high: _FLOATS, share: float
) -> Limits:
    """The limits moved outward to Clopper and Pearson's, as far as ``FEW`` rows are misplaced."""
    auc, size = np.asarray(moments.auc), np.minimum(moments.n_pos, moments.n_neg)
    with np.errstate(divide="ignore"):
        near = np.clip(np.log2(FEW / misplaced), 0.0, 1.0)  # all of it for one row and fewer
    far = np.where(misplaced == 0.0, 1.0, 0.0)
    if not near.any():
        return low, high
    exact_low, exact_high = clopper_pearson(size * auc, size, share)
    low = low + np.where(auc > 0.5, far, near) * np.minimum(exact_low - low, 0.0)
    return low, high + np.where(auc < 0.5, far, near) * np.maximum(exact_high - high, 0.0)


def hull_share(moments: Moments) -> _FLOATS:
    """How much of a limit comes from the hull: all of it for few misplaced rows, none for many.

    It falls with the logarithm of min(m, n)·min(Â, 1−Â); where logit-t does not exist it is 1.

    >>> groups = Moments(np.array([0.95, 0.9, 0.8]), np.full(3, 0.01), np.full(3, 0.01), 100, 100)
    >>> hull_share(groups).round(6)
    array([1. , 0.5, 0. ])
    """
    with np.errstate(divide="ignore"):
        share = np.clip(np.log(LOGIT / _misplaced(moments)) / np.log(LOGIT / HULL), 0.0, 1.0)
    return np.where(logit.unsound(moments), 1.0, share)


def _misplaced(moments: Moments) -> _FLOATS:
    """Rows of the smaller class at the wrong end, or the clusters that misplace rows."""
    if moments.units is not None and moments.units.misplaced is not None:
        return np.asarray(moments.units.misplaced, dtype=np.float64)
    auc = np.asarray(moments.auc, dtype=np.float64)
    return np.asarray(np.minimum(moments.n_pos, moments.n_neg) * np.minimum(auc, 1.0 - auc))


def near_boundary(moments: Moments) -> NDArray[np.bool_]:
    """Where fewer than ten rows of the smaller class are misplaced: min(m, n)·min(Â, 1−Â) < 10.

    >>> near_boundary(Moments(np.array([0.95, 0.8]), 0.0, 0.0, 100, 100))
    array([ True, False])
    """
    return _misplaced(moments) < ENOUGH

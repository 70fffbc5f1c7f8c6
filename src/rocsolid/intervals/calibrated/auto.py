"""The default interval: logit-t, and near 0 or 1 the hull of four intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.calibrated import standard_error
from rocsolid.intervals.calibrated.standard_error import (
    Limits,
    degrees_of_freedom,
    newcombe5_hull,
    quantile,
    tail,
)
from rocsolid.intervals.clopper_pearson import SOURCE as BINOMIAL
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.results.interval import VALUE, VARIANCE, Alternative, Interval, Reads
from rocsolid.summaries.moments import Moments, Numbers

_FLOATS = NDArray[np.float64]

ASSUMPTIONS = (
    "rows are independent within and between the classes",
    "scores not much more clustered than those simulated on the coverage page",
)
SOURCE = (
    "logit-t (DeLong, DeLong and Clarke-Pearson 1988; Pepe 2003, section 5.2; Welch 1947). As "
    "min(m, n)·min(AUC, 1-AUC) falls from 20 to 5, the interval changes gradually to the hull of "
    "logit-t, method 5 and its two class-wise forms (Newcombe, Statistics in Medicine 25 (2006), "
    "559-573). With fewer than two misplaced rows, the nearer limit moves out to the binomial "
    "limit (Clopper and Pearson, Biometrika 26 (1934), 404-413). See the coverage page of rocsolid"
)

HULL, ENOUGH, LOGIT = 5.0, 10.0, 20.0
"""Misplaced rows of the smaller class: up to ``HULL`` the hull, from ``LOGIT`` on logit-t alone.
Fewer than ``ENOUGH`` cause a warning."""

FEW = 2.0
"""Misplaced rows below which the nearer limit moves out to that of Clopper and Pearson."""


def auto(moments: Moments, level: Numbers, alternative: Alternative) -> Limits:
    """Return logit-t limits; near an end, a mixture with the hull of it and three Newcombe forms.

    `hull_share` is the share of the hull, so no limit jumps with the estimate. If fewer than two
    rows of the smaller class are misplaced, the near limit is at least as far out as Clopper and
    Pearson's for that many of k = min(m, n). At Â of 0 or 1 so is the far limit. A constant score
    never has an interval of width 0. Weights that show that a class misses its heavy rows widen the
    limits (`Units.unseen`). Exchanging the labels and negating the scores mirrors the interval. The
    method is calibrated by simulation, not certified.

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
    low, high = standard_error.logit_t(groups, level, alternative)
    levels = np.broadcast_to(level, low.shape)
    share = hull_share(groups)
    hulled = share > 0.0
    if hulled.any():
        few = Moments(*(moment[hulled] for moment in flat))
        alone = (low[hulled], high[hulled])
        newcombe = newcombe5_hull(few, levels[hulled], alternative)
        hull = np.fmin(alone[0], newcombe[0]), np.fmax(alone[1], newcombe[1])
        low[hulled], high[hulled] = (
            faded(share[hulled], whole, logit_only)
            for whole, logit_only in zip(hull, alone, strict=True)
        )
        low[hulled], high[hulled] = _few_misplaced(
            few,
            np.broadcast_to(_misplaced(groups), share.shape)[hulled],
            low[hulled],
            high[hulled],
            np.asarray(1.0 - tail(levels[hulled], alternative)),
        )
    unseen = 0.0 if moments.units is None else moments.units.unseen
    low, high = (1.0 - unseen) * low, (1.0 - unseen) * high + unseen
    return low.reshape(shape), high.reshape(shape)


_FINEST, _HALVINGS = 1e-15, 60


def auto_p_values(moments: Moments) -> _FLOATS:
    """Return for each group the least 1 − level at which its two-sided interval excludes ½.

    >>> groups = Moments(np.array([0.8, 0.5, 1.0]), 0.001, np.array([0.0015, 0.001, 0.0]), 40, 60)
    >>> auto_p_values(groups).round(6)
    array([2.4e-05, 1.0e+00, 0.0e+00])
    """
    from scipy.special import logit, stdtr

    parts = (moments.auc, moments.var_pos, moments.var_neg, moments.n_pos, moments.n_neg)
    groups = Moments(*np.broadcast_arrays(*parts), units=moments.units)
    auc, hulled = np.asarray(groups.auc), hull_share(groups) > 0.0
    inside = np.where(hulled, 0.5, auc)
    error = np.sqrt(np.where(hulled, 1.0, groups.variance)) / (inside * (1.0 - inside))
    df = np.where(hulled, 1.0, degrees_of_freedom(groups))
    p = 2.0 * stdtr(df, -np.abs(logit(inside)) / error)
    index = np.flatnonzero(hulled)
    if len(index):
        own = groups.chosen(index)
        least, most = np.full(len(index), np.log(_FINEST)), np.zeros(len(index))
        for _ in range(_HALVINGS):
            middle = (least + most) / 2.0
            low, high = auto(own, -np.expm1(middle), "two-sided")
            outside = (low > 0.5) | (high < 0.5)
            least, most = np.where(outside, least, middle), np.where(outside, middle, most)
        p[index] = np.exp(most)
    return np.asarray(np.where(auc == 0.5, 1.0, p))


def faded(share: _FLOATS, hull: _FLOATS, alone: _FLOATS) -> _FLOATS:
    """Mix a limit of the hull with that of logit-t, which may be NaN if the share is 1.

    >>> faded(np.array([1.0, 0.5]), np.array([0.5, 0.5]), np.array([np.nan, 0.75])).tolist()
    [0.5, 0.625]
    """
    rest = np.where(share < 1.0, alone, hull)
    return np.asarray(rest + share * (hull - rest))


def _few_misplaced(
    moments: Moments, misplaced: _FLOATS, low: _FLOATS, high: _FLOATS, share: _FLOATS
) -> Limits:
    """Move the limits outward to Clopper and Pearson's if fewer than ``FEW`` rows are misplaced."""
    few = misplaced < FEW
    if not few.any():
        return low, high
    auc, size = np.asarray(moments.auc)[few], np.minimum(moments.n_pos, moments.n_neg)[few]
    with np.errstate(divide="ignore"):
        near = np.clip(np.log2(FEW / misplaced[few]), 0.0, 1.0)  # all of it for one row and fewer
    far = np.where(misplaced[few] == 0.0, 1.0, 0.0)
    exact_low, exact_high = clopper_pearson(size * auc, size, share[few])
    low, high = low.copy(), high.copy()
    low[few] += np.where(auc > 0.5, far, near) * np.minimum(exact_low - low[few], 0.0)
    high[few] += np.where(auc < 0.5, far, near) * np.maximum(exact_high - high[few], 0.0)
    return low, high


def hull_share(moments: Moments) -> _FLOATS:
    """Return the share of the hull in a limit, which falls with ln(min(m, n)·min(Â, 1−Â)).

    >>> groups = Moments(np.array([0.95, 0.9, 0.8]), np.full(3, 0.01), np.full(3, 0.01), 100, 100)
    >>> hull_share(groups).round(6)
    array([1. , 0.5, 0. ])
    """
    with np.errstate(divide="ignore"):
        share = np.clip(np.log(LOGIT / _misplaced(moments)) / np.log(LOGIT / HULL), 0.0, 1.0)
    return np.where(standard_error.unsound_of_logit_t(moments), 1.0, share)


def _misplaced(moments: Moments) -> _FLOATS:
    """Return the number of misplaced rows of the smaller class, or of clusters with such rows."""
    if moments.units is not None and moments.units.misplaced is not None:
        return np.asarray(moments.units.misplaced, dtype=np.float64)
    auc = np.asarray(moments.auc, dtype=np.float64)
    return np.asarray(np.minimum(moments.n_pos, moments.n_neg) * np.minimum(auc, 1.0 - auc))


def near_boundary(moments: Moments) -> NDArray[np.bool_]:
    """Return whether fewer than ten rows of the smaller class are misplaced.

    >>> near_boundary(Moments(np.array([0.95, 0.8]), 0.0, 0.0, 100, 100))
    array([ True, False])
    """
    return _misplaced(moments) < ENOUGH


@dataclass(frozen=True, slots=True)
class Method:
    """A calibrated method: its limits, assumptions and source, and where it does not hold.

    ``unsound`` marks the groups with NaN limits, and ``reason`` states why. ``reads`` lists the
    facts about the labels that the limits depend on.
    """

    limits: Callable[[Moments, float, Alternative], Limits]
    assumptions: tuple[str, ...]
    source: str
    unsound: Callable[[Moments], NDArray[np.bool_]]
    reason: str
    reads: Reads = VARIANCE


def _no_group(moments: Moments) -> NDArray[np.bool_]:
    return np.zeros(np.shape(moments.auc), dtype=np.bool_)


METHODS: dict[str, Method] = {
    "auto": Method(auto, ASSUMPTIONS, SOURCE, _no_group, ""),
    "delong": Method(
        standard_error.delong, standard_error.DELONG_ASSUMPTIONS, standard_error.DELONG_SOURCE,
        standard_error.unsound_of_delong, standard_error.DELONG_REASON,
    ),
    "logit-t": Method(
        standard_error.logit_t, standard_error.LOGIT_T_ASSUMPTIONS, standard_error.LOGIT_T_SOURCE,
        standard_error.unsound_of_logit_t, standard_error.LOGIT_T_REASON,
    ),
    "newcombe5": Method(
        standard_error.newcombe5, standard_error.ASSUMPTIONS, standard_error.SOURCE, _no_group, "",
        VALUE,
    ),
    "hanley-mcneil": Method(
        standard_error.hanley_mcneil, standard_error.HANLEY_MCNEIL_ASSUMPTIONS,
        standard_error.HANLEY_MCNEIL_SOURCE, standard_error.unsound, standard_error.REASON, VALUE,
    ),
}  # fmt: skip
"""Public name of each method of ``rs.auc(..., interval=name)``."""


def within(calibrated: Interval, certified: Interval | None, value: float) -> Interval:
    """Cut the default interval to the certified one of the same level and alternative.

    In simulations this lowers the coverage by .001 at most. ``value`` stays inside despite
    rounding. If the certified interval cut a limit, the method and the source name it.

    >>> auto = Interval(0.60, 0.99, 0.95, "auto (hull)", source="a")
    >>> print(within(auto, Interval(0.65, 0.995, 0.95, "hinge", True, source="b"), 0.9))
    [0.6500, 0.9900] at 95 % (auto (hull, hinge))
    """
    if certified is None:
        return calibrated
    low = max(calibrated.low, min(certified.low, value))
    high = min(calibrated.high, max(certified.high, value))
    reads = calibrated.reads | certified.reads  # that nothing was cut off says something too
    if (low, high) == (calibrated.low, calibrated.high):
        return replace(calibrated, reads=reads)
    return replace(
        calibrated,
        low=low,
        high=high,
        method=f"{calibrated.method.removesuffix(')')}, {certified.method})",
        source=f"{calibrated.source}; cut to the certified interval ({certified.source})",
        reads=reads,
    )


LOGIT_SHARE_ENOUGH, LOGIT_SHARE_FEW = 20.0, 5.0
"""Trials on the rarer side from which on logit-t stands alone, and up to which the hull does."""
_ROUNDING = 1e-12  # closer to 0 or 1 a share under weights is at that end, and has no logit

LOGIT_SHARE_SOURCE = (
    "influence functions on the logit scale (Boyd, Eng and Page 2013, section 3.2); with fewer "
    f"than {LOGIT_SHARE_ENOUGH:g} trials on the rarer side the hull with binomial limits "
    f"({BINOMIAL})"
)


def share_hull(share: ArrayLike, trials: ArrayLike) -> _FLOATS:
    """Return the share of the hull in a limit: 1 for few trials on the rarer side.

    >>> share_hull(0.5, [10.0, 20.0, 40.0])
    array([1. , 0.5, 0. ])
    """
    rarer = np.asarray(trials) * np.minimum(share, np.subtract(1.0, share))
    counted = np.maximum(rarer, LOGIT_SHARE_FEW)
    fading = np.log(LOGIT_SHARE_ENOUGH / counted) / math.log(LOGIT_SHARE_ENOUGH / LOGIT_SHARE_FEW)
    return np.where(rarer > LOGIT_SHARE_FEW, np.clip(fading, 0.0, 1.0), 1.0)


def logit_share(
    share: ArrayLike,
    variance: ArrayLike,
    df: ArrayLike,
    trials: ArrayLike,
    level: float,
    alternative: Alternative,
    *,
    reach: float = 1.0,
    alone: bool = False,
) -> Limits:
    """Return expit(logit Â ± t_ν √Var/(Â(1−Â))), near an end mixed with Clopper and Pearson's.

    An average precision of m positives, or a share of k rows, varies at most about as much as the
    share of ``trials`` coin tosses (Boyd et al. 2013). ``reach`` is the share when all trials
    succeed. ``alone`` selects logit-t without the hull; without a logit or a variance its limits
    are NaN.

    >>> low, high = logit_share(0.8, 0.0016, 60.0, 200.0, 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.7081 0.8683
    >>> low, high = logit_share(1.0, 0.0, float("nan"), 10.0, 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.6915 1.0000
    """
    from scipy.special import expit, logit, stdtrit

    share, variance, df, trials = np.broadcast_arrays(share, variance, df, trials)
    p, outside = tail(level, alternative), (share <= _ROUNDING) | (share >= 1.0 - _ROUNDING)
    known = ~outside & (variance > 0.0) & (df > 0.0)
    inner = np.where(known, share, 0.5)
    half = stdtrit(np.where(known, df, 1.0), p) * np.sqrt(np.where(known, variance, 0.0))
    half = half / (inner * (1.0 - inner))
    centre = logit(inner)
    low, high = (np.where(known, expit(centre + side), np.nan) for side in (-half, half))
    came_up = np.minimum(share / reach, 1.0)
    if not alone:
        of_hull = np.where(known, share_hull(came_up, trials), 1.0)
        index = np.nonzero(np.atleast_1d(of_hull > 0.0))
        came, tossed, at, hull = (
            np.atleast_1d(column)[index] for column in (came_up, trials, share, of_hull)
        )
        ends = clopper_pearson(came * tossed, tossed, 1.0 - p)
        wide = np.minimum(reach * ends[0], at), np.maximum(reach * ends[1], at)
        low, high = low.reshape(-1), high.reshape(-1)
        below, above = low[index], high[index]
        faint = np.isnan(below)
        low[index] = np.where(faint, wide[0], below - hull * np.maximum(below - wide[0], 0.0))
        high[index] = np.where(faint, wide[1], above + hull * np.maximum(wide[1] - above, 0.0))
        low, high = low.reshape(share.shape), high.reshape(share.shape)
    low = np.zeros_like(low) if alternative == "less" else low
    return low, np.ones_like(high) if alternative == "greater" else high


WILSON_SOURCE = "Wilson, Journal of the American Statistical Association 22 (1927), 209-212"
SOURCE_OF_TWO = (
    "Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10; Donner and Zou, Statistical "
    "Methods in Medical Research 21 (2012), 347-359 (ratios)"
)


class Proportion(NamedTuple):
    value: float
    low: float
    high: float

    @property
    def complement(self) -> Proportion:
        return Proportion(1.0 - self.value, 1.0 - self.high, 1.0 - self.low)


def wilson(hits: float, rows: float, level: float) -> Proportion:
    """Return every p with (p̂ − p)² ≤ z²p(1−p)/rows, which never has width 0.

    >>> wilson(0, 10, 0.95)
    Proportion(value=0.0, low=0.0, high=0.2775...)
    """
    z2 = quantile(level, "two-sided") ** 2
    p = hits / rows
    centre = (p + z2 / (2 * rows)) / (1 + z2 / rows)
    half = math.sqrt(z2 * (p * (1 - p) / rows + z2 / (4 * rows**2))) / (1 + z2 / rows)
    # at 0 and at all rows the limit is exactly the end
    low = 0.0 if hits == 0 else centre - half
    return Proportion(p, low, 1.0 if hits == rows else centre + half)


def sum_limits(
    a: float, first: Proportion, b: float, second: Proportion, correlation: float = 0.0
) -> tuple[float, float]:
    """Return limits for a·p₁ + b·p₂, a ≥ 0, of two proportions (Newcombe 1998, method 10).

    Independent proportions have a ``correlation`` of 0.

    >>> low, high = sum_limits(1, wilson(56, 70, 0.95), -1, wilson(48, 80, 0.95))
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    value = a * first.value + b * second.value
    down, up = (second.low, second.high) if b >= 0 else (second.high, second.low)
    shared = math.copysign(2.0 * correlation, correlation * b)

    def distance(of_first: float, of_second: float) -> float:
        return math.sqrt(of_first**2 + of_second**2 + shared * of_first * of_second)

    low = value - distance(a * (first.value - first.low), b * (second.value - down))
    return low, value + distance(a * (first.high - first.value), b * (up - second.value))


def ratio_limits(first: Proportion, second: Proportion) -> tuple[float, float]:
    """Return limits for p₁/p₂: the ratios r for which the limits of p₁ − r·p₂ enclose 0.

    Donner and Zou 2012. The upper limit is infinite if p₂ may be 0.

    >>> low, high = ratio_limits(wilson(30, 40, 0.95), wilson(10, 100, 0.95))
    >>> round(low, 2), round(high, 2)
    (4.1, 13.75)
    >>> ratio_limits(wilson(0, 40, 0.95), wilson(0, 100, 0.95))
    (0.0, inf)
    """
    product = first.value * second.value
    down = (2 * first.value - first.low) * first.low, (2 * second.value - second.high) * second.high
    up = (2 * first.value - first.high) * first.high, (2 * second.value - second.low) * second.low
    # r²·x − 2r·p₁p₂ + y = 0 with (y, x) of each side; the roots without a difference of like terms
    low = _root(product, *down, smaller=True)
    return low, _root(product, *up, smaller=False)


def _root(product: float, constant: float, square: float, *, smaller: bool) -> float:
    """Return the root at which the limits of p₁ − r·p₂ exclude 0 as r leaves p₁/p₂ on one side."""
    root = math.sqrt(max(product**2 - constant * square, 0.0))
    if smaller:
        return constant / (product + root) if constant > 0.0 else 0.0
    return (product + root) / square if square > 0.0 else math.inf

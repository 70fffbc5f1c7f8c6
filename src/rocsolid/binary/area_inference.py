"""Calibrated and certified intervals for weighted areas."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Area, sizes_of
from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import (
    Design,
    auto_name,
    beside,
    certifiable,
    of_curve,
    refuse_undeclared,
)
from rocsolid.binary.resampling.auc import area_bootstrap
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated import standard_error
from rocsolid.intervals.calibrated.auto import auto, hull_share, near_boundary, within
from rocsolid.intervals.calibrated.standard_error import (
    DELONG_REASON,
    FIX,
    tail,
    unsound_of_delong,
    wald,
)
from rocsolid.intervals.guarantees import (
    weighted_dkw,
    weighted_mcdiarmid,
    weighted_plug_in,
    weighted_sandwich,
    weighted_theorem_2,
)
from rocsolid.intervals.guarantees.band import band_interval, box_interval
from rocsolid.intervals.guarantees.rooks import rooks_interval
from rocsolid.intervals.guarantees.top_negatives import top_inside, top_interval
from rocsolid.intervals.guarantees.weighted_area import sandwich_slope
from rocsolid.intervals.guarantees.weighted_best import best_area_interval, box_dkw, of_weight
from rocsolid.results import Alternative, Interval
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.ranked_classes import RankedClasses
from rocsolid.weights import ramp
from rocsolid.weights.losses import Side, Step

ENOUGH = 20.0
"""Rows of each class in the region above which the variance alone describes the precision."""

CALIBRATED = ("auto", "logit-t", "wald", *BOOTSTRAPS)
_OF_PLUG_IN = ("weighted-plug-in", "weighted-theorem-2")
_OF_ROWS = {
    "weighted-band": band_interval,
    "weighted-rooks": rooks_interval,
    "weighted-top": top_interval,
}
CERTIFIED = (
    *_OF_ROWS, "weighted-dkw", "weighted-mcdiarmid", "weighted-sandwich",
    *_OF_PLUG_IN,
)  # fmt: skip
_FROM_SIZES = {
    "weighted-dkw": weighted_dkw,
    "weighted-plug-in": weighted_plug_in,
    "weighted-theorem-2": weighted_theorem_2,
}
_SIDES: tuple[Side, Side] = ("below", "above")
NAMES = (*CALIBRATED, *CERTIFIED)

_INDEPENDENT = "rows are independent within and between the classes"
_NORMAL = "some tens of rows of each class in the region (normal approximation)"
_WEIGHTS = "weights fixed without regard to the scores; sizes are effective sizes"
_SOURCE = (
    "influence functions of the area under the completed curve; logit scale as in Pepe, The "
    "Statistical Evaluation of Medical Tests for Classification and Prediction, Oxford 2003, "
    "section 5.2"
)


def asked_interval(area: Area, options: Options) -> Interval:
    if options.interval in CERTIFIED:
        refuse_undeclared(area.summary, options.design, options.interval)
        return _guaranteed(area, options.interval, options.level, options.alternative)
    if options.interval in BOOTSTRAPS:
        return _bootstrap(area, options)
    if area.loss is not None and not area.loss.in_unit_range:
        return _unbounded(area, options)
    return _calibrated(area, options)


def certificate(
    area: Area, level: float, alternative: Alternative, design: Design = None
) -> Deferred[Interval] | None:
    """The tightest interval that is valid for every distribution; independent of the scores.

    None if the norms of the weight were only probed, for the plug-in estimator with a weight that
    jumps, and under sample weights if the weight is neither Lipschitz nor a step or the design is
    not declared.
    """
    weight = area.weight
    if weight.probed or not certifiable(area.summary, design):
        return None
    if area.loss is not None:
        known = weight.lipschitz < float("inf") and area.loss.in_unit_range
        name = "weighted-plug-in" if known and weight.axis == "fpr" else None
    elif isinstance(area.data, SortedClasses) and area.box is None:
        scores = area.data
        return Deferred(lambda: best_area_interval(scores, weight, 1.0 - level, alternative))
    elif area.summary.squared_shares is None:
        name = "weighted-band"  # of many streamed rows, the scores at some ranks are known
    elif area.box is not None:
        name = None
    elif weight.lipschitz < float("inf"):
        name = "weighted-mcdiarmid"
    else:
        name = "weighted-sandwich" if isinstance(weight, Step) else None
    if name is None:
        return None
    chosen = name
    limits = Deferred(lambda: _guaranteed(area, chosen, level, alternative))
    if name == "weighted-sandwich" and area.again is not None:
        limits()  # now, because the source of the rows is closed later
    return limits


def cut_inside(
    area: Area, interval: Interval, level: float, alternative: Alternative
) -> Interval | None:
    """The default interval cut to `top_inside`; ``None`` if the area has another certificate."""
    weight, classes = area.weight, area.data
    if not isinstance(classes, SortedClasses) or area.box is not None or area.loss is not None:
        return None
    method = of_weight(weight, len(classes.pos), len(classes.neg))
    if weight.constant is not None or method != "weighted-top":
        return None
    certified = top_inside(classes, weight, interval.low, interval.high, 1.0 - level, alternative)
    return within(interval, certified, area.value)


def _calibrated(area: Area, options: Options) -> Interval:
    method = options.interval
    if method == "auto":
        low, high, name = auto_limits(
            area.shares, area.in_region, options, boxed=area.box is not None
        )
        method = str(name)
    elif method == "logit-t":
        low, high = standard_error.logit_t(area.shares, options.level, options.alternative)
    else:
        _check_variance(area)
        variance = np.asarray(area.shares.variance)
        low, high = wald(area.shares.auc, variance, options.level, options.alternative)
    return scaled(area.summary, area.largest, (float(low), float(high)), method, options)


_NO_ROW = "auto (no row in the region)"


def auto_limits(
    shares: Moments, in_region: tuple[Any, Any], options: Options, *, boxed: bool = False
) -> tuple[Any, Any, Any]:
    """The default limits for shares of the largest area, and the names of the methods.

    ``shares`` describe one area or, as columns, many. ``in_region`` counts the rows of each class
    in the region; without any, the interval is the whole range.

    >>> shares = Moments(np.array([0.8, 0.8]), 0.001, 0.001, 100.0, 100.0)
    >>> auto_limits(shares, (100.0, np.array([0.5, 50.0])), Options())[2].tolist()
    ['auto (no row in the region)', 'auto (logit-t and hull)']
    """
    counted = _in_region(shares, *in_region)
    none = np.minimum(*in_region) < 1.0
    if counted.units is None:  # placeholder sizes, so that the unused limits are defined
        m, n = (np.where(none, 1.0, size) for size in (counted.n_pos, counted.n_neg))
        counted = replace(counted, n_pos=m, n_neg=n)
    low, high = auto(counted, options.level, options.alternative)
    if boxed:
        # at a corner the area grows with the square of the curve's height, and may be 0
        variance = np.asarray(shares.variance)
        low = np.fmin(low, wald(shares.auc, variance, options.level, options.alternative)[0])
    names = np.where(none, _NO_ROW, auto_name(counted))
    return np.where(none, 0.0, low), np.where(none, 1.0, high), names


def _unbounded(area: Area, options: Options) -> Interval:
    from scipy.special import ndtri

    if options.interval == "logit-t":
        raise UnsoundError(
            "the logit-t interval needs an area between 0 and its largest value",
            where="loss",
            fix='use interval="wald", or a loss with values in [0, 1]',
        )
    _check_variance(area)
    half = float(ndtri(tail(options.level, options.alternative))) * float(
        np.sqrt(sum(area.variance))
    )
    top = area.weight.sup_norm
    method = "auto (wald)" if options.interval == "auto" else "wald"
    return Interval(
        float("-inf") if options.alternative == "less" else area.value - half,
        top if options.alternative == "greater" else min(area.value + half, top),
        options.level, method, False, (_INDEPENDENT, _NORMAL), _SOURCE, (float("-inf"), top),
        reads=of_curve(area.summary),
    )  # fmt: skip


def _check_variance(area: Area) -> None:
    if unsound_of_delong(area.shares):
        raise UnsoundError(
            "Wald's interval does not hold here: " + DELONG_REASON,
            where=f"area {area.value:.6g} of at most {area.largest:.6g}",
            fix=FIX,
        )


def _bootstrap(area: Area, options: Options) -> Interval:
    return area_bootstrap(
        area, options.interval, options.level, options.alternative, options.resampling,
        near=near_end(area),
        auto=lambda: asked_interval(
            area, replace(options, interval="auto", resampling=Resampling())
        ),
    )  # fmt: skip


def near_end(area: Area) -> bool:
    shares = _in_region(area.shares, *area.in_region)
    return min(area.in_region) < 1.0 or bool(near_boundary(shares))


def hulled(shares: Moments, in_region: tuple[Any, Any]) -> NDArray[np.bool_]:
    """Whether the default interval is wider than logit-t because few rows are misplaced."""
    few = np.minimum(*in_region) < 1.0
    return np.asarray(few | (hull_share(_in_region(shares, *in_region)) > 0.0))


def _in_region(shares: Moments, m: Any, n: Any) -> Moments:
    few = np.minimum(m, n) < ENOUGH
    if shares.units is not None:
        return replace(shares, n_pos=m, n_neg=n, units=None) if few else shares
    sizes = np.where(few, m, shares.n_pos), np.where(few, n, shares.n_neg)
    return replace(shares, n_pos=sizes[0], n_neg=sizes[1])


def scaled(
    summary: BinarySummary, largest: float, limits: tuple[float, float], method: str,
    options: Options,
) -> Interval:  # fmt: skip
    assumptions: tuple[str, ...] = (_INDEPENDENT,) if method == _NO_ROW else (_INDEPENDENT, _NORMAL)
    if summary.weighted and method != _NO_ROW:
        assumptions += (_WEIGHTS,)
    return Interval(
        largest * limits[0], largest * limits[1], options.level, method, False, assumptions,
        _SOURCE, (0.0, largest), reads=of_curve(summary),
    )  # fmt: skip


def _guaranteed(area: Area, name: str, level: float, alternative: Alternative) -> Interval:
    if (area.loss is not None) != (name in _OF_PLUG_IN):
        raise UnsoundError(
            f"{name} is not a bound for this estimator",
            where="interval",
            fix=f'{", ".join(_OF_PLUG_IN)} are about estimator="plug-in", the rest about "curve"',
        )
    if area.loss is not None and not area.loss.in_unit_range:
        raise UnsoundError(
            f"{name} needs a loss with values in [0, 1]",
            where="loss",
            fix="use the step, ramp or sigmoid loss",
        )
    delta, weight = 1.0 - level, area.weight
    plain = area.summary.squared_shares is None
    if name in _OF_ROWS and isinstance(area.data, RankedClasses) and name != "weighted-band":
        raise UnsoundError(
            f"{name} reads every score, and they are not available here",
            where="interval",
            fix="use weighted-band, or evaluate in memory",
        )
    if not plain and name not in ("weighted-mcdiarmid", "weighted-sandwich"):
        raise UnsoundError(
            f"{name} holds for independent rows of equal weight only",
            where="sample_weight",
            fix="use weighted-mcdiarmid (a Lipschitz weight) or weighted-sandwich (a step)",
        )
    if area.box is not None:
        return _boxed(area, name, delta, alternative)
    if name == "weighted-band" and isinstance(area.data, RankedClasses):
        return band_interval(area.data, weight, delta, alternative)
    if name in _OF_ROWS and isinstance(area.data, SortedClasses):
        return _OF_ROWS[name](area.data, weight, delta, alternative)
    if name == "weighted-sandwich":
        return _sandwich(area, delta, alternative)
    if name == "weighted-mcdiarmid":
        interval = weighted_mcdiarmid(
            area.value, weight, *sizes_of(area.summary), delta, alternative
        )
    else:
        bound = _FROM_SIZES[name]
        m, n = area.summary.n_pos, area.summary.n_neg
        interval = bound(area.value, weight, m, n, delta, alternative)
    if plain:
        return interval
    reads = interval.reads | beside(area.summary)
    return replace(interval, assumptions=(*interval.assumptions, _WEIGHTS), reads=reads)


def _boxed(area: Area, name: str, delta: float, alternative: Alternative) -> Interval:
    box = area.box
    if box is not None and area.summary.squared_shares is None:
        if name == "weighted-band" and isinstance(area.data, SortedClasses | RankedClasses):
            return box_interval(area.data, box.fpr, box.tpr, delta, alternative)
        if name == "weighted-dkw":
            m, n = area.summary.n_pos, area.summary.n_neg
            return box_dkw(area.value, box.fpr, box.tpr, m, n, delta, alternative)
    raise UnsoundError(
        f"{name} does not hold for a region both ways",
        where="interval",
        fix="use weighted-band or weighted-dkw, and rows of equal weight",
    )


def _sandwich(area: Area, delta: float, alternative: Alternative) -> Interval:
    """Enclose a step between ramps below and above, with a slope that depends on the sizes."""
    weight = area.weight
    if not isinstance(weight, Step):
        raise UnsoundError(
            "the ramps can enclose a step only",
            where="interval",
            fix="use weighted-band, or rs.guarantees.weighted_sandwich with your own weights",
        )
    m, n = sizes_of(area.summary)
    sides = (weight.a > 0.0) + (weight.b < 1.0)
    slope = sandwich_slope(n if weight.axis == "fpr" else m, max(sides, 1))
    below, above = (ramp(weight.a, weight.b, slope, side=side, axis=weight.axis) for side in _SIDES)
    values = area.with_weight(below), area.with_weight(above)
    interval = weighted_sandwich(
        values[0], below, max(values), above, m, n, delta, alternative, largest=area.largest
    )
    return replace(interval, reads=of_curve(area.summary))

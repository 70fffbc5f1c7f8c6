"""Operating points and their intervals, for given thresholds and for any threshold."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast, get_args

import numpy as np

from rocsolid.arguments import is_number, known
from rocsolid.binary.best_threshold import best_corner
from rocsolid.binary.curve_reading import RATES, Chosen, OperatingPoint
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.arrays import reverse
from rocsolid.intervals.calibrated.auto import (
    SOURCE_OF_TWO,
    WILSON_SOURCE,
    Proportion,
    ratio_limits,
    sum_limits,
    wilson,
)
from rocsolid.intervals.clopper_pearson import SOURCE, clopper_pearson
from rocsolid.intervals.guarantees.checks import IID, check_level
from rocsolid.intervals.guarantees.completed_curve import COHORT
from rocsolid.intervals.guarantees.roc_band import SOURCES, rate_boxes
from rocsolid.remarks.values import ChosenHere, ClusteredPoint, EqualThresholds, WeightedPoint
from rocsolid.results.interval import CURVE, Interval
from rocsolid.results.plain import joined
from rocsolid.summaries.score_counts import ScoreCounts

PointMethod = Literal["clopper-pearson", "wilson"]

GIVEN = "threshold fixed before this data was seen"
ANY = "threshold chosen in any way, on this data too"
OF_POPULATION = ("precision", "npv", "accuracy")
KIND = "equal-local-levels"
_UNIT = (0.0, 1.0)

Limits = Mapping[str, tuple[float, float]]


def with_given(point: OperatingPoint, level: float, method: PointMethod) -> OperatingPoint:
    """Intervals for a threshold that was fixed beforehand, with binomial counts.

    ``clopper-pearson`` holds at every sample size; ``wilson`` is narrower and close to its level on
    average. Predictive values and accuracy use their own counts if rows are sampled as they come,
    and the two rates at a given ``prevalence``.

    >>> point = with_given(OperatingPoint(0.5, "≥", 8, 3, 10, 100), 0.95, "clopper-pearson")
    >>> print(point.intervals["tpr"], point.intervals["fpr"], sep="; ")
    [0.4439, 0.9748] at 95 % (clopper-pearson); [0.0062, 0.0852] at 95 % (clopper-pearson)
    """
    check_level(level)
    if method == "wilson":
        limits, source = _wilson(point, level), f"{WILSON_SOURCE}; {SOURCE_OF_TWO}"
    else:
        limits, source = _exact(point, level), SOURCE
    return _completed(point, limits, Interval(
        0.0, 1.0, level, method, method != "wilson", (*IID, GIVEN), source, reads=CURVE
    ))  # fmt: skip


def with_any(point: OperatingPoint, level: float) -> OperatingPoint:
    """Intervals for every threshold at once, and so for a threshold chosen from the data.

    The box around the two rates comes from simultaneous bands with equal local levels, and other
    values from the box. Without a given prevalence, its exact interval takes a part of the error of
    predictive values and accuracy.

    >>> point = with_any(OperatingPoint(0.5, "≥", 8, 3, 10, 100, "youden"), 0.95)
    >>> print(point.intervals["tpr"])
    [0.3037, 0.9937] at 95 % (equal-local-levels)
    """
    check_level(level)
    given = point.prevalence
    limits = _from_box(*_box(point, level), (0.5, 0.5) if given is None else (given, given))
    if given is None:
        # three independent parts: the two classes given the labels, and the labels
        part = level ** (1.0 / 3.0)
        rows = point.positives + point.negatives
        prevalence = _pair(clopper_pearson(point.positives, rows, (1.0 - part) / 2.0))
        joint = _from_box(*_box(point, part * part), prevalence)
        limits = {name: (joint if name in OF_POPULATION else limits)[name] for name in RATES}
    return _completed(point, limits, Interval(
        0.0, 1.0, level, KIND, True, (*IID, ANY), SOURCES[KIND], reads=CURVE
    ))  # fmt: skip


def _completed(point: OperatingPoint, limits: Limits, like: Interval) -> OperatingPoint:
    intervals = {}
    for name, (low, high) in limits.items():
        least = -1.0 if name == "youden" else 0.0
        cohort = point.prevalence is None and name in OF_POPULATION
        intervals[name] = replace(
            like,
            low=max(low, least),
            high=min(high, 1.0),
            range=(least, 1.0),
            assumptions=(*like.assumptions, COHORT) if cohort else like.assumptions,
        )
    return replace(point, intervals=intervals)


def _box(point: OperatingPoint, level: float) -> tuple[Proportion, Proportion]:
    hits, alarms = (np.array([int(v)]) for v in (point.true_positives, point.false_positives))
    sizes = int(point.positives), int(point.negatives)
    tpr, fpr = rate_boxes(hits, alarms, sizes, KIND, level)
    return (
        Proportion(point.tpr, float(tpr[0][0]), float(tpr[1][0])),
        Proportion(point.fpr, float(fpr[0][0]), float(fpr[1][0])),
    )


def _exact(point: OperatingPoint, level: float) -> Limits:
    counts, share, each = _counts(point), (1.0 - level) / 2.0, (1.0 - level**0.5) / 2.0
    limits = {name: _pair(clopper_pearson(*count, share)) for name, count in counts.items()}
    tpr = Proportion(point.tpr, *_pair(clopper_pearson(*counts["tpr"], each)))
    fpr = Proportion(point.fpr, *_pair(clopper_pearson(*counts["fpr"], each)))
    given = point.prevalence
    joint = _from_box(tpr, fpr, (0.5, 0.5) if given is None else (given, given))
    names = ("youden",) if given is None else ("youden", *OF_POPULATION)
    return {**limits, **{name: joint[name] for name in names}}


def _pair(limits: tuple[np.ndarray, np.ndarray]) -> tuple[float, float]:
    return float(limits[0]), float(limits[1])


def _from_box(
    tpr: Proportion, fpr: Proportion, prevalence: tuple[float, float]
) -> dict[str, tuple[float, float]]:
    few, many = prevalence
    specificity = fpr.complement
    # linear in the prevalence: an end of its range is the worst
    worst = min(p * tpr.low + (1.0 - p) * specificity.low for p in prevalence)
    best = max(p * tpr.high + (1.0 - p) * specificity.high for p in prevalence)
    return {
        "tpr": (tpr.low, tpr.high),
        "fpr": (fpr.low, fpr.high),
        "youden": (tpr.low - fpr.high, tpr.high - fpr.low),
        "precision": (_odds(few, tpr.low, fpr.high)[0], _odds(many, tpr.high, fpr.low)[1]),
        "npv": (
            _odds(1.0 - many, specificity.low, 1.0 - tpr.low)[0],
            _odds(1.0 - few, specificity.high, 1.0 - tpr.high)[1],
        ),
        "accuracy": (worst, best),
    }


def _odds(share: float, of_it: float, of_the_rest: float) -> tuple[float, float]:
    part, rest = share * of_it, (1.0 - share) * of_the_rest
    return (part / (part + rest),) * 2 if part + rest > 0.0 else _UNIT


def _wilson(point: OperatingPoint, level: float) -> Limits:
    limits = {
        name: (wilson(*count, level)[1:] if count[1] else _UNIT)
        for name, count in _counts(point).items()
    }
    tpr, fpr = Proportion(point.tpr, *limits["tpr"]), Proportion(point.fpr, *limits["fpr"])
    specificity = fpr.complement
    limits["youden"] = sum_limits(1.0, tpr, -1.0, fpr)
    given = point.prevalence
    if given is None:
        return limits
    limits["accuracy"] = sum_limits(given, tpr, 1.0 - given, specificity)
    for name, share, first, second in (
        ("precision", given, tpr, fpr),
        ("npv", 1.0 - given, specificity, tpr.complement),
    ):
        low, high = ratio_limits(first, second)
        limits[name] = _of_ratio(share, low), _of_ratio(share, high)
    return limits


def _counts(point: OperatingPoint) -> dict[str, tuple[float, float]]:
    hits, rejected = point.true_positives, point.negatives - point.false_positives
    missed = point.positives - hits
    return {
        "tpr": (hits, point.positives),
        "fpr": (point.false_positives, point.negatives),
        "precision": (hits, hits + point.false_positives),
        "npv": (rejected, rejected + missed),
        "accuracy": (hits + rejected, point.positives + point.negatives),
    }


def _of_ratio(share: float, ratio: float) -> float:
    if np.isinf(ratio) or ratio == 0.0:
        return 1.0 if ratio else 0.0
    return share * ratio / (share * ratio + 1.0 - share)


def given_point(
    counts: ScoreCounts,
    asked: Mapping[str, float | None],
    lower_is_better: bool,
    prevalence: float | None,
) -> OperatingPoint:
    name, value = one_of(asked)
    if name != "threshold" and not 0.0 <= value <= 1.0:
        raise InputError(f"{name} must lie in [0, 1]", value=value)
    hits, alarms = counts.corners
    if name == "threshold":
        corner = _flagged(counts, value, lower_is_better)
        return point_at(counts, corner, lower_is_better, "threshold", prevalence, float(value))
    if name == "fpr":
        # rates in the same floating-point form as the curve's, so that reading 0.1 means 0.1
        corner = bisect_right(alarms, value, key=lambda count: count / alarms[-1]) - 1
        corner = int(np.searchsorted(hits, hits[corner]))
    else:
        corner = bisect_left(hits, value, key=lambda count: count / hits[-1])
    return point_at(counts, corner, lower_is_better, cast(Chosen, name), prevalence)


def best_point(
    counts: ScoreCounts,
    criterion: str,
    lower_is_better: bool,
    prevalence: float | None,
    cost_ratio: float | None,
) -> OperatingPoint:
    hits, alarms = counts.corners
    rates = hits / hits[-1], alarms / alarms[-1]
    corner, ties = best_corner(*rates, criterion, check_prevalence(prevalence), cost_ratio)
    point = point_at(counts, corner, lower_is_better, cast(Chosen, criterion), prevalence)
    if ties == 1:
        return point
    return replace(point, warnings=(EqualThresholds(ties - 1),))


def with_intervals(
    point: OperatingPoint,
    interval: PointMethod | None,
    level: float,
    weighted: bool,
    clustered: bool,
) -> OperatingPoint:
    if interval is not None:
        known(interval, get_args(PointMethod), "interval for an operating point")
    if weighted:
        return replace(point, warnings=(*point.warnings, WeightedPoint()))
    if clustered:
        return replace(point, warnings=(*point.warnings, ClusteredPoint()))
    if point.chosen == "threshold":
        return with_given(point, level, interval or "clopper-pearson")
    if interval is not None:
        raise UnsoundError(
            f"{interval!r} holds for a threshold that was fixed beforehand, not for one that was "
            "chosen from the data",
            where="interval",
            fix="leave interval out, or name the threshold: at(threshold=...)",
        )
    return with_any(replace(point, warnings=(*point.warnings, ChosenHere())), level)


def check_prevalence(prevalence: float | None) -> float | None:
    if prevalence is not None and not (is_number(prevalence) and 0.0 < prevalence < 1.0):
        raise InputError(
            "a prevalence lies between 0 and 1",
            where="prevalence",
            value=prevalence,
            fix="give the share of positives in the population: 0.02 for 2 %",
        )
    return prevalence


def one_of(asked: Mapping[str, float | None]) -> tuple[str, float]:
    """The only argument that was given, which must be a number."""
    given = {name: value for name, value in asked.items() if value is not None}
    if len(given) != 1:
        raise InputError(
            f"a point of a curve needs exactly one of {joined(list(asked))}",
            value=given,
            fix="name one, such as fpr=0.05",
        )
    ((name, value),) = given.items()
    if not is_number(value) or np.isnan(value):
        raise InputError(f"{name} must be a number", value=value)
    return name, value


def _flagged(counts: ScoreCounts, threshold: float, lower_is_better: bool) -> int:
    if lower_is_better:
        ascending = reverse(counts.score)[::-1]
        return int(np.searchsorted(ascending, threshold, side="right"))
    return len(counts) - int(np.searchsorted(counts.score, threshold))


def point_at(
    counts: ScoreCounts,
    corner: int,
    lower_is_better: bool,
    chosen: Chosen,
    prevalence: float | None,
    threshold: float | None = None,
) -> OperatingPoint:
    hits, alarms = counts.corners
    if threshold is None:
        used = counts.score[len(counts) - corner :][:1]
        used = reverse(used) if lower_is_better else used
        threshold = float(used[0]) if corner else float("-inf" if lower_is_better else "inf")
    return OperatingPoint(
        threshold=threshold,
        rule="≤" if lower_is_better else "≥",
        true_positives=hits[corner].item(),
        false_positives=alarms[corner].item(),
        positives=hits[-1].item(),
        negatives=alarms[-1].item(),
        chosen=chosen,
        prevalence=check_prevalence(prevalence),
    )

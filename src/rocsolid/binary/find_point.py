"""The operating point that a threshold, a limit on a rate or a criterion leads to."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import cast, get_args

import numpy as np

from rocsolid.arguments import is_number, known
from rocsolid.binary.best_threshold import best_corner
from rocsolid.binary.operating_point import Chosen, OperatingPoint
from rocsolid.binary.point_intervals import PointMethod, with_any, with_given
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import reverse
from rocsolid.remarks.values import ChosenHere, ClusteredPoint, EqualThresholds, WeightedPoint
from rocsolid.summaries.score_counts import ScoreCounts


def given_point(
    counts: ScoreCounts,
    asked: Mapping[str, float | None],
    lower_is_better: bool,
    prevalence: float | None,
) -> OperatingPoint:
    """The operating point at a threshold, or the best one within a limit on a rate."""
    name, value = one_of(asked)
    if name != "threshold" and not 0.0 <= value <= 1.0:
        raise InputError(f"{name} must lie in [0, 1]", value=value)
    hits, alarms = counts.corners
    if name == "threshold":
        corner = _flagged(counts, value, lower_is_better)
        return _point(counts, corner, lower_is_better, "threshold", prevalence, float(value))
    if name == "fpr":
        # rates in the same floating-point form as the curve's, so that reading 0.1 means 0.1
        corner = bisect_right(alarms, value, key=lambda count: count / alarms[-1]) - 1
        corner = int(np.searchsorted(hits, hits[corner]))
    else:
        corner = bisect_left(hits, value, key=lambda count: count / hits[-1])
    return _point(counts, corner, lower_is_better, cast(Chosen, name), prevalence)


def best_point(
    counts: ScoreCounts,
    criterion: str,
    lower_is_better: bool,
    prevalence: float | None,
    cost_ratio: float | None,
) -> OperatingPoint:
    """The operating point that is best by a criterion, with a warning that it was chosen here."""
    hits, alarms = counts.corners
    rates = hits / hits[-1], alarms / alarms[-1]
    corner, ties = best_corner(*rates, criterion, check_prevalence(prevalence), cost_ratio)
    point = _point(counts, corner, lower_is_better, cast(Chosen, criterion), prevalence)
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
    """The intervals that are sound for how the threshold was found, where rows have any."""
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
            f"{interval!r} holds for a threshold that was fixed beforehand, and this one was found "
            "in the data",
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
    """The one argument that was given, which must be a number."""
    given = {name: value for name, value in asked.items() if value is not None}
    names = list(asked)
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    if len(given) != 1:
        raise InputError(
            f"a point of a curve needs exactly one of {listed}",
            value=given,
            fix="name one, such as fpr=0.05",
        )
    ((name, value),) = given.items()
    if not is_number(value) or np.isnan(value):
        raise InputError(f"{name} must be a number", value=value)
    return name, value


def _flagged(counts: ScoreCounts, threshold: float, lower_is_better: bool) -> int:
    """How many distinct scores a threshold flags, compared as the caller wrote them."""
    if lower_is_better:
        ascending = reverse(counts.score)[::-1]
        return int(np.searchsorted(ascending, threshold, side="right"))
    return len(counts) - int(np.searchsorted(counts.score, threshold))


def _point(
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

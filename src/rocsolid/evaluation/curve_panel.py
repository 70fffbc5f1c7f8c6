"""The operating points of a curve on a page, with the rule that chose each."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import Literal

import numpy as np

from rocsolid.binary.concordance import CLUSTERS
from rocsolid.binary.curve_reading import OperatingPoint
from rocsolid.binary.point import ANY
from rocsolid.binary.roc import Roc, roc_of_rows
from rocsolid.evaluation.page_cuts import (
    cuts_by_segment,
    cuts_of,
    cuts_per_curve,
    room_per_curve,
    windows_of,
)
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.intervals.guarantees.checks import IID
from rocsolid.intervals.guarantees.roc_band import SOURCES, RocBand
from rocsolid.measures.net_benefit import NetBenefit
from rocsolid.remarks.muting import shown
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import FewExplored, NoBand, NoCurve, NoSuchPoint
from rocsolid.remarks.values import ClusteredPoint
from rocsolid.report.data import (
    MARKS_LIMIT,
    Band,
    CutPoint,
    Cuts,
    Note,
    Panel,
    RankBins,
    RankMarks,
    ScoreCurve,
    places_per_band,
    points_per_curve,
)
from rocsolid.results import percent
from rocsolid.results.plain import joined

FALSE_ALARMS = (0.01, 0.05, 0.1)
FOUND = 0.9
_CRITERIA = {
    "threshold": "Given beforehand",
    "youden": "Largest sensitivity plus specificity (Youden)",
    "closest-topleft": "Closest to the top left corner",
    "cost": "Least expected cost",
}


def usual_points(
    curve: Roc, level: float, *, clustered: bool = False
) -> tuple[tuple[CutPoint, ...], tuple[Remark, ...]]:
    """Thresholds that flag at most 1, 5 and 10 % of the negatives, that find 90 % of the positives,
    and that are best by Youden's index; and notes on missing points.

    Points with the same threshold are merged.

    >>> import numpy as np, rocsolid as rs
    >>> ill = np.arange(60) % 2
    >>> points, missing = usual_points(rs.roc(ill, np.arange(60) % 37 + 20 * ill), 0.95)
    >>> [point.chosen for point in points][:2]
    ['At most 5 % of the negatives flagged', 'At most 10 % of the negatives flagged']
    >>> missing
    ('30 negatives are too few for a false-positive rate of 1 %.',)
    """
    negatives = curve.counts.n_neg
    known = [rate for rate in FALSE_ALARMS if curve.weighted or rate * negatives >= 1.0]
    few = [percent(rate) for rate in FALSE_ALARMS if rate not in known]
    missing: list[Remark] = []
    if few:
        rows = "1 negative is" if negatives == 1 else f"{int(negatives):,} negatives are"
        missing.append(NoSuchPoint(f"{rows} too few for a false-positive rate of {joined(few)}"))
    candidates = [
        *((_at_most(rate), curve.at(fpr=rate, level=level)) for rate in known),
        (_at_least(FOUND), curve.at(tpr=FOUND, level=level)),
        (_CRITERIA["youden"], curve.best(level=level)),
    ]
    points = []
    for chosen, point in candidates:
        if math.isfinite(point.threshold):
            points.append((chosen, point))
        else:
            why = f"{chosen}: that takes a threshold beyond all scores, flagging nothing"
            missing.append(NoSuchPoint(why))
    return named_points(points, clustered=clustered), tuple(missing)


def asked_points(points: Sequence[OperatingPoint]) -> tuple[CutPoint, ...]:
    return named_points([(_CRITERIA[point.chosen], point) for point in points])


def named_points(
    points: Sequence[tuple[str, OperatingPoint]], *, clustered: bool = False
) -> tuple[CutPoint, ...]:
    merged: dict[tuple[float, bool], tuple[list[str], OperatingPoint]] = {}
    for chosen, point in points:
        # a threshold that was fixed beforehand has intervals of another kind
        key = (point.threshold, point.chosen == "threshold")
        merged.setdefault(key, ([], point))[0].append(chosen)
    return tuple(_plain("; ".join(chosen), point, clustered) for chosen, point in merged.values())


def _plain(chosen: str, point: OperatingPoint, clustered: bool) -> CutPoint:
    known = None if clustered else point.intervals
    if not known:
        warnings = (ClusteredPoint(drawn=True),) if clustered else point.warnings
        return CutPoint(chosen, point.threshold, point.tpr, point.fpr, warnings=warnings)
    tpr, fpr = known["tpr"], known["fpr"]
    return CutPoint(
        chosen,
        point.threshold,
        point.tpr,
        point.fpr,
        (tpr.low, tpr.high),
        (fpr.low, fpr.high),
        tpr.level,
        tpr.method,
        point.warnings,
    )


def _at_most(rate: float) -> str:
    return f"At most {percent(rate)} of the negatives flagged"


def _at_least(rate: float) -> str:
    return f"At least {percent(rate)} of the positives found"


KIND: Literal["equal-local-levels"] = "equal-local-levels"
_EXPLORED = 10  # scores by segment; with more of them the page would be too large
_RANKS = (
    100  # of a class, with limits, in each segment: rates at others are some half percent wider
)
_MANY = 6  # with more curves the strips have wider bars
_WHOLE = (
    "Certified: with the probability of its level, the whole true curve is inside the band, at "
    "every sample size and for every distribution, including ties. The level is for one curve: "
    "each score and each segment can fail separately."
)
_POINTS = (
    "Certified: limits for both rates of a threshold that hold for all thresholds jointly, and "
    "so for a threshold that was chosen on these rows, at every sample size and for every "
    "distribution."
)
_DRAWN = (
    "Calibrated: limits of the curve at each false-positive rate by itself, from whole clusters "
    "that are drawn again. Takes some tens of clusters."
)
_EACH = (
    "Certified: two order statistics of the negatives enclose the threshold of each "
    "false-positive rate, and the positives above them give binomial limits. The limits hold at "
    "every sample size for each rate separately, not for the whole curve."
)


def panel_of(evaluation: EvaluationNumbers, group: int | None, curves: int) -> Panel:
    """``curves`` is the number of curves drawn for all rows, or for all segments."""
    drawn: list[ScoreCurve] = []
    notes: list[Remark] = []
    windows = windows_of(evaluation) if group is None else []
    level = evaluation.options.level
    parts = evaluation.by_score
    segmented = evaluation.segments is not None
    explored = not (segmented and len(parts) > _EXPLORED)
    if group is None and not explored:
        notes.append(FewExplored(_EXPLORED))
    for scored in parts:
        curve = _curve(scored, group, lower_is_better=evaluation.options.lower_is_better)
        if isinstance(curve, str):
            notes.append(NoCurve(curve).of(scored.score))
            continue
        band = None
        if curve.weighted or curve.clustered:
            which = "clustered" if curve.clustered else "weighted"
            notes.append(NoBand(f"rows are {which}").of(scored.score))
        elif scored.rows is None:
            notes.append(NoBand("not every score is available").of(scored.score))
        else:
            band = curve.band(kind=KIND, level=level)
        points: tuple[CutPoint, ...] = ()
        if group is None:
            points, missing = usual_points(curve, level, clustered=curve.clustered)
            notes += [each.of(scored.score) for each in missing]
        for window in windows:
            window.add(scored.score, curve, band)
        cuts = None
        if explored and group is None:
            cuts = cuts_of(curve, level, cuts_per_curve(curves), room=room_per_curve(curves))
        elif explored:
            cuts = cuts_of(curve, level, cuts_by_segment(curves), ranks=_RANKS)
        drawn.append(curve_of(scored.score, curve, band, points, curves, cuts))
    zooms = tuple(window.zoom(evaluation) for window in windows)
    title, remarks = _title(evaluation, group), shown(notes, evaluation.muted)
    measures = (scored.measure for scored in evaluation.parts)
    starts = next((one.threshold for one in measures if isinstance(one, NetBenefit)), None)
    return Panel(title, tuple(drawn), remarks, zooms, starts)


def curve_of(
    score: str,
    full: Roc,
    band: RocBand | None,
    points: tuple[CutPoint, ...],
    curves: int,
    cuts: Cuts | None = None,
) -> ScoreCurve:
    """One curve, thinned to the corners and ranks that a page with that many curves can hold."""
    bent = full.simplified()
    drawn = bent.simplified(points_per_curve(curves))
    ranks: RankMarks | RankBins
    if not full.weighted and full.counts.n_pos <= MARKS_LIMIT:
        ranks = RankMarks(full.positive_ranks, full.auc)
    else:
        ranks = RankBins(*full.rank_histogram(100 if curves <= _MANY else 30), full.auc)
    return ScoreCurve(
        score=score,
        value=full.auc,
        fpr=drawn.fpr,
        tpr=drawn.tpr,
        thresholds=np.asarray(drawn.thresholds, dtype=np.float64),
        corners=len(bent.fpr),
        area_error=drawn.area_error,
        band=None if band is None else _named(band, places_per_band(curves)),
        ranks=ranks,
        rule="≤" if full.lower_is_better else "≥",
        points=points,
        cuts=cuts,
    )


def curve_notes(
    panels: Sequence[Panel],
    source: str = SOURCES[KIND],
    *,
    pointwise: bool = False,
    known: Container[str] = (),
    certified: bool = True,
) -> tuple[Note, ...]:
    curves = [curve for panel in panels for curve in panel.curves]
    labels = sorted({curve.band.label for curve in curves if curve.band is not None})
    notes = [
        Note(
            label[0].upper() + label[1:],
            (_EACH if pointwise else _WHOLE) if certified else _DRAWN,
            IID if certified else (CLUSTERS,),
            source,
        )
        for label in labels
    ]
    methods = {point.method for curve in curves for point in curve.points}
    if KIND in methods and KIND not in known:
        notes.append(Note(f"Operating points: {KIND}", _POINTS, (*IID, ANY), SOURCES[KIND]))
    return tuple(notes)


def _named(band: RocBand, places: int) -> Band:
    holds = "at each false-positive rate separately" if band.pointwise else "for the whole curve"
    return Band(*band.drawn(places), f"{percent(band.level)} band {holds} ({band.method})")


def _curve(scored: ScoreResult, group: int | None, *, lower_is_better: bool) -> Roc | str:
    if group is None or scored.grouped is None:
        return scored.roc(lower_is_better=lower_is_better)
    if group in scored.grouped.refused:
        return scored.grouped.refused[group][0]
    if scored.rows is None:
        return "not drawn, because its rows are not available"
    rows = scored.rows.subset(scored.grouped.groups.rows(group))
    return roc_of_rows(rows, lower_is_better=lower_is_better)


def _title(evaluation: EvaluationNumbers, group: int | None) -> str:
    if group is None or evaluation.segments is None:
        return "All rows"
    key = evaluation.segments.key(group)
    return ", ".join(f"{name} = {value}" for name, value in key.items())

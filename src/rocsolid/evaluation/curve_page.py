"""The page of one curve: its band, its operating points on the line, and what they say."""

from __future__ import annotations

from rocsolid.binary.curve_reading import CurveReading
from rocsolid.binary.operating_point import OperatingPoint
from rocsolid.evaluation.curve_panel import KIND, curve_notes, curve_of
from rocsolid.evaluation.curve_points import asked_points, usual_points
from rocsolid.evaluation.curve_read import CurveRead
from rocsolid.evaluation.page_cuts import cuts_of, cuts_per_curve
from rocsolid.evaluation.page_notes import interval_notes, made_with, of_results
from rocsolid.evaluation.path_leaks import (
    READERS,
    distinct,
    item_cells,
    path_cells,
    path_leak,
    path_verdict,
)
from rocsolid.evaluation.zooms import low_rates
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.report import Note, Page, Panel, RankMarks, ScoreSummary
from rocsolid.report.leak_data import LeakReport
from rocsolid.report.text import number, span
from rocsolid.results.interval import percent, whatever


def curve_page(result: CurveRead, *, title: str = "", command: str = "") -> Page:
    """The page as plain data; a curve without a band gets the one for the whole curve."""
    band = result.band or result.roc.band(kind=KIND, level=result.level)
    panel = _panel(result, band)
    readings = [_reading(result.score, one) for one in result.readings]
    points = [_point(result.score, one) for one in result.points]
    counts = result.roc.counts
    return Page(
        title=title or result.source,
        lead=(
            f"The ROC curve of {result.score!r} against the label {result.label!r} on "
            f"{result.rows:,} rows: {int(counts.n_pos):,} positives and "
            f"{int(counts.n_neg):,} negatives.",
        ),
        verdict=curve_verdict(result),
        answers=(*readings, *points),
        panels=(panel,),
        notes=_notes(result, band, panel),
        facts=(("Rows", f"{result.rows:,}"), *made_with(of_results(result.readings))),
        command=command,
        leaks=_leaks(result, panel),
    )


def curve_verdict(result: CurveRead) -> tuple[str, ...]:
    """The area, and the first of what was asked of the curve."""
    first = [_reading(result.score, one) for one in result.readings[:1]]
    one = (first or [_point(result.score, one) for one in result.points])[0]
    ends = f"{percent(one.level)} interval {span(one.low, one.high)}"
    return (
        f"{result.score}: AUC {number(result.roc.auc)}.",
        f"Its {one.measure} is {number(one.value)} ({ends}).",
    )


def _leaks(result: CurveRead, panel: Panel) -> LeakReport:
    """What the drawn corners tell, and each other item of the page."""
    (curve,) = panel.curves
    counts = result.roc.counts
    path = path_leak(curve, int(counts.n_pos), int(counts.n_neg))
    intervals = [
        one for reading in result.readings for one in (reading.interval, reading.certified)
    ]
    intervals += [one for point in result.points for one in point.intervals.values()]
    marks = isinstance(curve.ranks, RankMarks)
    return LeakReport(
        public=False,
        banner="Private report: it shows an exact curve, its thresholds and the ranks of the "
        "positives. With the scores, or only their order, these give labels away. Do not "
        "publish it; rocsolid evaluate --public makes a page of rounded numbers.",
        verdict=path_verdict([path], result.rows),
        readers=READERS,
        tables=(
            path_cells([path]),
            item_cells(
                [
                    "auc",
                    "class sizes",
                    "path",
                    "positive ranks" if marks else "rank bins",
                    "band",
                    "operating points",
                    *distinct(intervals),
                ]
            ),
        ),
        uncounted=(
            "All items together: where the curve already tells a label, the others are not needed. "
            "Where a long curve is drawn with fewer corners, its enlarged part, the band and the "
            "operating points say more about the rows in between than is counted here.",
            "Other publications on the same labels.",
        ),
    )


def _panel(result: CurveRead, band: RocBand) -> Panel:
    """The points that were requested, or else the usual ones; low rates are drawn large."""
    curve = result.roc
    points, missing = usual_points(curve, result.level)
    if result.points:
        points, missing = asked_points(result.points), ()
    windows = low_rates(int(curve.counts.n_neg))
    for window in windows:
        window.add(result.score, curve, band)
    cuts = cuts_of(curve, result.level, cuts_per_curve(1))
    smooth = () if result.smooth is None else (f"By a model, not drawn: {result.smooth}.",)
    return Panel(
        "All rows",
        (curve_of(result.score, curve, band, points, 1, cuts),),
        (*smooth, *missing),
        tuple(window.zoom() for window in windows),
    )


def _reading(score: str, reading: CurveReading) -> ScoreSummary:
    first, second = ("sensitivity", "specificity")
    value, low, high = reading.value, reading.low, reading.high
    sure = reading.certified.low, reading.certified.high
    at = 1.0 - reading.rate
    if reading.axis == "tpr":
        first, second, at = second, first, reading.rate
        value, low, high, sure = 1.0 - value, 1.0 - high, 1.0 - low, (1.0 - sure[1], 1.0 - sure[0])
    said = f"Certified: {sure[0]:.4f} to {sure[1]:.4f}, {whatever(reading.certified.assumptions)}."
    measure = f"{first} at {second} {at:.6g}"
    return ScoreSummary(
        score, value, low, high, reading.interval.level, (said, *reading.warnings), measure
    )


def _point(score: str, point: OperatingPoint) -> ScoreSummary:
    chosen = "given" if point.chosen == "threshold" else f"best by {point.chosen}"
    measure = f"sensitivity of {point.cut}, {chosen}"
    limits = point.intervals["tpr"]
    first, *others = point.sentences()
    said = (first, " ".join(others))
    return ScoreSummary(score, point.tpr, limits.low, limits.high, limits.level, said, measure)


def _notes(result: CurveRead, band: RocBand, panel: Panel) -> tuple[Note, ...]:
    both = [limits for one in result.readings for limits in (one.interval, one.certified)]
    notes = interval_notes([*both, *(point.intervals["tpr"] for point in result.points)])
    used = {one.title for one in notes}
    drawn = curve_notes([panel], band.source, pointwise=band.pointwise, known=used)
    return (*notes, *drawn)

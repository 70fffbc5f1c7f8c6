"""The page of one curve: its band, its operating points on the line, and what they say."""

from __future__ import annotations

import numpy as np

from rocsolid._version import __version__
from rocsolid.binary.curve_reading import CurveReading
from rocsolid.binary.operating_point import OperatingPoint
from rocsolid.evaluation.curve_table import TableCurve
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.report import Answer, Band, Curve, Mark, Note, Page, Panel, render
from rocsolid.results import Interval, percent

_POINTS = 2_000  # corners drawn
_PLACES = 400  # places of a band's edges drawn


def curve_page(result: TableCurve, *, command: str = "") -> str:
    """The page as one HTML text; a curve without a band gets the one for the whole curve."""
    band = result.band or result.roc.band(kind="equal-local-levels", level=result.level)
    readings = [_reading(result.score, one) for one in result.readings]
    points = [_point(result.score, one) for one in result.points]
    counts = result.roc.counts
    return render(
        Page(
            title=result.source,
            lead=(
                f"The ROC curve of {result.score!r} against the label {result.label!r} on "
                f"{result.rows:,} rows: {int(counts.n_pos):,} positives and "
                f"{int(counts.n_neg):,} negatives.",
            ),
            answers=(*readings, *points),
            rows=(),
            panels=(Panel("All rows", (_curve(result, band),), _smooth(result)),),
            notes=_notes(result, band),
            facts=(
                ("Rows", f"{result.rows:,}"),
                ("rocsolid", __version__),
                ("NumPy", np.__version__),
            ),
            command=command,
        )
    )


def _curve(result: TableCurve, band: RocBand) -> Curve:
    full = result.roc
    line = full.simplified(_POINTS)
    holds = "at each rate by itself" if band.pointwise else "for the whole curve at once"
    x, low, high = _drawn(band)
    return Curve(
        score=result.score,
        value=full.auc,
        fpr=line.fpr,
        tpr=line.tpr,
        thresholds=np.asarray(line.thresholds, dtype=np.float64),
        corners=len(full.simplified().fpr),
        area_error=line.area_error,
        band=Band(x, low, high, f"{percent(band.level)} band {holds} ({band.method})"),
        rule="≤" if full.lower_is_better else "≥",
        marks=tuple(Mark(point.fpr, point.tpr, str(point)) for point in result.points),
    )


def _drawn(band: RocBand) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The band's edges; of very many stairs some, each as wide as the stairs that it replaces."""
    if len(band.fpr) <= 2 * _PLACES:
        return band.fpr, band.low, band.high
    grid = np.linspace(0.0, 1.0, _PLACES + 1)
    limits = [band.at(fpr=float(rate)) for rate in grid]
    low = np.repeat([limit.low for limit in limits[:-1]], 2)
    high = np.repeat([limit.high for limit in limits[1:]], 2)
    return np.repeat(grid, 2)[1:-1], low, high


def _reading(score: str, one: CurveReading) -> Answer:
    first, second = ("sensitivity", "specificity")
    value, low, high = one.value, one.low, one.high
    sure = one.certified.low, one.certified.high
    at = 1.0 - one.rate
    if one.axis == "tpr":
        first, second, at = second, first, one.rate
        value, low, high, sure = 1.0 - value, 1.0 - high, 1.0 - low, (1.0 - sure[1], 1.0 - sure[0])
    said = f"Certified: {sure[0]:.4f} to {sure[1]:.4f}, whatever the distribution."
    measure = f"{first} at {second} {at:.6g}"
    return Answer(score, value, low, high, one.interval.level, (said, *one.warnings), measure)


def _point(score: str, one: OperatingPoint) -> Answer:
    chosen = "given" if one.chosen == "threshold" else f"best by {one.chosen}"
    measure = f"sensitivity at the threshold {one.threshold:g}, {chosen}"
    limits = one.intervals["tpr"]
    first, *others = one.sentences()
    said = (first, " ".join(others))
    return Answer(score, one.tpr, limits.low, limits.high, limits.level, said, measure)


def _smooth(result: TableCurve) -> tuple[str, ...]:
    return () if result.smooth is None else (f"By a model, not drawn: {result.smooth}.",)


def _notes(result: TableCurve, band: RocBand) -> tuple[Note, ...]:
    used: dict[str, Interval] = {}
    for reading in result.readings:
        used.setdefault(reading.interval.method, reading.interval)
        used.setdefault(reading.certified.method, reading.certified)
    for point in result.points:
        limits = point.intervals["tpr"]
        used.setdefault(limits.method, limits)
    used.setdefault(band.method, band.at(fpr=0.5))
    return tuple(
        Note(
            method,
            "Certified: holds at its level at every sample size, for every distribution that meets "
            "the assumptions."
            if interval.certified
            else "Calibrated: right on average for large samples, by theory and simulation.",
            interval.assumptions,
            interval.source,
        )
        for method, interval in used.items()
    )

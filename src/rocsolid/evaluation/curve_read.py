"""A score column of a table as a curve: its operating points, readings, band and smooth curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rocsolid.binary.curve_reading import CurveReading
from rocsolid.binary.operating_point import OperatingPoint
from rocsolid.binary.roc import Roc
from rocsolid.binary.smoothing.smooth_roc import SmoothRoc
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.report.blocks import PAGE, Form, TextBlock
from rocsolid.report.cells import Cells
from rocsolid.results import Interval, percent
from rocsolid.results.interval import whatever

_WORDS = {
    "tpr": "sensitivity",
    "fpr": "specificity",
    "precision": "PPV",
    "npv": "NPV",
    "accuracy": "accuracy",
    "youden": "Youden",
}


@dataclass(frozen=True, slots=True, eq=False)
class CurveRead:
    """The curve of one score column with what was asked of it; ``smooth`` and ``band`` may be."""

    source: str
    label: str
    score: str
    rows: int
    omitted: int
    level: float
    roc: Roc
    readings: tuple[CurveReading, ...]
    points: tuple[OperatingPoint, ...]
    band: RocBand | None
    smooth: SmoothRoc | None

    @property
    def gives_away(self) -> str:
        """What the printed numbers tell somebody who holds the scores; the drawn curve tells more.

        A band or a smooth curve is made of the whole curve, so it counts as that.
        """
        if self.band is not None or self.smooth is not None:
            return (
                "To somebody with the scores the limits of the curve spell out most labels: keep "
                "this output as private as the labels."
            )
        facts = ["the AUC", "the class sizes"]
        if self.points:
            facts.append("how many positives stand above each threshold")
        if self.readings:
            facts.append("the curve at each rate")
        return (
            f"To somebody with the scores this output tells {', '.join(facts[:-1])} and "
            f"{facts[-1]}: each is an equation about the labels."
        )

    @property
    def n_pos(self) -> int:
        return int(self.roc.counts.n_pos)

    @property
    def n_neg(self) -> int:
        return int(self.roc.counts.n_neg)


def curve_blocks(curve: CurveRead, form: Form) -> Iterator[TextBlock]:
    """The readings, then each operating point, the band and the smooth curve in a line each."""
    if form is PAGE:
        return
    sizes = f"{curve.n_pos:,} positives, {curve.n_neg:,} negatives"
    rows = "1 row without a score was" if curve.omitted == 1 else (
        f"{curve.omitted:,} rows without a score were")  # fmt: skip
    left_out = (f"{rows} left out.",) if curve.omitted else ()
    yield TextBlock(said=(f"{curve.score}: AUC {curve.roc.auc:.4f}, {sizes}",), notes=left_out)
    if curve.readings:
        yield _reading_block(curve)
    for point in curve.points:
        yield _point_block(point, curve.level)
    drawn = [curve.band, curve.smooth]
    said = [f"{str(one)[0].upper()}{str(one)[1:]}." for one in drawn if one is not None]
    limits = ("--json prints the limits, --html draws them.",) if curve.band is not None else ()
    yield TextBlock(said=tuple(said), methods=(*limits, curve.gives_away))


def reading_name(reading: CurveReading) -> str:
    """Which rate it is, at which other one."""
    if reading.axis == "fpr":
        return f"sensitivity at specificity {1 - reading.rate:.6g}"
    return f"specificity at sensitivity {reading.rate:.6g}"


def _reading_block(curve: CurveRead) -> TextBlock:
    rows = []
    for reading in curve.readings:
        turned = reading.axis == "tpr"
        value = 1.0 - reading.value if turned else reading.value
        both = (_limits(i, turned=turned) for i in (reading.interval, reading.certified))
        rows.append((reading_name(reading), f"{value:.4f}", *both))
    first = curve.readings[0]
    how = (
        f"Intervals: {first.interval.method} (calibrated, {first.resamples:,} resamples, seed "
        f"{first.seed}). Certified: {first.certified.method}."
    )
    warned = dict.fromkeys(text for one in curve.readings for text in one.warnings)
    heads = ("reading", "value", percent(curve.level), "certified")
    return TextBlock("", Cells("", heads, tuple(rows)), notes=(*warned,), methods=(how,))


def _point_block(point: OperatingPoint, level: float) -> TextBlock:
    chosen = "given" if point.chosen == "threshold" else f"best by {point.chosen}"
    caption = (
        f"{point.cut.capitalize()} ({chosen}) flags "
        f"{int(point.true_positives):,} of {int(point.positives):,} positives and "
        f"{int(point.false_positives):,} of {int(point.negatives):,} negatives, misses "
        f"{int(point.false_negatives):,} and passes {int(point.true_negatives):,}."
    )
    rows = []
    for name, word in _WORDS.items():
        value = getattr(point, name)
        turned = name == "fpr"
        told = "" if value is None else f"{1.0 - value if turned else value:.4f}"
        rows.append((word, told, _limits(point.intervals[name], turned=turned)))
    limits = point.intervals["tpr"]
    how = f"Intervals: {limits.method}, {whatever(limits.assumptions)}."
    cells = Cells(caption, ("rate", "value", percent(level)), tuple(rows))
    return TextBlock("", cells, notes=point.warnings, methods=(how,))


def _limits(interval: Interval, *, turned: bool) -> str:
    low, high = interval.low, interval.high
    if turned:
        low, high = 1.0 - high, 1.0 - low
    return f"{low:.4f}–{high:.4f}"

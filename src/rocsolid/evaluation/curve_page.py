"""A score column as a curve: its operating points, readings, band and smooth curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from rocsolid.answer.answer import Answer, AnswerKind
from rocsolid.answer.entry import Entry
from rocsolid.binary.curve_reading import CurveReading, OperatingPoint
from rocsolid.binary.roc import Roc, roc_of_rows
from rocsolid.binary.smoothing.smooth_roc import SmoothRoc
from rocsolid.evaluation.curve_panel import KIND, asked_points, curve_notes, curve_of, usual_points
from rocsolid.evaluation.page_cuts import cuts_of, cuts_per_curve, low_rates
from rocsolid.evaluation.page_notes import interval_notes, made_with, of_results
from rocsolid.evaluation.path_leaks import (
    READERS,
    distinct,
    item_cells,
    path_cells,
    path_leak,
    path_verdict,
)
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.binary import TextLabel, binary_rows, pos_label_from_text, positives
from rocsolid.inputs.tables import read_table
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.parameters import Band, Criterion, SmoothMethod
from rocsolid.report.blocks import PAGE, Form, TextBlock
from rocsolid.report.data import LeakReport, Note, Page, Panel, RankMarks
from rocsolid.report.frame import Headline, Large
from rocsolid.report.rate_drawings import overview_picture
from rocsolid.report.text import Cells, number, span
from rocsolid.results import percent
from rocsolid.results.card import Card, CardRow
from rocsolid.results.framed import library_of
from rocsolid.results.interval import Interval, whatever
from rocsolid.results.interval import percent as percent_of_interval

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
    """The curve of one score column with the requested readings; ``smooth`` and ``band`` are
    optional.
    """

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
        """The information in the printed numbers for someone with the scores; the drawn curve
        reveals more.

        A band or a smooth curve depends on the whole curve, so it counts as the whole curve.
        """
        if self.band is not None or self.smooth is not None:
            return (
                "The limits of the curve reveal most labels to someone with the scores: keep "
                "this output as private as the labels."
            )
        facts = ["the AUC", "the class sizes"]
        if self.points:
            facts.append("how many positives are above each threshold")
        if self.readings:
            facts.append("the curve at each rate")
        return (
            f"To someone with the scores this output reveals {', '.join(facts[:-1])} and "
            f"{facts[-1]}: each is an equation in the labels."
        )

    @property
    def n_pos(self) -> int:
        return int(self.roc.counts.n_pos)

    @property
    def n_neg(self) -> int:
        return int(self.roc.counts.n_neg)


def curve_blocks(curve: CurveRead, form: Form) -> Iterator[TextBlock]:
    """The readings, then a line for each operating point, the band and the smooth curve."""
    if form is PAGE:
        yield from _page_blocks(curve)
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


_READ = "Readings from the curve"


def _page_blocks(curve: CurveRead) -> Iterator[TextBlock]:
    """The readings and points with their intervals; methods are in a separate section."""
    if curve.readings:
        block = _reading_block(curve)
        cells = None if block.cells is None else replace(block.cells, caption=_READ)
        yield replace(block, heading=_READ, cells=cells, methods=())
    for point in curve.points:
        block = replace(_point_block(point, curve.level), methods=())
        yield replace(block, heading="" if curve.readings else _READ)


def reading_name(reading: CurveReading) -> str:
    """The name of a reading: a rate at another rate."""
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


def curve_page(result: CurveRead, *, title: str = "", command: str = "") -> Page:
    """The page as plain data; a curve without a band gets the band for the whole curve."""
    band = result.band or result.roc.band(kind=KIND, level=result.level)
    panel = _panel(result, band)
    counts = result.roc.counts
    return Page(
        title=title or result.source,
        lead=(
            f"The ROC curve of {result.score!r} against the label {result.label!r} on "
            f"{result.rows:,} rows: {int(counts.n_pos):,} positives and "
            f"{int(counts.n_neg):,} negatives.",
        ),
        verdict=curve_verdict(result),
        headline=_headline(result),
        large=(Large(overview_picture(panel.curves, {result.score: 0}), _rates(result.roc)),),
        panels=(panel,),
        notes=_notes(result, band, panel),
        facts=(("Rows", f"{result.rows:,}"), *made_with(of_results(result.readings))),
        command=command,
        leaks=_leaks(result, panel),
    )


def curve_verdict(result: CurveRead) -> tuple[str, ...]:
    """The area, and the first requested reading."""
    what, value, ends = _first(result)
    return (
        f"{result.score}: AUC {number(result.roc.auc)}.",
        f"Its {what} is {number(value)} ({ends}).",
    )


def _rates(roc: Roc) -> Cells:
    rates = np.linspace(0.0, 1.0, 11)
    heights = np.interp(rates, roc.fpr, roc.tpr)
    rows = tuple((f"{x:.1f}", f"{y:.4f}") for x, y in zip(rates.tolist(), heights, strict=True))
    return Cells("The curve at some rates.", ("false-positive rate", "true-positive rate"), rows)


def _headline(result: CurveRead) -> Headline:
    what, value, ends = _first(result)
    return Headline(number(value), f"{what}, of {result.score}", ends)


def _first(result: CurveRead) -> tuple[str, float, str]:
    if result.readings:
        one = result.readings[0]
        what, value, limits = reading_name(one), one.value, (one.low, one.high)
        if one.axis == "tpr":
            value, limits = 1.0 - value, (1.0 - limits[1], 1.0 - limits[0])
        level = one.interval.level
    else:
        point = result.points[0]
        chosen = "given" if point.chosen == "threshold" else f"best by {point.chosen}"
        what, value = f"sensitivity of {point.cut}, {chosen}", point.tpr
        interval = point.intervals["tpr"]
        limits, level = (interval.low, interval.high), interval.level
    return what, value, f"{percent_of_interval(level)} interval {span(*limits)}"


def _leaks(result: CurveRead, panel: Panel) -> LeakReport:
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
        "positives. Together with the scores, or their order alone, these reveal labels. "
        "Do not publish it; rocsolid evaluate --public makes a page of rounded numbers.",
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
            "The items jointly: if the curve already reveals a label, the other items are not "
            "needed. If a long curve is drawn with fewer corners, its enlarged part, the band "
            "and the operating points reveal more about the rows in between than is counted "
            "here.",
            "Other publications on the same labels.",
        ),
    )


def _panel(result: CurveRead, band: RocBand) -> Panel:
    """The requested points, or else the usual points; low rates are enlarged."""
    curve = result.roc
    points, missing = usual_points(curve, result.level)
    if result.points:
        points, missing = asked_points(result.points), ()
    windows = low_rates(int(curve.counts.n_neg))
    for window in windows:
        window.add(result.score, curve, band)
    cuts = cuts_of(curve, result.level, cuts_per_curve(1))
    smooth = () if result.smooth is None else (f"Fitted by a model, not drawn: {result.smooth}.",)
    return Panel(
        "All rows",
        (curve_of(result.score, curve, band, points, 1, cuts),),
        (*smooth, *missing),
        tuple(window.zoom() for window in windows),
    )


def _notes(result: CurveRead, band: RocBand, panel: Panel) -> tuple[Note, ...]:
    both = [limits for one in result.readings for limits in (one.interval, one.certified)]
    notes = interval_notes([*both, *(point.intervals["tpr"] for point in result.points)])
    used = {one.title for one in notes}
    drawn = curve_notes([panel], band.source, pointwise=band.pointwise, known=used)
    return (*notes, *drawn)


USUAL = (0.05, 0.1, 0.2)  # false-positive rates to read at where nothing else is requested


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    return curve_blocks(answer.basis, form)


def _verdict(answer: Answer) -> tuple[str, ...]:
    return curve_verdict(answer.basis)


def _page(answer: Answer, title: str, command: str) -> Page:
    return curve_page(answer.basis, title=title, command=command)


def _card(answer: Answer) -> Card:
    curve: CurveRead = answer.basis
    rows = (*map(_reading_row, curve.readings), *map(_point_row, curve.points))
    limits = [reading.interval for reading in curve.readings]
    limits += [point.intervals["tpr"] for point in curve.points]
    kind = "Certified" if limits[0].certified else "Calibrated"
    sizes = f"{curve.n_pos:,} positives and {curve.n_neg:,} negatives"
    basis = f"{curve.source}: {sizes}. {kind} {percent(curve.level)} intervals."
    return Card("", _verdict(answer), rows, None, basis)


def _reading_row(reading: CurveReading) -> CardRow:
    value, low, high = reading.value, reading.low, reading.high
    if reading.axis == "tpr":
        value, low, high = 1.0 - value, 1.0 - high, 1.0 - low
    return _rate_row(reading_name(reading), value, low, high, reading.interval.level)


def _point_row(point: OperatingPoint) -> CardRow:
    limits = point.intervals["tpr"]
    what = f"sensitivity of {point.cut}"
    return _rate_row(what, point.tpr, limits.low, limits.high, limits.level)


def _rate_row(what: str, value: float, low: float, high: float, level: float) -> CardRow:
    ends = f"{percent(level)} {span(low, high)}"
    return CardRow(what, value, number(value), ends, (low, high))


CURVE = AnswerKind(
    "source label score rows omitted n_pos n_neg auc=roc.auc readings points band smooth "
    "gives_away",
    _blocks, _verdict, _page, card=_card,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CurveQuestion:
    """The requests for a curve: readings at ``fpr`` and ``tpr``, operating points, and lines.

    ``threshold`` points were fixed beforehand; ``best`` points are chosen on these rows.
    """

    fpr: Sequence[float] = ()
    tpr: Sequence[float] = ()
    threshold: Sequence[float] = ()
    best: Sequence[Criterion] = ()
    prevalence: float | None = None
    cost_ratio: float | None = None
    band: Band | None = None
    smooth: SmoothMethod | None = None


def curve_table(
    data: Any,
    question: CurveQuestion = CurveQuestion(),
    *,
    label: str,
    score: str,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Answer:
    """Read one score column as a curve. ``data`` is any source of `rocsolid.evaluate`.

    By default the curve is read at false-positive rates of 5, 10 and 20 percent.

    >>> table = {"y": [0, 0, 1, 1, 0, 1], "s": [1, 2, 3, 4, 5, 6]}
    >>> best = CurveQuestion(best=["youden"])
    >>> curve_table(table, best, label="y", score="s").points[0].threshold
    3.0
    """
    table = read_table(data, labels=[label], numbers=[score], keys=[])
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, table[label])
    rows = binary_rows(
        positives(table[label], pos_label=pos_label, name=f"column {label!r}", rows=table.rows),
        valid_scores(
            table[score],
            name=f"column {score!r}",
            rows=table.rows,
            nan="raise" if nan == "raise" else "allow",
        ),
        lower_is_better=lower_is_better,
        nan=nan,
    )
    roc = roc_of_rows(rows, lower_is_better=lower_is_better)
    if not (question.fpr or question.tpr or question.threshold or question.best):
        question = replace(question, fpr=USUAL)
    drawn: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed}
    weighed = {"prevalence": question.prevalence, "cost_ratio": question.cost_ratio}
    curve = CurveRead(
        table.source,
        label,
        score,
        len(table),
        rows.omitted,
        level,
        roc,
        tuple(
            replace(reading, warnings=(*reading.warnings, *table.warnings))
            for reading in (
                *(roc.reading(fpr=rate, **drawn) for rate in question.fpr),
                *(roc.reading(tpr=rate, **drawn) for rate in question.tpr),
            )
        ),
        tuple(
            replace(reading, warnings=(*reading.warnings, *table.warnings))
            for reading in (
                *(
                    roc.at(threshold=cut, prevalence=question.prevalence, level=level)
                    for cut in question.threshold
                ),
                *(roc.best(by, **weighed, level=level) for by in question.best),
            )
        ),
        None if question.band is None else roc.band(kind=question.band, level=level),
        None if question.smooth is None else roc.smooth(question.smooth),
    )
    results = [Entry(score, reading_name(reading), None, reading) for reading in curve.readings]
    return Answer(CURVE, table.source, results, basis=curve, library=library_of(data))

"""A score column as a curve: its operating points, readings, band and smooth curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from rocsolid.answer.answer import Answer, AnswerKind
from rocsolid.answer.grouping import Grouping
from rocsolid.binary.curve_reading import CurveReading, OperatingPoint
from rocsolid.binary.privacy_loss import PrivacyLoss
from rocsolid.binary.roc import Roc
from rocsolid.binary.smoothing.smooth_roc import SmoothRoc
from rocsolid.counts import both_classes, counted
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.curve_benefit import Benefit, benefit_block, benefit_drawn, benefit_rows
from rocsolid.evaluation.curve_panel import KIND, asked_points, curve_notes, curve_of, usual_points
from rocsolid.evaluation.page_cuts import cuts_of, cuts_per_curve, low_rates, room_per_curve
from rocsolid.evaluation.page_notes import interval_notes, made_with, of_results
from rocsolid.evaluation.path_leaks import (
    READERS,
    distinct,
    item_cells,
    path_cells,
    path_leak,
    path_verdict,
)
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.leaks.page_leaks import Item
from rocsolid.pictures.lists import shown
from rocsolid.report.blocks import BRIEF, PAGE, Form, TextBlock
from rocsolid.report.data import LeakReport, Note, Page, Panel, RankMarks, ScoreCurve
from rocsolid.report.frame import Large
from rocsolid.report.rate_drawings import overview_picture
from rocsolid.report.text import Cells, number, span
from rocsolid.results import percent
from rocsolid.results.card import Card, CardRow
from rocsolid.results.deferred import Deferred
from rocsolid.results.interval import Interval, whatever

_WORDS = {
    "tpr": "sensitivity", "fpr": "specificity", "precision": "PPV", "npv": "NPV",
    "accuracy": "accuracy", "youden": "Youden",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class CurveRead:
    """The curve of one score column with its readings, operating points, band and smooth curve.

    ``drawn_band`` is the band of a page that requested none.
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
    clusters: int | None = None
    grouping: Grouping = field(default_factory=Grouping)
    drawn_band: Deferred[RocBand] | None = None
    net_benefit: Benefit | None = None
    privacy: PrivacyLoss | None = None

    @property
    def gives_away(self) -> str:
        """A band, a smooth curve or a decision curve depends on the whole curve, so it counts as
        the whole curve.
        """
        if self.band is not None or self.smooth is not None or self.net_benefit is not None:
            return (
                "The limits of the curve reveal most labels to someone with the scores: keep "
                "this output as private as the labels."
            )
        facts = ["the AUC", "the class sizes"]
        if self.points:
            facts.append("how many positives are above each threshold")
        if self.privacy is not None:
            facts.append("how many members and others are above the best threshold")
        if self.readings:
            facts.append("the curve at each rate")
        return (
            f"To someone with the scores this output reveals {', '.join(facts[:-1])} and "
            f"{facts[-1]}: each is an equation in the labels."
        )

    @property
    def within(self) -> str:
        return "" if not self.clusters else f" in {self.grouping.of_clusters(self.clusters)}"

    @property
    def n_pos(self) -> int:
        return int(self.roc.counts.n_pos)

    @property
    def n_neg(self) -> int:
        return int(self.roc.counts.n_neg)


def curve_blocks(curve: CurveRead, form: Form) -> Iterator[TextBlock]:
    if form is PAGE:
        yield from _page_blocks(curve)
        return
    sizes = f"{both_classes(curve.n_pos, curve.n_neg, ', ')}{curve.within}"
    were = "was" if curve.omitted == 1 else "were"
    rows = f"{counted(curve.omitted, 'row')} without a score {were}"
    left_out = (f"{rows} left out.",) if curve.omitted else ()
    yield TextBlock(said=(f"{curve.score}: AUC {curve.roc.auc:.4f}, {sizes}",), notes=left_out)
    if curve.readings:
        yield _reading_block(curve)
    for point in curve.points:
        yield _point_block(point, curve.level)
    if curve.net_benefit is not None:
        yield benefit_block(curve.net_benefit, curve.level)
    lines = [str(line) for line in (curve.band, curve.smooth, curve.privacy) if line is not None]
    sentences = tuple(f"{text[0].upper()}{text[1:]}." for text in lines)
    limits = ("--json prints the limits, --html draws them.",) if curve.band is not None else ()
    yield TextBlock(said=sentences, methods=(*limits, curve.gives_away))


_READ = "Readings from the curve"


def _page_blocks(curve: CurveRead) -> Iterator[TextBlock]:
    if curve.readings:
        yield _headed(_reading_block(curve), _READ)
    for point in curve.points:
        block = replace(_point_block(point, curve.level), methods=())
        yield replace(block, heading="" if curve.readings else _READ)
    if curve.net_benefit is not None:
        yield _headed(benefit_block(curve.net_benefit, curve.level), "Net benefit")
    if curve.privacy is not None:
        text = str(curve.privacy)
        yield TextBlock("Privacy", said=(f"{text[0].upper()}{text[1:]}.",))


def _headed(block: TextBlock, heading: str) -> TextBlock:
    cells = block.cells and replace(block.cells, caption=heading)
    return replace(block, heading=heading, cells=cells, methods=())


def reading_name(reading: CurveReading) -> str:
    if reading.axis == "fpr":
        return f"sensitivity at specificity {1 - reading.rate:.6g}"
    return f"specificity at sensitivity {reading.rate:.6g}"


def _reading_block(curve: CurveRead) -> TextBlock:
    rows = []
    for reading in curve.readings:
        name, value, _ = _rate(reading)
        both = (_limits(each, turned=reading.axis == "tpr") for each in _intervals(reading))
        rows.append((name, f"{value:.4f}", *both))
    first = curve.readings[0]
    how = f"Intervals: {first.interval.method} (calibrated)."
    heads = ["reading", "value", percent(curve.level)]
    if first.certified is not None:
        how += f" Certified: {first.certified.method}."
        heads.append("certified")
    warned = dict.fromkeys(text for one in curve.readings for text in one.warnings)
    return TextBlock("", Cells("", tuple(heads), tuple(rows)), notes=(*warned,), methods=(how,))


def _intervals(reading: CurveReading) -> list[Interval]:
    known = (reading.interval, reading.certified)
    return [interval for interval in known if interval is not None]


def _of_readings(curves: Sequence[CurveRead]) -> list[Interval]:
    readings = (reading for curve in curves for reading in curve.readings)
    benefits = (curve.net_benefit for curve in curves if curve.net_benefit is not None)
    return [
        *(interval for reading in readings for interval in _intervals(reading)),
        *(interval for benefit in benefits for interval in benefit.intervals),
        *(curve.privacy.interval for curve in curves if curve.privacy is not None),
    ]


def _point_block(point: OperatingPoint, level: float) -> TextBlock:
    caption = (
        f"{point.cut.capitalize()} ({_chosen(point)}) flags "
        f"{int(point.true_positives):,} of {int(point.positives):,} positives and "
        f"{int(point.false_positives):,} of {int(point.negatives):,} negatives, misses "
        f"{int(point.false_negatives):,} and passes {int(point.true_negatives):,}."
    )
    rows = []
    for name, word in _WORDS.items():
        value = getattr(point, name)
        turned = name == "fpr"
        shown = "" if value is None else f"{1.0 - value if turned else value:.4f}"
        rows.append((word, shown, _limits(point.intervals[name], turned=turned)))
    limits = point.intervals["tpr"]
    how = f"Intervals: {limits.method}, {whatever(limits.assumptions)}."
    cells = Cells(caption, ("rate", "value", percent(level)), tuple(rows))
    return TextBlock("", cells, notes=point.warnings, methods=(how,))


def _ends(interval: Interval, *, turned: bool) -> tuple[float, float]:
    low, high = interval.low, interval.high
    return (1.0 - high, 1.0 - low) if turned else (low, high)


def _limits(interval: Interval, *, turned: bool) -> str:
    return "–".join(f"{end:.4f}" for end in _ends(interval, turned=turned))


def _rate(reading: CurveReading) -> tuple[str, float, tuple[float, float]]:
    turned = reading.axis == "tpr"
    value = 1.0 - reading.value if turned else reading.value
    return reading_name(reading), value, _ends(reading.interval, turned=turned)


def _chosen(point: OperatingPoint) -> str:
    return "given" if point.chosen == "threshold" else f"best by {point.chosen}"


def curve_page(curves: Sequence[CurveRead], *, title: str = "", command: str = "") -> Page:
    """The page as plain data.

    A curve without a band gets the band for the whole curve; with clusters, the band that holds at
    each rate.
    """
    first = curves[0]
    bands = [band_of(curve) for curve in curves]
    panel = _panel(curves, bands)
    places = {curve.score: number for number, curve in enumerate(curves)}
    readings = [reading for curve in curves for reading in curve.readings]
    of = "curve" if len(curves) == 1 else "curves"
    names = ", ".join(repr(curve.score) for curve in curves)
    return Page(
        title=title or first.source,
        lead=(
            f"The ROC {of} of {names} against the label {first.label!r} on "
            f"{counted(first.rows, 'row')}{first.within}, "
            f"{both_classes(first.n_pos, first.n_neg)}.",
        ),
        verdict=_verdict_of(curves),
        large=(
            *benefit_drawn(
                {curve.score: curve.net_benefit for curve in curves if curve.net_benefit}
            ),
            Large(overview_picture(panel.curves, places), _rates(curves)),
        ),
        panels=(panel,),
        notes=_notes(curves, bands, panel),
        facts=(("Rows", f"{first.rows:,}"), *made_with(of_results(readings))),
        command=command,
        leaks=_leaks(curves, panel),
    )


def band_of(curve: CurveRead) -> RocBand:
    if curve.band is not None:
        return curve.band
    if curve.drawn_band is not None:
        return curve.drawn_band()
    return curve.roc.band(kind=KIND, level=curve.level)


def _verdict_of(curves: Sequence[CurveRead]) -> tuple[str, ...]:
    sentences = []
    for curve in curves:
        first = next(_card_rows(curve))
        assert first.inner is not None  # without any request there are readings
        what = first.name if curve.readings or not curve.points else (
            f"{first.name}, {_chosen(curve.points[0])}")  # fmt: skip
        ends = f"{percent(curve.level)} interval {span(*first.inner)}"
        sentences.append(f"{curve.score}: AUC {number(curve.roc.auc)}.")
        sentences.append(f"Its {what} is {first.text} ({ends}).")
        if curve.privacy is not None:
            loss = curve.privacy
            sentences.append(
                f"The lower limit of ε at δ = {loss.delta:g} is {loss.low:.4f}, if an "
                "independently trained model scored each row."
            )
    return tuple(sentences)


def _rates(curves: Sequence[CurveRead]) -> Cells:
    rates = np.linspace(0.0, 1.0, 11)
    heights = [np.interp(rates, curve.roc.fpr, curve.roc.tpr) for curve in curves]
    rows = tuple(
        (f"{x:.1f}", *(f"{y:.4f}" for y in of_rate))
        for x, *of_rate in zip(rates.tolist(), *heights, strict=True)
    )
    names = [curve.score for curve in curves] if len(curves) > 1 else ["true-positive rate"]
    caption = "The curve at some rates." if len(curves) == 1 else (
        "The true-positive rate of each score at some rates."
    )  # fmt: skip
    return Cells(caption, ("false-positive rate", *names), rows)


def _leaks(curves: Sequence[CurveRead], panel: Panel) -> LeakReport:
    paths = [
        path_leak(drawn, curve.n_pos, curve.n_neg)
        for drawn, curve in zip(panel.curves, curves, strict=True)
    ]
    points = [point for curve in curves for point in curve.points]
    intervals = [*_of_readings(curves), *(i for point in points for i in point.intervals.values())]
    marks = isinstance(panel.curves[0].ranks, RankMarks)
    items: list[Item | Interval] = [
        "auc", "class sizes", "path", "positive ranks" if marks else "rank bins", "band",
        "operating points", *distinct(intervals),
    ]  # fmt: skip
    return LeakReport(
        public=False,
        banner="Private report: it shows an exact curve, its thresholds and the ranks of the "
        "positives. Together with the scores, or their order alone, these give labels away. Do not "
        "publish it; rocsolid evaluate --public makes a page of rounded numbers.",
        verdict=path_verdict(paths, curves[0].rows),
        readers=READERS,
        tables=(path_cells(paths), item_cells(items)),
        uncounted=(
            "The items jointly: if the curve already reveals a label, the other items are not "
            "needed. If a long curve is drawn with fewer corners, its enlarged part, the band "
            "and the operating points reveal more about the rows in between than is counted "
            "here.",
            "Other publications on the same labels.",
        ),
    )


def _panel(curves: Sequence[CurveRead], bands: Sequence[RocBand]) -> Panel:
    windows = low_rates(min(curve.n_neg for curve in curves))
    drawn: list[ScoreCurve] = []
    notes: list[str] = []
    for read, band in zip(curves, bands, strict=True):
        curve = read.roc
        points, missing = usual_points(curve, read.level, clustered=curve.clustered)
        if read.points:
            points, missing = asked_points(read.points), ()
        for window in windows:
            window.add(read.score, curve, band)
        cuts = cuts_of(
            curve, read.level, cuts_per_curve(len(curves)), room=room_per_curve(len(curves))
        )
        if read.smooth is not None:
            notes.append(f"Fitted by a model, not drawn: {read.smooth}.")
        notes += missing
        drawn.append(curve_of(read.score, curve, band, points, len(curves), cuts))
    zooms = tuple(window.zoom() for window in windows)
    benefit = curves[0].net_benefit
    starts = None if benefit is None else benefit.estimates[0].settings["threshold"]
    return Panel("All rows", tuple(drawn), tuple(notes), zooms, starts)


def _notes(curves: Sequence[CurveRead], bands: Sequence[RocBand], panel: Panel) -> tuple[Note, ...]:
    known = _of_readings(curves)
    known += [point.intervals["tpr"] for curve in curves for point in curve.points]
    notes, band = interval_notes(known), bands[0]
    used = {note.title for note in notes}
    return (*notes, *curve_notes([panel], band.source, pointwise=band.pointwise, known=used,
                                 certified=band.certified))  # fmt: skip


def curves_of(answer: Answer) -> tuple[CurveRead, ...]:
    return (answer.basis,) if isinstance(answer.basis, CurveRead) else answer.basis.curves


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    curves = curves_of(answer)
    if form.name == BRIEF.name and len(curves) > 1 and _alike(curves):
        yield _readings_side_by_side(curves)
        return
    for curve in curves:
        blocks = curve_blocks(curve, form)
        if form is PAGE and isinstance(answer.basis, CurvesRead):
            for block in blocks:
                yield replace(block, heading=block.heading and f"{block.heading}: {curve.score}")
        else:
            yield from blocks


_LINE, _NAME = 76, 8  # letters of a line, and at least of a name that is shortened


def _alike(curves: Sequence[CurveRead]) -> bool:
    sizes = {(curve.n_pos, curve.n_neg, curve.within, curve.omitted) for curve in curves}
    further = any(
        curve.points or curve.band or curve.smooth or curve.net_benefit or curve.privacy
        for curve in curves
    )
    return len(sizes) == 1 and not further and not curves[0].omitted


def _readings_side_by_side(curves: Sequence[CurveRead]) -> TextBlock:
    first = curves[0]
    rates = [[_rate(reading) for reading in curve.readings] for curve in curves]
    names = [name for name, _, _ in rates[0]]
    room = max((_LINE - max(map(len, names))) // len(curves) - len("  "), _NAME)
    columns = [
        [f"{value:.4f} {low:.4f}–{high:.4f}" for _, value, (low, high) in of_curve]
        for of_curve in rates
    ]
    hidden = ("certified intervals",) if first.readings[0].certified else ()
    if max(len(cell) for column in columns for cell in column) > room:
        columns = [[f"{value:.4f}" for _, value, _ in of_curve] for of_curve in rates]
        hidden = ("intervals",)
    heads = [curve.score for curve in curves]
    short = [shown(head, room) for head in heads]
    heads = short if len({*short}) == len(heads) else heads
    blocks = [_reading_block(curve) for curve in curves]
    cells = Cells(
        f"{first.source}: {both_classes(first.n_pos, first.n_neg, ', ')}{first.within}",
        ("reading", *heads), tuple(zip(names, *columns, strict=True)),
    )  # fmt: skip
    return TextBlock(
        cells=cells,
        notes=tuple(dict.fromkeys(note for block in blocks for note in block.notes)),
        methods=tuple(dict.fromkeys(how for block in blocks for how in block.methods)),
        hidden=hidden,
    )


def _verdict(answer: Answer) -> tuple[str, ...]:
    return _verdict_of(curves_of(answer))


def _page(answer: Answer, title: str, command: str) -> Page:
    return curve_page(curves_of(answer), title=title, command=command)


def _card(answer: Answer) -> Card:
    curves = curves_of(answer)
    first = curves[0]
    rows: list[CardRow] = []
    for curve in curves:
        of = "" if len(curves) == 1 else f"{curve.score}: "
        rows += [replace(row, name=f"{of}{row.name}") for row in _card_rows(curve)]
    limits = [reading.interval for reading in first.readings]
    limits += [point.intervals["tpr"] for point in first.points]
    limits += [] if first.net_benefit is None else first.net_benefit.intervals
    kind = "Certified" if limits[0].certified else "Calibrated"
    sizes = both_classes(first.n_pos, first.n_neg)
    basis = f"{first.source}: {sizes}. {kind} {percent(first.level)} intervals."
    return Card("", _verdict(answer), tuple(rows), None, basis)


def _card_rows(curve: CurveRead) -> Iterator[CardRow]:
    for reading in curve.readings:
        yield _rate_row(*_rate(reading), reading.interval.level)
    for point in curve.points:
        limits = point.intervals["tpr"]
        ends = limits.low, limits.high
        yield _rate_row(f"sensitivity of {point.cut}", point.tpr, ends, limits.level)
    if curve.net_benefit is not None:
        yield from benefit_rows(curve.net_benefit)


def _rate_row(what: str, value: float, ends: tuple[float, float], level: float) -> CardRow:
    return CardRow(what, value, number(value), f"{percent(level)} {span(*ends)}", ends)


CURVE = AnswerKind(
    "source label score rows omitted n_pos n_neg clusters auc=roc.auc readings points band smooth "
    "net_benefit privacy "
    "gives_away",
    _blocks, _verdict, _page, card=_card,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class CurvesRead:
    """The curves of several score columns."""

    source: str
    label: str
    level: float
    rows: int
    curves: tuple[CurveRead, ...]


def _dicts(answer: Answer) -> list[dict[str, Any]]:
    return [Answer(CURVE, answer.source, basis=curve).to_dict() for curve in answer.basis.curves]


CURVES = AnswerKind(
    "source label rows level curves", _blocks, _verdict, _page, card=_card,
    shapes={"curves": _dicts},
)  # fmt: skip

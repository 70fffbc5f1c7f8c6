"""Sections of a page, open or folded, and the contents of those on comparison, segments and size.

Each class lists its numbers, because the publisher of a page must know what it reveals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.markup import NOTHING, Markup, element, name
from rocsolid.pictures import svg
from rocsolid.pictures.forest import ForestRow, rows_picture
from rocsolid.pictures.marks import Axis, ChartLine, LineChart, RuleMark
from rocsolid.remarks.remark import Remark
from rocsolid.report.drawn import figure, key
from rocsolid.report.text import Cells, folded_if_long, measure_title, number, prose, span, width
from rocsolid.results.interval import percent

_HEAD = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>')
_LONG = 5


def anchor_of(title: str) -> str:
    """The name of a section in the page's address.

    >>> anchor_of("Where this page comes from")
    'where-this-page-comes-from'
    """
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def section(title: str, content: Markup, anchor: str = "") -> Markup:
    return element("section", element("h2", title, id=anchor or anchor_of(title)), content)


def contents(sections: Sequence[Markup]) -> Markup:
    heads = [head for part in sections for head in _HEAD.findall(part)]
    if len(heads) < _LONG:
        return NOTHING
    links = [element("a", Markup(title), href=f"#{anchor}") for anchor, title in heads]
    return element("nav", *links, class_="contents", aria_label="Contents")


def folded(title: str, content: Markup, anchor: str = "", *, opened: bool = False) -> Markup:
    heading = element("summary", element("h2", title, id=anchor or anchor_of(title)))
    return element("section", element("details", heading, content, class_="fold", open=opened))


def remarks(title: str, sentences: Sequence[str]) -> Markup:
    """Folded sentences with further information."""
    if not sentences:
        return NOTHING
    texts = [element("p", prose(text), class_="remark") for text in sentences]
    return element("details", element("summary", title), *texts)


FloatArray = NDArray[np.float64]
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two scores: a − b, the limits of both its intervals, and the adjusted p-value.

    ``certified`` is None without a certified interval. ``p_adjusted`` is NaN if the test is not
    possible, and an upper limit if it is at the floor of its draws.
    """

    a: str
    b: str
    difference: float
    limits: Ends
    certified: Ends | None
    p_adjusted: float
    p_adjusted_at_floor: bool = False

    @property
    def proven(self) -> Ends | None:
        """The certified limits, as in `Difference`."""
        return self.certified


@dataclass(frozen=True, slots=True)
class ScoreComparison:
    """All scores compared by one measure.

    Numbers, over all rows that have every score: the value of each score (``values``, the highest
    first), and for each pair a difference, two intervals and a p-value (``pairs``, a before b in
    ``values``). ``groups`` are sets of scores without a significant difference. Differences of AUCs
    and their variances are further equations in the labels. ``places`` are the possible ranks:
    jointly, alone, and from certified differences. The sentences quote the same numbers, the
    numbers of rows, and the number of rows that lack a score.

    Without ``certified``, certified intervals were not requested and have no column. Without pairs
    there are only the ``sentences`` with the reason. ``below`` explains the numbers, and
    ``warnings`` are printed unchanged. Two scores differ significantly if their adjusted p-value is
    below 1 − ``level``.
    """

    measure: str
    sentences: tuple[str, ...]
    values: Mapping[str, float]
    pairs: tuple[Pair, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    below: tuple[str, ...] = ()
    warnings: tuple[Remark, ...] = ()
    level: float = 0.95
    decimals: int = 4
    places: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    certified: bool = True


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """A segment, or all rows: the value, the limits of both intervals, and the class sizes."""

    segment: str
    value: float
    limits: Ends
    certified: Ends | None
    n_pos: int
    n_neg: int


@dataclass(frozen=True, slots=True)
class SegmentForest:
    """One score by one measure in each drawn segment, and in ``small`` segments, which are not
    drawn.

    Numbers: for all rows together (``overall``) and for each segment its column values, the value
    of the measure, the limits of both intervals, and the numbers of positives and negatives: counts
    by class of each segment, and equations in each segment's labels.
    """

    score: str
    measure: str
    overall: SegmentRow
    rows: tuple[SegmentRow, ...]
    decimals: int = 4
    small: tuple[SegmentRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Segmented:
    """Every score by segment, on one scale for each measure.

    Numbers: those of the ``forests``, and for each segment without an estimate (``skipped``: score,
    segment, reason, positives, negatives) its class sizes. ``columns`` are the segment columns.
    ``notes`` explain the intervals and the rule that leaves segments out, with their number;
    ``evidence`` has the segments that differ most from the rest. Without ``certified``, certified
    intervals were not requested.
    """

    columns: tuple[str, ...]
    forests: tuple[SegmentForest, ...]
    skipped: tuple[tuple[str, str, str, int, int], ...] = ()
    notes: tuple[str, ...] = ()
    evidence: Cells | None = None
    certified: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Narrowing:
    """How the interval of one score would narrow with more positives.

    Numbers: the class sizes, the half-width of the interval, the numbers of positives that would
    halve it and that would reach the page's target (None: more than can be planned for; the present
    number: reached already), and for a certified interval of that target whatever the distribution.
    ``half_widths`` are those at the positives of ``SampleSizes``. The half-widths follow from the
    AUC and the two parts of its variance, which are further equations in the labels.
    """

    score: str
    n_pos: int
    n_neg: int
    half_width: float
    halved: int | None
    to_target: int | None
    certified_target: int | None
    half_widths: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class SampleSizes:
    """How wide the interval of the AUC would be with more rows: a prediction.

    Numbers: those of ``lines``, one for each score, the highest AUC first, over the same ``n_pos``
    (numbers of positives, ascending); ``target`` is a half-width, and ``level`` that of the
    intervals. ``sentences`` quote them; ``below`` lists the assumptions of the prediction.
    """

    level: float
    target: float
    n_pos: FloatArray
    lines: tuple[Narrowing, ...]
    sentences: tuple[str, ...]
    below: tuple[str, ...]


_LINES = 6  # scores with a curve; the table has all


def sample_size_section(sizes: SampleSizes, colours: Mapping[str, int]) -> Markup:
    drawn = sizes.lines[:_LINES]
    lines = tuple(
        ChartLine(line.score, line.half_widths, (float(line.n_pos), line.half_width))
        for line in drawn
    )
    chart = LineChart(
        prose(f"Half the width of the {percent(sizes.level)} interval, as predicted"),
        "Positives",
        "Half-width",
        sizes.n_pos,
        lines,
        log_x=True,
        log_y=True,
        levels=((sizes.target, f"±{sizes.target:g}"),) if _near(sizes) else (),
    )
    tints = {line.score: colours.get(line.score, 0) for line in drawn}
    parts = [element("p", prose(text)) for text in sizes.sentences]
    parts += [
        key(tints),
        element("div", figure(chart, "sample-size", tints), class_="charts"),
        folded_if_long(_cells(sizes)),
    ]
    left = len(sizes.lines) - len(drawn)
    ring = "Ring: the present rows."
    if left:
        ring += f" Drawn: the {_LINES} scores with the highest AUC; {left:,} more are in the table."
    parts.append(element("p", ring, class_="remark"))
    parts.append(remarks("How this is predicted", sizes.below))
    return element("div", *parts, class_="group")


def _near(sizes: SampleSizes) -> bool:
    heights = [float(h) for line in sizes.lines[:_LINES] for h in line.half_widths]
    return min(heights) / 2 <= sizes.target <= max(heights)


def _cells(sizes: SampleSizes) -> Cells:
    target = f"±{sizes.target:g}"
    rows = tuple(
        (
            line.score,
            f"{line.n_pos:,}",
            f"±{width(line.half_width)}",
            _count(line.halved),
            "reached" if line.half_width <= sizes.target else _count(line.to_target),
            _count(line.certified_target),
        )
        for line in sizes.lines
    )
    heads = ("Score", "Positives now", "Half-width now", "Positives to halve it",
             f"Positives for {target}", f"for a certified {target}")  # fmt: skip
    return Cells("Numbers of positives in all, at the present ratio of classes.", heads, rows)


def _count(positives: int | None) -> str:
    return "none known" if positives is None else f"{positives:,}"


_LABELS, _VALUES, _STEP = 128.0, 46.0, 18.0
_CERTIFIED = "Thin line with ends: the certified interval. "
_MARKS = (
    f"Dot: the value. Thick line: the interval. {_CERTIFIED}Dashed line: the value over all rows."
)


def segment_section(segmented: Segmented, colours: Mapping[str, int]) -> Markup:
    axes = {
        measure: _scale([forest for forest in segmented.forests if forest.measure == measure])
        for measure in dict.fromkeys(forest.measure for forest in segmented.forests)
    }
    by = ", ".join(segmented.columns)
    several = list(axes) != ["auc"]
    figures = [
        element(
            "article",
            element("h3", name(_title(forest, several)), id=f"segments-{i}"),
            element(
                "figure", _drawing(forest, axes[forest.measure], i, by, colours), class_="pictures"
            ),
            class_="chart",
        )
        for i, forest in enumerate(segmented.forests)
    ]
    parts = []
    if figures:
        marks = _MARKS if segmented.certified else _MARKS.replace(_CERTIFIED, "")
        parts = [
            element("div", *figures, class_="charts"),
            element("p", marks, class_="remark"),
            folded_if_long(_segment_cells(segmented, several), most=0),
        ]
    if segmented.evidence is not None:
        parts.append(folded_if_long(segmented.evidence))
    parts += [element("p", prose(text), class_="remark") for text in segmented.notes]
    if segmented.skipped:
        parts += [element("h3", "Without an estimate"), folded_if_long(_skipped(segmented))]
    return element("div", *parts, class_="group")


def _title(forest: SegmentForest, several: bool) -> str:
    return f"{forest.score}, {measure_title(forest.measure)}" if several else forest.score


def _scale(forests: list[SegmentForest]) -> Axis:
    rows = [row for forest in forests for row in (forest.overall, *forest.rows)]
    return Axis.around(
        end for row in rows for end in (row.value, *row.limits, *(row.certified or ()))
    )


def _drawing(
    forest: SegmentForest, scale: Axis, order: int, by: str, colours: Mapping[str, int]
) -> Markup:
    overall, tint = forest.overall, colours.get(forest.score, 0)
    rows = [
        ForestRow(row.segment, row.value, row.limits, row.certified, tint,
                  number(row.value, forest.decimals), row is overall, row is overall)
        for row in (*forest.rows, overall)
    ]  # fmt: skip
    title, level = f"{forest.score} by {by}", RuleMark(overall.value, "overall", upright=True)
    picture = rows_picture(rows, scale, title, _description(forest), level)
    height = _STEP * (picture.y.high - picture.y.low)
    frame = svg.Frame(8, height, _LABELS, svg.WIDTH - _LABELS - _VALUES)
    class_ = f"segments {svg.tint(tint)}"
    return svg.drawing(picture, f"segments-{order}-drawing", frame, class_=class_)


def _description(forest: SegmentForest) -> str:
    ends = [pick(forest.rows, key=lambda row: row.value) for pick in (min, max)]
    low, high = (f"{row.segment} ({number(row.value, forest.decimals)})" for row in ends)
    overall = number(forest.overall.value, forest.decimals)
    return (
        f"{measure_title(forest.measure)} with both intervals in "
        f"{counted(len(forest.rows), 'segment')}, from {low} to {high}; over all rows {overall}."
    )


def _segment_cells(segmented: Segmented, several: bool) -> Cells:
    rows = [
        (
            forest.score,
            *((measure_title(forest.measure),) if several else ()),
            row.segment,
            number(row.value, forest.decimals),
            span(*row.limits, forest.decimals),
            "none known" if row.certified is None else span(*row.certified, forest.decimals),
            f"{row.n_pos:,}",
            f"{row.n_neg:,}",
        )
        for forest in segmented.forests
        for row in (forest.overall, *sorted((*forest.rows, *forest.small), key=_size, reverse=True))
    ]
    names = ("Score", *(("Measure",) if several else ()), ", ".join(segmented.columns))
    heads = (*names, "Value", "Interval", "Certified interval", "Positives", "Negatives")
    cells = Cells(
        "The segments as a table, the largest first.", heads, tuple(rows), names=len(names)
    )
    return cells if segmented.certified else cells.without("Certified interval")


def _size(row: SegmentRow) -> int:
    return row.n_pos + row.n_neg


def _skipped(found: Segmented) -> Cells:
    rows = tuple(
        (score, segment, reason, f"{n_pos:,}", f"{n_neg:,}")
        for score, segment, reason, n_pos, n_neg in found.skipped
    )
    heads = ("Score", ", ".join(found.columns), "Why", "Positives", "Negatives")
    return Cells("Segments without a value.", heads, rows, names=3)

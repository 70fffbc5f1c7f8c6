"""Segments as forest plots: a line for each, all rows as the line to hold them against."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.markup import Markup, element, name
from rocsolid.pictures import svg
from rocsolid.pictures.axis import Axis
from rocsolid.pictures.forest import ForestRow, rows_picture
from rocsolid.pictures.marks import RuleMark
from rocsolid.report.cells import Cells, folded_if_long
from rocsolid.report.section_data import Segmented, SegmentForest, SegmentRow
from rocsolid.report.text import measure_title, number, prose, span

_LABELS, _VALUES, _STEP = 128.0, 46.0, 18.0
_MARKS = (
    "Dot: the value. Thick line: the interval. Thin line with ends: the certified interval. Dashed "
    "line: the value over all rows."
)


def segment_section(segmented: Segmented, colours: Mapping[str, int]) -> Markup:
    """A drawing for each score and measure, their numbers, and what has no estimate."""
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
        parts = [
            element("div", *figures, class_="charts"),
            element("p", _MARKS, class_="remark"),
            folded_if_long(_cells(segmented, several), most=0),
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
    """One scale for all scores, never cut, so that no interval looks shorter than it is."""
    rows = [row for forest in forests for row in (forest.overall, *forest.rows)]
    return Axis.around(
        end for row in rows for end in (row.value, *row.limits, *(row.certified or ()))
    )


def _drawing(
    forest: SegmentForest, scale: Axis, order: int, by: str, colours: Mapping[str, int]
) -> Markup:
    """The segments, and below them all rows, apart from the others."""
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
        f"{measure_title(forest.measure)} with both intervals in {len(forest.rows)} segments, from "
        f"{low} to {high}; over all rows {overall}."
    )


def _cells(segmented: Segmented, several: bool) -> Cells:
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
    return Cells(
        "The segments as a table, the largest first.", heads, tuple(rows), names=len(names)
    )


def _size(row: SegmentRow) -> int:
    return row.n_pos + row.n_neg


def _skipped(found: Segmented) -> Cells:
    rows = tuple(
        (score, segment, reason, f"{n_pos:,}", f"{n_neg:,}")
        for score, segment, reason, n_pos, n_neg in found.skipped
    )
    heads = ("Score", ", ".join(found.columns), "Why", "Positives", "Negatives")
    return Cells("Segments for which there is no value.", heads, rows, names=3)

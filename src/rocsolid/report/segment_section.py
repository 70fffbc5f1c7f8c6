"""Segments as forest plots: a line for each, all rows as the line to hold them against."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocsolid.markup import Markup, element, name
from rocsolid.report import svg, whiskers
from rocsolid.report.axis import Axis
from rocsolid.report.cells import Cells, folded_if_long
from rocsolid.report.section_data import Segmented, SegmentForest, SegmentRow
from rocsolid.report.text import measure_title, number, prose, span

_LABELS, _VALUES, _STEP, _TOP, _GAP = 128.0, 46.0, 18.0, 8.0, 6.0
_LETTERS = 20  # of a segment's name in the drawing
_MARKS = (
    "Dot: the value. Thick line: the interval. Thin line with ends: the certified interval. Dashed "
    "line: the value over all rows."
)


def segment_section(found: Segmented, colours: Mapping[str, int]) -> Markup:
    """A drawing for each score and measure, their numbers, and what has no estimate."""
    axes = {
        measure: _axis([one for one in found.forests if one.measure == measure])
        for measure in dict.fromkeys(one.measure for one in found.forests)
    }
    by = ", ".join(found.columns)
    several = list(axes) != ["auc"]
    figures = [
        element(
            "article",
            element("h3", name(_title(one, several)), id=f"segments-{i}"),
            element("figure", _drawing(one, axes[one.measure], i, by, colours), class_="pictures"),
            class_="chart",
        )
        for i, one in enumerate(found.forests)
    ]
    parts = []
    if figures:
        parts = [
            element("div", *figures, class_="charts"),
            element("p", _MARKS, class_="remark"),
            folded_if_long(_cells(found, several), most=0),
        ]
    if found.evidence is not None:
        parts.append(folded_if_long(found.evidence))
    parts += [element("p", prose(text), class_="remark") for text in found.notes]
    if found.skipped:
        parts += [element("h3", "Without an estimate"), folded_if_long(_skipped(found))]
    return element("div", *parts, class_="group")


def _title(forest: SegmentForest, several: bool) -> str:
    return f"{forest.score}, {measure_title(forest.measure)}" if several else forest.score


def _axis(forests: list[SegmentForest]) -> Axis:
    """One scale for all scores, never cut, so that no interval looks shorter than it is."""
    return Axis.around(
        end
        for forest in forests
        for row in (forest.overall, *forest.rows)
        for end in (row.value, *row.limits, *(row.certified or ()))
    )


def _drawing(
    forest: SegmentForest, axis: Axis, order: int, by: str, colours: Mapping[str, int]
) -> Markup:
    places = [_TOP + _STEP * (i + 0.5) for i in range(len(forest.rows))]
    places.append(_TOP + _STEP * (len(forest.rows) + 0.5) + _GAP)  # all rows, apart from the others
    frame = svg.Frame(
        top=_TOP,
        height=places[-1] + _STEP / 2 - _TOP,
        left=_LABELS,
        width=svg.WIDTH - _LABELS - _VALUES,
    )

    def x(value: float) -> float:
        return frame.x(float(axis.share(np.array(value))))

    parts = []
    for tick in axis.ticks(most=5):
        line = f"M{x(tick):.5g} {frame.top:g}V{frame.bottom:g}"
        parts += [
            element("path", d=line, class_="grid"),
            svg.label(f"{tick:g}".replace("-", "−"), x(tick), frame.bottom + 14, "tick middle"),
        ]
    above = places[-1] - (_STEP + _GAP) / 2
    parts.append(element("path", d=f"M0 {above:g}H{svg.WIDTH:g}", class_="base"))
    overall = x(forest.overall.value)
    parts.append(
        element("path", d=f"M{overall:.5g} {frame.top - 6:g}V{frame.bottom:g}", class_="overall")
    )
    rows = list(zip((*forest.rows, forest.overall), places, strict=True))
    outer = [(*row.certified, y) for row, y in rows if row.certified is not None]
    lines = {
        "certified": "".join(whiskers.thin(x(low), x(high), y) for low, high, y in outer),
        "calibrated": "".join(
            whiskers.plain(x(row.limits[0]), x(row.limits[1]), y) for row, y in rows
        ),
    }
    parts += [element("path", d=line, class_=kind) for kind, line in lines.items()]
    for row, y in rows:
        class_ = "end strong" if row is forest.overall else "end"
        parts += [
            element("circle", cx=x(row.value), cy=y, r=3.5, class_="value"),
            svg.label(svg.shorten(row.segment, _LETTERS), _LABELS - 8, y + 3, class_),
            svg.label(number(row.value, forest.decimals), svg.WIDTH, y + 3, class_),
        ]
    return svg.drawing(
        f"segments-{order}-drawing",
        f"{forest.score} by {by}",
        _description(forest),
        frame.bottom + 22,
        element("g", *parts, class_=svg.tint(colours.get(forest.score, 0))),
        class_="segments",
    )


def _description(forest: SegmentForest) -> str:
    ends = [pick(forest.rows, key=lambda row: row.value) for pick in (min, max)]
    low, high = (f"{row.segment} ({number(row.value, forest.decimals)})" for row in ends)
    overall = number(forest.overall.value, forest.decimals)
    return (
        f"{measure_title(forest.measure)} with both intervals in {len(forest.rows)} segments, from "
        f"{low} to {high}; over all rows {overall}."
    )


def _cells(found: Segmented, several: bool) -> Cells:
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
        for forest in found.forests
        for row in (forest.overall, *sorted((*forest.rows, *forest.small), key=_size, reverse=True))
    ]
    names = ("Score", *(("Measure",) if several else ()), ", ".join(found.columns))
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

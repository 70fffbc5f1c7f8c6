"""Half the interval's width by number of positives: a curve for each score, and a table."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.markup import Markup, element
from rocsolid.pictures.lines import ChartLine, LineChart
from rocsolid.report import line_chart
from rocsolid.report.cells import Cells, folded_if_long
from rocsolid.report.section import remarks
from rocsolid.report.section_data import SampleSizes
from rocsolid.report.text import prose, width
from rocsolid.results.interval import percent

_LINES = 6  # scores with a curve; the table has all


def sample_size_section(found: SampleSizes, colours: Mapping[str, int]) -> Markup:
    """The prediction in words, drawn, and in numbers."""
    drawn = found.lines[:_LINES]
    lines = tuple(
        ChartLine(one.score, one.half_widths, (float(one.n_pos), one.half_width)) for one in drawn
    )
    chart = LineChart(
        prose(f"Half the width of the {percent(found.level)} interval, as predicted"),
        "Positives",
        "Half-width",
        found.n_pos,
        lines,
        log_x=True,
        log_y=True,
        levels=((found.target, f"±{found.target:g}"),) if _near(found) else (),
    )
    tints = {one.score: colours.get(one.score, 0) for one in drawn}
    parts = [element("p", prose(text)) for text in found.sentences]
    parts += [
        line_chart.key(tints),
        element("div", line_chart.figure(chart, "sample-size", tints), class_="charts"),
        folded_if_long(_cells(found)),
    ]
    left = len(found.lines) - len(drawn)
    ring = "Ring: the rows that there are."
    if left:
        ring += f" Drawn: the {_LINES} scores with the highest AUC; {left:,} more are in the table."
    parts.append(element("p", ring, class_="remark"))
    parts.append(remarks("How this is predicted", found.below))
    return element("div", *parts, class_="group")


def _near(found: SampleSizes) -> bool:
    """Whether the target lies among the heights: a line far from all others would flatten them."""
    heights = [float(h) for one in found.lines[:_LINES] for h in one.half_widths]
    return min(heights) / 2 <= found.target <= max(heights)


def _cells(found: SampleSizes) -> Cells:
    target = f"±{found.target:g}"
    rows = tuple(
        (
            one.score,
            f"{one.n_pos:,}",
            f"±{width(one.half_width)}",
            _count(one.halved),
            "reached" if one.half_width <= found.target else _count(one.to_target),
            _count(one.certified_target),
        )
        for one in found.lines
    )
    heads = ("Score", "Positives now", "Half-width now", "Positives to halve it",
             f"Positives for {target}", f"for a certified {target}")  # fmt: skip
    return Cells("Numbers of positives in all, at the present ratio of classes.", heads, rows)


def _count(positives: int | None) -> str:
    return "none known" if positives is None else f"{positives:,}"

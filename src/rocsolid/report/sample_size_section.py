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


def sample_size_section(sizes: SampleSizes, colours: Mapping[str, int]) -> Markup:
    """The prediction in words, drawn, and in numbers."""
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
        line_chart.key(tints),
        element("div", line_chart.figure(chart, "sample-size", tints), class_="charts"),
        folded_if_long(_cells(sizes)),
    ]
    left = len(sizes.lines) - len(drawn)
    ring = "Ring: the rows that there are."
    if left:
        ring += f" Drawn: the {_LINES} scores with the highest AUC; {left:,} more are in the table."
    parts.append(element("p", ring, class_="remark"))
    parts.append(remarks("How this is predicted", sizes.below))
    return element("div", *parts, class_="group")


def _near(sizes: SampleSizes) -> bool:
    """Whether the target lies among the heights: a line far from all others would flatten them."""
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

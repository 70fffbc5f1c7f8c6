"""Tables with drawn intervals, and line charts, in the page's notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rocsolid.markup import Markup, element, join, name
from rocsolid.pictures import svg
from rocsolid.pictures.forest import ForestRow, whisker
from rocsolid.pictures.marks import Axis, LineChart, RuleMark, letter, lines_picture
from rocsolid.report.text import Bar, Cells, figures_table, prose, scrolling, width

_TICKS = 4


def bar_table(
    cells: Cells, bars: Sequence[Bar], tints: Sequence[int], level: float | None = None
) -> Markup:
    """The cells with the intervals of each row drawn on one scale.

    ``tints`` are the colours of the rows' names on the whole page. ``level`` is a reference value
    for a dashed line, such as no difference.
    """
    levels = [] if level is None else [level]
    scale = Axis.around([*levels, *(end for bar in bars for end in _row(bar).ends)])
    names = cells.names
    heads = [
        element("th", text, scope="col", class_="" if i < names else "figure")
        for i, text in enumerate(cells.heads)
    ]
    body = [
        element(
            "tr",
            element("th", name(row[0]), scope="row"),
            *[element("td", name(text)) for text in row[1:names]],
            *[
                element("td", text, class_="figure value" if i == 0 else "figure")
                for i, text in enumerate(row[names:])
            ],
            element("td", _bar_line(bar, scale, level), class_="drawn"),
            class_=svg.tint(tint),
        )
        for row, bar, tint in zip(cells.rows, bars, tints, strict=True)
    ]
    table = element(
        "table",
        element("caption", cells.caption, class_="unseen"),
        element("thead", element("tr", *heads, drawn_head(svg.strip_head(scale, _TICKS)))),
        element("tbody", *body),
    )
    remark = element("p", prose(cells.caption), class_="remark")
    return join([scrolling(table, cells.caption), remark])


def drawn_head(scale: Markup) -> Markup:
    """The head of a column of drawings."""
    unseen = element("span", "Intervals drawn", class_="unseen")
    return element("th", unseen, scale, scope="col", class_="drawn")


def _row(bar: Bar) -> ForestRow:
    return ForestRow("", bar.value, bar.inner, bar.outer)


def _bar_line(bar: Bar, scale: Axis, level: float | None) -> Markup:
    rule = () if level is None else (RuleMark(level, upright=True),)
    return svg.strip((*rule, *whisker(_row(bar))), scale, _TICKS)


def figure(chart: LineChart, identity: str, colours: Mapping[str, int]) -> Markup:
    drawing = svg.drawing(lines_picture(chart, colours), identity, svg.WIDE, class_="lines")
    return element(
        "article",
        element("h3", chart.title, id=identity),
        element("figure", drawing, class_="pictures"),
        _numbers(chart),
        class_="chart",
    )


def key(colours: Mapping[str, int]) -> Markup:
    entries = [
        element(
            "li",
            element("span", letter(colour), class_="key", aria_hidden="true"),
            name,
            class_=svg.tint(colour),
        )
        for name, colour in colours.items()
    ]
    return element("ul", *entries, class_="legend")


def _numbers(chart: LineChart) -> Markup:
    names = [line.name for line in chart.lines]
    rows = []
    for i, x in enumerate(chart.x.tolist()):
        cells = [element("td", _height(float(line.y[i]))) for line in chart.lines]
        rows.append(element("tr", element("th", svg.short(x), scope="row"), *cells))
    caption = f"{chart.title}: {chart.y_title}"
    table = figures_table(caption, (chart.x_title, *names), rows)
    return element("details", element("summary", "The lines as a table"), table)


def _height(value: float) -> str:
    if np.isnan(value):
        return "none"
    return (width(value) if value > 0.0 else f"{value:.4f}").replace("-", "−")

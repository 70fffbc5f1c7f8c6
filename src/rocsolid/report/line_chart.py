"""Lines over a common axis: a drawing, the key to it, and the numbers as a table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocsolid.markup import Markup, element
from rocsolid.pictures import svg
from rocsolid.pictures.lines import LineChart, lines_picture
from rocsolid.pictures.marks import letter
from rocsolid.report.text import width


def figure(chart: LineChart, identity: str, colours: Mapping[str, int]) -> Markup:
    """The drawing under its title, and its numbers folded away below it."""
    drawing = svg.drawing(lines_picture(chart, colours), identity, svg.WIDE, class_="lines")
    return element(
        "article",
        element("h3", chart.title, id=identity),
        element("figure", drawing, class_="pictures"),
        _numbers(chart),
        class_="chart",
    )


def key(colours: Mapping[str, int]) -> Markup:
    """Which letter and colour is which line, once for all charts that share them."""
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
    heads = [element("th", text, scope="col") for text in (chart.x_title, *names)]
    rows = []
    for i, x in enumerate(chart.x.tolist()):
        cells = [element("td", _height(float(line.y[i]))) for line in chart.lines]
        rows.append(element("tr", element("th", svg.short(x), scope="row"), *cells))
    table = element(
        "table",
        element("caption", f"{chart.title}: {chart.y_title}"),
        element("thead", element("tr", *heads)),
        element("tbody", *rows),
        class_="figures",
    )
    box = element(
        "div", table, class_="scroll", role="group", tabindex=0, aria_label=f"{chart.title}"
    )
    return element("details", element("summary", "The lines as a table"), box)


def _height(value: float) -> str:
    if np.isnan(value):
        return "none"
    return (width(value) if value > 0.0 else f"{value:.4f}").replace("-", "−")

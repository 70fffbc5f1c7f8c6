from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsolid.markup import Markup, element, name
from rocsolid.pictures import svg
from rocsolid.report.data import Zoom
from rocsolid.report.text import certificates_of_rows, figures_table, number, span
from rocsolid.results.interval import percent

Row = Mapping[str, Any]


def area_table(zoom: Zoom, colours: Mapping[str, int]) -> Markup:
    """The values of a region's partial areas with both intervals."""
    measures = list(dict.fromkeys(row["measure"] for row in zoom.rows))
    named = len(measures) > 1
    certified = certificates_of_rows(zoom.rows)
    level = element("small", percent(zoom.rows[0]["level"]))
    heads = [
        "Score",
        "Value",
        element("th", "Interval", level, scope="col"),
        *([element("th", "Certified interval", level, scope="col")] if certified else []),
        *([element("th", "Measure", scope="col", class_="words")] if named else []),
    ]
    rows = [
        element(
            "tr",
            element("th", name(row["score"]), scope="row"),
            element("td", element("strong", number(row["value"], row["decimals"]))),
            _limits(row, row),
            *([_limits(row, row["certified"])] if certified else []),
            *([element("td", row["measure"], class_="words")] if named else []),
            class_=svg.tint(colours[row["score"]]),
        )
        for row in zoom.rows
    ]
    caption = f"Values of {' and '.join(measures)}"
    return figures_table(caption, heads, rows)


def _limits(row: Row, interval: Row | None) -> Markup:
    if interval is None:
        return element("td", "none known", class_="muted")
    return element("td", span(interval["low"], interval["high"], row["decimals"]))

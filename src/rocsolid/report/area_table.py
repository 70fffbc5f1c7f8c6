"""The values of a region's partial areas, beside its drawing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsolid.markup import Markup, element, name
from rocsolid.report import svg
from rocsolid.report.curve_data import Zoom
from rocsolid.report.text import number, span
from rocsolid.results.interval import percent

Row = Mapping[str, Any]


def area_table(zoom: Zoom, colours: Mapping[str, int]) -> Markup:
    """The values of the region with both intervals; a method that all share stands in the head."""
    measures = list(dict.fromkeys(row["measure"] for row in zoom.rows))
    named = len(measures) > 1
    shared = [_shared([of(row) for row in zoom.rows]) for of in (_method, _certified_method)]
    small = [[] if text is None else [element("small", text)] for text in shared]
    heads = [
        element("th", "Score", scope="col"),
        element("th", "Value", scope="col"),
        element("th", "Interval", *small[0], scope="col"),
        element("th", "Certified interval", *small[1], scope="col"),
        *([element("th", "Measure", scope="col", class_="words")] if named else []),
    ]
    rows = [
        element(
            "tr",
            element("th", name(row["score"]), scope="row"),
            element("td", element("strong", number(row["value"], row["decimals"]))),
            _limits(row, row, told=shared[0] is not None),
            _limits(row, row["certified"], told=shared[1] is not None),
            *([element("td", row["measure"], class_="words")] if named else []),
            class_=svg.tint(colours[row["score"]]),
        )
        for row in zoom.rows
    ]
    caption = f"Values of {' and '.join(measures)}"
    table = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *heads)),
        element("tbody", *rows),
        class_="figures",
    )
    return element("div", table, class_="scroll", role="group", tabindex=0, aria_label=caption)


def _limits(row: Row, interval: Row | None, *, told: bool) -> Markup:
    if interval is None:
        return element("td", "none known", class_="muted")
    small = [] if told else [element("small", _method(interval))]
    return element("td", span(interval["low"], interval["high"], row["decimals"]), *small)


def _method(interval: Row) -> str:
    return f"{percent(interval['level'])}, {interval['method']}"


def _certified_method(row: Row) -> str:
    return "" if row["certified"] is None else _method(row["certified"])


def _shared(texts: list[str]) -> str | None:
    """What all of them are, or None."""
    return texts[0] if len(set(texts)) == 1 and texts[0] else None

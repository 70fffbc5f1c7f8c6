"""The table of results, with intervals drawn in its cells on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocsolid.markup import NOTHING, Markup, element, join, name
from rocsolid.pictures import svg
from rocsolid.pictures.forest import ForestRow, whisker
from rocsolid.pictures.marks import Axis, RuleMark
from rocsolid.pictures.rates import Seen
from rocsolid.report.data import Page
from rocsolid.report.drawn import drawn_head
from rocsolid.report.frame import first_screen
from rocsolid.report.rate_drawings import overview_drawing
from rocsolid.report.text import certificates_of_rows, code_of, number, prose, scrolling, span
from rocsolid.results.interval import percent

_TICKS = 5


def forest_scale(rows: Sequence[Mapping[str, Any]]) -> Axis:
    """The smallest comfortable range; never cut, so that no interval looks shorter than it is."""
    shown = [end for row in rows for end in _row(row).ends]
    low, high = min(shown), max(shown)
    room = max(0.01, 0.04 * (high - low))
    return Axis(max(0.0, low - room), min(1.0, high + room))


def axis(over: Axis) -> Markup:
    return svg.strip_head(over, _TICKS)


def line(row: Mapping[str, Any], over: Axis) -> Markup:
    chance = row.get("chance")
    seen = chance is not None and over.low <= chance <= over.high
    level = (RuleMark(chance, upright=True),) if chance is not None and seen else ()
    return svg.strip((*level, *whisker(_row(row))), over, _TICKS)


def _row(row: Mapping[str, Any]) -> ForestRow:
    certified = row["certified"]
    outer = None if certified is None else (certified["low"], certified["high"])
    return ForestRow("", row["value"], (row["low"], row["high"]), outer)


def summary(page: Page, colours: Mapping[str, int]) -> Markup:
    """The first screen, under the verdict."""
    curves = page.panels[0].curves if page.panels else page.coarse
    seen = Seen(page.picture, page.prevalence)
    drawn = any(one.picture.square for one in page.large)
    beside = overview_drawing(curves, colours, seen) if curves and not drawn else NOTHING
    return first_screen(page, beside)


Row = Mapping[str, Any]


_OUTER = (
    " Thin line with ends: the certified interval, which holds at its level at every sample size, "
    "for every distribution that meets its assumptions."
)


def results_table(rows: Sequence[Row], colours: Mapping[str, int]) -> Markup:
    segments = list(dict.fromkeys(key for row in rows for key in (row["by"] or {})))
    warnings = list(dict.fromkeys(text for row in rows for text in row["warnings"]))
    calibrated = _shared(rows, _method)
    certified = _shared(rows, lambda row: row["certified"] and _method(row["certified"]))
    wanted = certificates_of_rows(rows)
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    scales = {
        measure: forest_scale([row for row in rows if row["measure"] == measure])
        for measure in measures
    }
    first = _beginnings(rows)
    named = measures != ["auc"]
    head = element(
        "tr",
        element("th", "Score", scope="col"),
        *([element("th", "Measure", scope="col")] if named else []),
        *[element("th", name(key), scope="col") for key in segments],
        element("th", "Value" if named else "AUC", scope="col", class_="figure"),
        _head("Interval", calibrated),
        *([_head("Certified interval", certified)] if wanted else []),
        drawn_head(axis(scales[measures[0]]) if len(measures) == 1 else NOTHING),
        *[
            element("th", text, scope="col", class_="figure")
            for text in ("Positives", "Negatives", "Tied pairs")
        ],
        *([element("th", "Warnings", scope="col")] if warnings else []),
    )
    body = [
        element(
            "tr",
            element("th", name(row["score"]), scope="row"),
            *([element("td", name(row["measure"]))] if named else []),
            *[_segment(row, key) for key in segments],
            element("td", number(row["value"], _decimals_of_table(row)), class_="figure value"),
            _cell(
                span(row["low"], row["high"], _decimals_of_table(row)),
                calibrated,
                row["level"],
                row["method"],
            ),
            *([_certified(row, certified)] if wanted else []),
            element("td", line(row, scales[row["measure"]]), class_="drawn"),
            _count(row["n_pos"]),
            _count(row["n_neg"]),
            _ties(row),
            *([_references(row, warnings)] if warnings else []),
            class_=svg.tint(colours[row["score"]]) + (" first" if i in first else ""),
        )
        for i, row in enumerate(rows)
    ]
    caption = element("caption", "Every score and segment, with its intervals", class_="unseen")
    key = element(
        "p",
        f"Dot: the value. Thick line: the interval.{_OUTER if wanted else ''}"
        + (" Each measure has its own scale." if len(scales) > 1 else ""),
        class_="remark",
    )
    table = element("table", caption, element("thead", head), element("tbody", *body))
    return join([scrolling(table, "Table of results"), key, _warnings(warnings)])


def _beginnings(rows: Sequence[Row]) -> set[int]:
    changes = [
        {i for i in range(1, len(rows)) if any(rows[i][k] != rows[i - 1][k] for k in key)}
        for key in (("score", "measure"), ("by",))
    ]
    return min(changes, key=len)


def _shared(rows: Sequence[Row], text: Any) -> str | None:
    found = {text(row) for row in rows if text(row) is not None}
    return found.pop() if len(found) == 1 else None


def _method(interval: Mapping[str, Any]) -> str:
    return f"{percent(interval['level'])}, {interval['method']}"


def _head(text: str, shared: str | None) -> Markup:
    small = [] if shared is None else [element("small", shared)]
    return element("th", text, *small, scope="col", class_="figure")


def _cell(text: str, shared: str | None, level: float, method: str) -> Markup:
    small = [element("small", f"{percent(level)}, {method}")] if shared is None else []
    return element("td", text, *small, class_="figure")


def _decimals_of_table(row: Row) -> int:
    return int(row.get("decimals", 4))


def _certified(row: Row, shared: str | None) -> Markup:
    interval = row["certified"]
    if interval is None:
        text = "none known" if row["n_pos"] is not None else "left out"
        return element("td", text, class_="figure muted")
    text = span(interval["low"], interval["high"], _decimals_of_table(row))
    if interval["vacuous"]:
        text += " (says nothing)"
    return _cell(text, shared, interval["level"], interval["method"])


def _count(count: int | None) -> Markup:
    if count is None:
        return element("td", "left out", class_="figure muted")
    return element("td", f"{count:,}", class_="figure")


def _ties(row: Row) -> Markup:
    if row["ties"] is None:
        return _count(None)
    share = row["ties"] / (row["n_pos"] * row["n_neg"])
    small = [element("small", prose(f"{100 * share:.1f} %"))] if share >= 0.001 else []
    return element("td", f"{row['ties']:,}", *small, class_="figure")


def _segment(row: Row, key: str) -> Markup:
    if row["by"] is None:
        return element("td", "all", class_="muted")
    return element("td", name(str(row["by"].get(key, ""))))


def _references(row: Row, warnings: list[str]) -> Markup:
    numbers = [warnings.index(text) + 1 for text in row["warnings"]]
    links = [element("a", str(n), href=f"#warning-{n}", aria_label=f"Warning {n}") for n in numbers]
    spaced = [part for link in links for part in (Markup(" "), link)][1:]
    return element("td", *spaced)


def _warnings(warnings: list[str]) -> Markup:
    if not warnings:
        return Markup("")
    items = [
        element("li", text, id=f"warning-{i}", data_check=code_of(text) or False)
        for i, text in enumerate(warnings, start=1)
    ]
    return element("div", element("h3", "Warnings"), element("ol", *items), class_="warnings")

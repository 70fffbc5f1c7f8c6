"""The first screen: every score over all rows as a forest, beside a small picture of the curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocsolid.markup import NOTHING, Markup, element, join, name
from rocsolid.pictures import svg
from rocsolid.pictures.marks import letter
from rocsolid.pictures.seen import Seen
from rocsolid.report import forest, words
from rocsolid.report.data import Page
from rocsolid.report.rate_drawings import overview_drawing
from rocsolid.report.text import measure_title, number, point, span
from rocsolid.results.interval import percent

_LISTED = 12


def summary(page: Page, colours: Mapping[str, int]) -> Markup:
    """What a reader should see without scrolling, under the verdict."""
    overall = [row for row in page.rows if row["by"] is None]
    parts = [_forests(overall, colours)] if overall else []
    if page.answers and not page.rows:
        parts = [words.answers(page, colours, "h2")]
    parts += [_worries(page.worries)] if page.worries else []
    if not parts:
        return NOTHING
    curves = page.panels[0].curves if page.panels else page.coarse
    seen = Seen(page.picture, page.prevalence)
    picture = [element("figure", overview_drawing(curves, colours, seen))] if curves else []
    return element(
        "section", element("div", *parts), *picture, class_="summary", aria_label="Summary"
    )


def _forests(rows: Sequence[Mapping[str, Any]], colours: Mapping[str, int]) -> Markup:
    """The highest first; measures have scales of their own."""
    shown = sorted(rows, key=lambda row: -row["value"])
    measures = dict.fromkeys(row["measure"] for row in rows)
    shown = [row for measure in measures for row in shown if row["measure"] == measure][:_LISTED]
    more = len(rows) - len(shown)
    left = f" {more:,} more under All numbers." if more else ""
    tables = [
        _forest([row for row in shown if row["measure"] == measure], colours)
        for measure in dict.fromkeys(row["measure"] for row in shown)
    ]
    return join([*tables, element("p", _key(shown) + left, class_="remark")])


def _key(rows: Sequence[Mapping[str, Any]]) -> str:
    known = [row["certified"] is not None for row in rows]
    if not any(known):
        return "Thick line: the interval. No certified interval is known here."
    where = "" if all(known) else ", where one is known"
    proven = [row["certified"] for row in rows if row["certified"] is not None]
    assumed = "; ".join(dict.fromkeys(text for one in proven for text in one["assumptions"]))
    return (
        f"Thick line: the interval. Thin line with ends{where}: the certified one, which holds "
        f"whatever the distribution of scores (assumes: {assumed})."
    )


def _forest(rows: Sequence[Mapping[str, Any]], colours: Mapping[str, int]) -> Markup:
    scale = forest.scale(rows)
    title = measure_title(rows[0]["measure"])
    head = element(
        "tr",
        element("th", "Score", scope="col"),
        element("th", title, scope="col", class_="figure"),
        element("th", f"{percent(rows[0]['level'])} interval", scope="col", class_="figure"),
        element(
            "th",
            element("span", "Intervals drawn", class_="unseen"),
            forest.axis(scale),
            scope="col",
            class_="drawn",
        ),
    )
    lines = [
        element(
            "tr",
            element(
                "th",
                element("span", letter(colours[row["score"]]), class_="key", aria_hidden="true"),
                name(row["score"]),
                scope="row",
            ),
            element("td", number(row["value"], _decimals(row)), class_="figure big"),
            element("td", span(row["low"], row["high"], _decimals(row)), class_="figure"),
            element("td", forest.line(row, scale), class_="drawn"),
            class_=svg.tint(colours[row["score"]]),
        )
        for row in rows
    ]
    table = element(
        "table",
        element("caption", f"{title} of each score over all rows", class_="unseen"),
        element("thead", head),
        element("tbody", *lines),
    )
    label = f"{title} of each score"
    return element("div", table, class_="scroll", role="group", tabindex=0, aria_label=label)


def _decimals(row: Mapping[str, Any]) -> int:
    return int(row.get("decimals", 4))


def _worries(worries: Sequence[str]) -> Markup:
    items = [point(text) for text in worries]
    return element(
        "div", element("h2", "Before you rely on it"), element("ul", *items), class_="worries"
    )

"""A table whose rows are drawn too: a value, its interval and an outer one, on an axis for all."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocsolid.markup import Markup, element, join, name
from rocsolid.report import svg, whiskers
from rocsolid.report.axis import Axis
from rocsolid.report.text import prose


@dataclass(frozen=True, slots=True)
class Bar:
    """A dot, a thick line and a thin one; a line that has an infinite end is not drawn."""

    value: float
    inner: tuple[float, float]
    outer: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class BarRow:
    """A row of the table; ``colour`` is that of its name on the whole page.

    ``first`` are the texts that name the row, ``cells`` those beside the drawing.
    """

    first: tuple[str, ...]
    cells: tuple[str, ...]
    bar: Bar
    colour: int


@dataclass(frozen=True, slots=True)
class BarTable:
    """A sentence about the table, the heads of all texts, and the rows.

    ``level`` is a value worth a dashed line, such as no difference.
    """

    caption: str
    heads: tuple[str, ...]
    rows: tuple[BarRow, ...]
    level: float | None = None


def bar_table(table: BarTable) -> Markup:
    """The table in a box that scrolls, and its sentence below it."""
    axis = _axis(table)
    names = len(table.rows[0].first)
    head = element(
        "tr",
        *[
            element("th", text, scope="col", class_="" if i < names else "figure")
            for i, text in enumerate(table.heads)
        ],
        element(
            "th",
            element("span", "Intervals drawn", class_="unseen"),
            _ticks(axis),
            scope="col",
            class_="drawn",
        ),
    )
    body = [
        element(
            "tr",
            element("th", name(row.first[0]), scope="row"),
            *[element("td", name(text)) for text in row.first[1:]],
            *[
                element("td", text, class_="figure value" if i == 0 else "figure")
                for i, text in enumerate(row.cells)
            ],
            element("td", _line(row.bar, axis, table.level), class_="drawn"),
            class_=svg.tint(row.colour),
        )
        for row in table.rows
    ]
    whole = element(
        "table",
        element("caption", table.caption, class_="unseen"),
        element("thead", head),
        element("tbody", *body),
    )
    box = element("div", whole, class_="scroll", role="group", tabindex=0, aria_label=table.caption)
    return join([box, element("p", prose(table.caption), class_="remark")])


def _axis(table: BarTable) -> Axis:
    ends = [] if table.level is None else [table.level]
    for row in table.rows:
        ends += [row.bar.value, *row.bar.inner, *(row.bar.outer or ())]
    return Axis.around([end for end in ends if math.isfinite(end)])


def _x(axis: Axis, value: float) -> float:
    return whiskers.place(float(axis.share(np.array(value))))


def _ticks(axis: Axis) -> Markup:
    ticks = axis.ticks(most=4)
    return whiskers.ticks((_x(axis, tick), f"{tick:g}".replace("-", "−")) for tick in ticks)


def _line(bar: Bar, axis: Axis, level: float | None) -> Markup:
    low, high = bar.inner
    return whiskers.line(
        [_x(axis, tick) for tick in axis.ticks(most=4)],
        _x(axis, bar.value),
        (_x(axis, low), _x(axis, high)),
        None if bar.outer is None else (_x(axis, bar.outer[0]), _x(axis, bar.outer[1])),
        None if level is None else _x(axis, level),
    )

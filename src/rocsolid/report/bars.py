"""A table whose rows are drawn too: a value, its interval and an outer one, on an axis for all."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.markup import Markup, element, join, name
from rocsolid.pictures import svg
from rocsolid.pictures.axis import Axis
from rocsolid.pictures.forest import ForestRow, whisker
from rocsolid.pictures.marks import RuleMark
from rocsolid.report.text import prose

_TICKS = 4


@dataclass(frozen=True, slots=True)
class Bar:
    """A dot, a thick line and a thin one; a line that has an infinite end is not drawn."""

    value: float
    inner: tuple[float, float]
    outer: tuple[float, float] | None = None

    @property
    def row(self) -> ForestRow:
        return ForestRow("", self.value, self.inner, self.outer)


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
    levels = [] if table.level is None else [table.level]
    scale = Axis.around([*levels, *(end for row in table.rows for end in row.bar.row.ends)])
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
            svg.strip_head(scale, _TICKS),
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
            element("td", _line(row.bar, scale, table.level), class_="drawn"),
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


def _line(bar: Bar, scale: Axis, level: float | None) -> Markup:
    rule = () if level is None else (RuleMark(level, upright=True),)
    return svg.strip((*rule, *whisker(bar.row)), scale, _TICKS)

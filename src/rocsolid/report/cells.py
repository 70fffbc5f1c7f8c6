"""A small table of texts, and its drawing on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rocsolid.markup import Markup, element
from rocsolid.report.text import prose
from rocsolid.results.plain import Plain


@dataclass(frozen=True, slots=True)
class Cells(Plain):
    """A small table: a sentence about it, heads, rows. The first ``names`` columns name the row.

    ``sentences`` says that cells may be long texts, which go over several lines.
    """

    caption: Annotated[str, "What it shows."]
    heads: Annotated[tuple[str, ...], "Heads."]
    rows: Annotated[tuple[tuple[str, ...], ...], "Rows."]
    names: int = 1
    sentences: bool = False
    _json = "caption heads rows"


_LONG = 8
_NAME = {"class_": "name"}  # in a table of figures, whose cells need no class


def folded_if_long(cells: Cells, most: int = _LONG) -> Markup:
    """The table, behind its sentence if it has many rows. The script lets long ones be searched.

    >>> folded_if_long(Cells("Few.", ("Name",), (("a",),))).startswith("<details")
    False
    >>> folded_if_long(Cells("Many.", ("Name",), (("a",),) * 9)).startswith("<details")
    True
    """
    table = cells_table(cells)
    if len(cells.rows) <= most:
        return table
    said = f"{prose(cells.caption).partition('.')[0]}: {len(cells.rows):,} rows"
    return element("details", element("summary", said), table, class_="long")


def cells_table(cells: Cells) -> Markup:
    """The table under its sentence, in a box that scrolls where the page is too narrow."""
    head = [
        element("th", text, scope="col", **(_NAME if 0 < i < cells.names else {}))
        for i, text in enumerate(cells.heads)
    ]
    body = [
        element(
            "tr",
            element("th", row[0], scope="row"),
            *[element("td", text, **_NAME) for text in row[1 : cells.names]],
            *[element("td", text) for text in row[cells.names :]],
        )
        for row in cells.rows
    ]
    table = element(
        "table",
        element("caption", prose(cells.caption)),
        element("thead", element("tr", *head)),
        element("tbody", *body),
        class_="figures",
    )
    kind = "scroll review worded" if cells.sentences else "scroll review"
    return element("div", table, class_=kind, role="group", tabindex=0, aria_label=cells.caption)

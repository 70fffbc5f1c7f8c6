"""A small table of texts, and its drawing on a page."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.markup import Markup, element
from rocsolid.report.text import prose


@dataclass(frozen=True, slots=True)
class Cells:
    """A small table: a sentence about it, heads, rows. The first ``names`` columns name the row.

    ``sentences`` says that cells may be long texts, which go over several lines.
    """

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1
    sentences: bool = False


def cells_table(cells: Cells) -> Markup:
    """The table under its sentence, in a box that scrolls where the page is too narrow."""
    head = [
        element("th", text, scope="col", class_="" if i < cells.names else "figure")
        for i, text in enumerate(cells.heads)
    ]
    body = [
        element(
            "tr",
            element("th", row[0], scope="row"),
            *[element("td", text) for text in row[1 : cells.names]],
            *[element("td", text, class_="figure") for text in row[cells.names :]],
        )
        for row in cells.rows
    ]
    table = element(
        "table",
        element("caption", prose(cells.caption)),
        element("thead", element("tr", *head)),
        element("tbody", *body),
    )
    kind = "scroll review worded" if cells.sentences else "scroll review"
    return element("div", table, class_=kind, role="group", tabindex=0, aria_label=cells.caption)

"""Small tables and sentences for a notebook, which takes style sheets and scripts away.

Colours, fonts and lines are the notebook's own, light or dark; only which side of its cell a number
stands at is stated here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocsolid.markup import Markup, element, name
from rocsolid.report.blocks import TextBlock, methods_of
from rocsolid.report.cells import Cells
from rocsolid.report.text import prose

_LEFT, _RIGHT = "text-align: left", "text-align: right"


def blocks_output(blocks: Iterable[TextBlock], verdict: Sequence[str]) -> Markup:
    """The verdict, every table, then all sentences, and the methods last."""
    listed = list(blocks)
    said = [*verdict]
    for block in listed:
        said += [f"{block.more:,} more results are in .results."] if block.more else []
        said += [*block.said, *block.notes]
    tables = [block.cells for block in listed if block.cells is not None]
    return notebook_output(tables, [*said, *methods_of(listed)])


def notebook_output(tables: Sequence[Cells], sentences: Sequence[str]) -> Markup:
    """The tables, each under its caption, then the sentences as a list.

    >>> print(notebook_output([Cells("", ("run", "map"), (("a<b", "0.5"),))], []))
    <div><table><thead><tr><th scope="col" style="text-align: left">run</th><th scope="col"
    style="text-align: right">map</th></tr></thead><tbody><tr><th scope="row" style="text-align:
    left"><bdi>a&lt;b</bdi></th><td style="text-align: right">0.5</td></tr></tbody></table></div>
    """
    said = [element("ul", *[element("li", prose(text)) for text in sentences])] if sentences else []
    return element("div", *[_table(cells) for cells in tables], *said)


def _table(cells: Cells) -> Markup:
    sides = [_LEFT if i < cells.names else _RIGHT for i in range(len(cells.heads))]
    head = [
        element("th", text, scope="col", style=side)
        for text, side in zip(cells.heads, sides, strict=True)
    ]
    body = [
        element(
            "tr",
            element("th", name(row[0]), scope="row", style=_LEFT),
            *[
                element("td", name(text) if i < cells.names else text, style=sides[i])
                for i, text in enumerate(row[1:], start=1)
            ],
        )
        for row in cells.rows
    ]
    caption = [element("caption", prose(cells.caption), style=_LEFT)] if cells.caption else []
    return element(
        "table", *caption, element("thead", element("tr", *head)), element("tbody", *body)
    )

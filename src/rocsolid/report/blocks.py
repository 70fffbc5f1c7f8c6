"""Blocks: the contents of a result, which every form renders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rocsolid.dataclass import dataclass
from rocsolid.markup import NOTHING, Markup, element, name
from rocsolid.report.text import (
    Bar,
    Cells,
    escape_markdown,
    latex_table,
    markdown_points,
    markdown_table,
    prose,
)
from rocsolid.visible import visible


@dataclass(frozen=True, slots=True)
class Form:
    """An output format; its tables have up to ``rows`` rows, ``None`` for all.

    A ``narrow`` line has 78 letters, and ``paper`` omits what publications do not print.
    ``per_query`` adds the value of each query.
    """

    name: str
    rows: int | None = None
    narrow: bool = False
    paper: bool = False
    verdict: bool = False
    per_query: bool = False


BRIEF = Form("brief", 60, narrow=True, verdict=True)
TERMINAL = Form("terminal", 60, narrow=True, verdict=True)
NOTEBOOK = Form("notebook", 40, verdict=True)
MARKDOWN = Form("markdown")
LATEX = Form("latex", paper=True)
PAGE = Form("page", verdict=True)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A heading, a table, sentences, warnings and methods; each may be missing.

    ``bars`` are the intervals of the rows (``None`` for a row without one), and ``mark`` is a
    reference value. ``more`` rows did not fit, and ``hidden`` names what a short form leaves out. A
    heading of ``level`` 3 belongs to the preceding heading of level 2.
    """

    heading: str = ""
    cells: Cells | None = None
    said: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    bars: tuple[Bar | None, ...] = ()
    mark: float | None = None
    more: int = 0
    picture: Markup = NOTHING
    level: int = 2
    hidden: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        shown = (self.heading, self.cells, self.said, self.notes, self.methods, self.picture)
        return not any(shown) and not self.more


def methods_of(blocks: Iterable[TextBlock]) -> tuple[str, ...]:
    """All methods, each sentence once."""
    return tuple(dict.fromkeys(text for block in blocks for text in block.methods))


def as_markdown(blocks: Iterable[TextBlock]) -> str:
    """Tables under their headings with their sentences, and the methods.

    >>> print(as_markdown([TextBlock("Runs", Cells("All.", ("run",), (("a",),)), (), ("Few.",))]))
    ## Runs
    <BLANKLINE>
    All.
    <BLANKLINE>
    | run |
    |:--|
    | a |
    <BLANKLINE>
    - Few.
    <BLANKLINE>
    """
    listed = list(blocks)
    parts: list[str] = []
    for block in listed:
        hashes = "#" * block.level
        parts += [f"{hashes} {escape_markdown(block.heading)}"] if block.heading else []
        parts += [] if block.cells is None else [markdown_table(block.cells)]
        parts += [escape_markdown(text) for text in block.said if text]
        parts += markdown_points(block.notes)
    made = [escape_markdown(text) for text in methods_of(listed)]
    parts += ["## Methods", *made] if made else []
    return "\n\n".join(parts) + "\n"


def as_latex(blocks: Iterable[TextBlock]) -> str:
    """A float for each table with its notes; comments for blocks without a table."""
    parts = []
    heading = ""
    for block in blocks:
        heading = block.heading or heading
        sentences = [text for text in (*block.methods, *block.said, *block.notes) if text]
        if block.cells is None:
            parts += [f"% {visible(text)}" for text in sentences]
            continue
        first = [_sentence(text) for text in (heading, block.cells.caption)]
        caption = " ".join(text for text in first if text)
        parts.append(latex_table(replace(block.cells, caption=caption), sentences))
    return "\n\n".join(parts) + "\n"


def _sentence(text: str) -> str:
    return text if not text or text.endswith(".") else f"{text}."


_LEFT, _RIGHT = "text-align: left", "text-align: right"


def blocks_output(blocks: Iterable[TextBlock], card: Markup) -> Markup:
    listed = list(blocks)
    said: list[str] = []
    for block in listed:
        said += [f"{block.more:,} more results are in .results."] if block.more else []
        said += [*block.said, *block.notes]
    tables = [block.cells for block in listed if block.cells is not None]
    every = notebook_output(tables, [*said, *methods_of(listed)])
    folded_away = element("details", element("summary", "All numbers and methods"), every)
    return element("div", card, folded_away)


def notebook_output(tables: Sequence[Cells], sentences: Sequence[str]) -> Markup:
    """The tables, each under its caption, then the sentences as a list.

    >>> print(notebook_output([Cells("", ("run", "map"), (("a<b", "0.5"),))], []))
    <div><table><thead><tr><th scope="col" style="text-align: left">run</th><th scope="col"
    style="text-align: right">map</th></tr></thead><tbody><tr><th scope="row" style="text-align:
    left"><bdi>a&lt;b</bdi></th><td style="text-align: right">0.5</td></tr></tbody></table></div>
    """
    said = [element("ul", *[element("li", prose(text)) for text in sentences])] if sentences else []
    return element("div", *[_notebook_table(cells) for cells in tables], *said)


def _notebook_table(cells: Cells) -> Markup:
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

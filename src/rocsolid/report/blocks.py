"""A result as blocks: what every form of it renders, whatever the form is written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rocsolid.markup import NOTHING, Markup
from rocsolid.report import latex, markdown
from rocsolid.report.bars import Bar
from rocsolid.report.cells import Cells
from rocsolid.visible import visible


@dataclass(frozen=True, slots=True)
class Form:
    """What a result is written as, and what there is room for.

    ``rows`` is how many rows of a table are shown, all where it is ``None``; a ``narrow`` line has
    80 letters; ``paper`` leaves out what a publication has no room for. Some begin with the
    ``verdict``. ``per_query`` lists the value of each query too.
    """

    name: str
    rows: int | None = None
    narrow: bool = False
    paper: bool = False
    verdict: bool = False
    per_query: bool = False


TERMINAL = Form("terminal", 60, narrow=True, verdict=True)
NOTEBOOK = Form("notebook", 40, verdict=True)
MARKDOWN = Form("markdown")
LATEX = Form("latex", paper=True)
PAGE = Form("page", verdict=True)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A heading, a table, sentences about it, warnings and methods; each may be missing.

    A heading of ``level`` 3 stands within the section of one of level 2.
    ``bars`` are the intervals of the rows, for forms that draw them (``None`` for a row without
    one), and ``mark`` a value worth a line across. ``more`` rows did not fit. A form without
    pictures leaves out the ``picture``.
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

    @property
    def empty(self) -> bool:
        shown = (self.heading, self.cells, self.said, self.notes, self.methods, self.picture)
        return not any(shown) and not self.more


def methods_of(blocks: Iterable[TextBlock]) -> tuple[str, ...]:
    """How everything was made, each sentence once."""
    return tuple(dict.fromkeys(text for block in blocks for text in block.methods))


def as_markdown(blocks: Iterable[TextBlock]) -> str:
    """Tables under their headings with what belongs to them, and the methods.

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
        parts += [f"{hashes} {markdown.escape(block.heading)}"] if block.heading else []
        parts += [] if block.cells is None else [markdown.markdown_table(block.cells)]
        parts += [markdown.escape(text) for text in block.said if text]
        parts += markdown.markdown_points(block.notes)
    made = [markdown.escape(text) for text in methods_of(listed)]
    parts += ["## Methods", *made] if made else []
    return "\n\n".join(parts) + "\n"


def as_latex(blocks: Iterable[TextBlock]) -> str:
    """A float for each table, whose notes stand below it; a comment where there is no table."""
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
        parts.append(latex.latex_table(replace(block.cells, caption=caption), sentences))
    return "\n\n".join(parts) + "\n"


def _sentence(text: str) -> str:
    return text if not text or text.endswith(".") else f"{text}."

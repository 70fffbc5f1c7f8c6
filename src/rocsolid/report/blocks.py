"""A result as blocks: what stands in a text, whatever the text is written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rocsolid.report import latex, markdown
from rocsolid.report.cells import Cells
from rocsolid.visible import visible


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A heading, a table, sentences that explain it, and warnings; each may be missing."""

    heading: str = ""
    cells: Cells | None = None
    said: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def as_markdown(blocks: Iterable[TextBlock]) -> str:
    """Tables under their headings, with what belongs to them below.

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
    parts = []
    for block in blocks:
        parts += [f"## {markdown.escape(block.heading)}"] if block.heading else []
        parts += [] if block.cells is None else [markdown.markdown_table(block.cells)]
        parts += [markdown.escape(text) for text in block.said if text]
        parts += markdown.markdown_points(block.notes)
    return "\n\n".join(parts) + "\n"


def as_latex(blocks: Iterable[TextBlock]) -> str:
    """A float for each table, whose notes stand below it; a comment where there is no table."""
    parts = []
    heading = ""
    for block in blocks:
        heading = block.heading or heading
        said = [text for text in (*block.said, *block.notes) if text]
        if block.cells is None:
            parts += [f"% {visible(text)}" for text in said]
            continue
        first = [_sentence(text) for text in (heading, block.cells.caption)]
        caption = " ".join(text for text in first if text)
        parts.append(latex.latex_table(replace(block.cells, caption=caption), said))
    return "\n\n".join(parts) + "\n"


def _sentence(text: str) -> str:
    return text if not text or text.endswith(".") else f"{text}."

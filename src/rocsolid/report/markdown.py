"""Small tables as Markdown, for an issue or a README."""

from __future__ import annotations

from collections.abc import Sequence

from rocsolid.report.cells import Cells
from rocsolid.visible import visible


def markdown_table(cells: Cells) -> str:
    """A GitHub table with its sentence above it.

    >>> print(markdown_table(Cells("Means.", ("run", "ndcg@10"), (("a|b", "0.5060"),))))
    Means.
    <BLANKLINE>
    | run | ndcg@10 |
    |:--|--:|
    | a\\|b | 0.5060 |
    """
    sides = [":--" if i < cells.names else "--:" for i in range(len(cells.heads))]
    lines = [_line(cells.heads), f"|{'|'.join(sides)}|", *map(_line, cells.rows)]
    return "\n".join([escape(cells.caption), "", *lines])


def markdown_points(sentences: Sequence[str]) -> list[str]:
    """A list of the sentences as one block, or no block where there are none."""
    return ["\n".join(f"- {escape(text)}" for text in sentences)] if sentences else []


def escape(text: str) -> str:
    """Text that Markdown shows as it is; controls and line breaks are written out.

    >>> escape("a_run*")
    'a\\\\_run\\\\*'
    """
    return "".join(f"\\{sign}" if sign in "\\`*_|<>[]" else sign for sign in visible(text))


def _line(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(map(escape, row))} |"

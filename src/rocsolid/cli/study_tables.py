"""The tables of a study on the screen."""

from __future__ import annotations

import math

from rich.table import Table

from rocsolid.cli.screen import Screen
from rocsolid.study import StudyTable


def screen() -> Screen:
    return Screen()


def print_table(console: Screen, title: str, data: StudyTable, skip: int = 0) -> None:
    """The table without its first columns and without those that are empty."""
    console.print(title, style="bold")
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    columns = [[_cell(row[at]) for row in data.rows] for at in range(len(data.columns))]
    shown = [at for at, cells in enumerate(columns) if at >= skip and any(cells)]
    for at in shown:
        words = data.columns[at].replace("_", " ").split()
        # neither a word nor a number may be broken
        width = max(map(len, [*words, *columns[at]]))
        table.add_column(" ".join(words), justify="right", min_width=width)
    for row in zip(*(columns[at] for at in shown), strict=True):
        table.add_row(*row)
    console.print(table)


def _cell(cell: float | str) -> str:
    if isinstance(cell, str):
        return cell
    if math.isnan(cell):
        return ""
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.4f}"

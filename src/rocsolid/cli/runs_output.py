"""Evaluated runs as people read them in a terminal."""

from __future__ import annotations

from rich.cells import cell_len
from rich.table import Table

from rocsolid.cli.screen import Screen
from rocsolid.evaluation import runs_tables as tables
from rocsolid.evaluation.runs_evaluation import MeasuredRuns, RunsEvaluation
from rocsolid.report.cells import Cells

_SHOWN = 60  # pairs printed


def print_runs(found: RunsEvaluation, *, per_query: bool = False) -> None:
    """The audit, the runs by all measures, then each measure with its differences."""
    screen = Screen()
    audit = tables.audit_cells(found)
    screen.print(audit.caption, style="bold")
    screen.show(_table(audit))
    for note in tables.audit_notes(found):
        screen.print(f"note: {note}")
    if len(found.measures) > 1:
        _print_overview(screen, found)
    for one in found.measures:
        _print_measure(screen, one)
        if per_query:
            cells = tables.per_query_cells(one)
            screen.print(f"\n{cells.caption}", style="bold")
            screen.show(_table(cells))
    screen.print()
    legend = [tables.AUDIT_KEY, *(text for one in found.measures for text in _legend(one))]
    for text in dict.fromkeys(legend):
        screen.print(text, style="dim")


def _legend(one: MeasuredRuns) -> list[str]:
    compared = [] if one.comparison is None else [tables.how_compared(one.comparison)]
    return [tables.how_estimated(one), *compared]


def _print_overview(screen: Screen, found: RunsEvaluation) -> None:
    """As many measures side by side as the terminal has room for."""
    wide = [_width(tables.overview_cells(found, [one]), 1) for one in found.measures]
    left = screen.width - _width(tables.overview_cells(found, []), 0)
    beside = max(1, left // (max(wide) + 2))
    for start in range(0, len(found.measures), beside):
        cells = tables.overview_cells(found, found.measures[start : start + beside])
        screen.print()
        if start == 0:
            screen.print(cells.caption, style="bold")
        screen.show(_table(cells))


def _print_measure(screen: Screen, one: MeasuredRuns) -> None:
    values = tables.value_cells(one)
    screen.print(f"\n{values.caption}", style="bold")
    screen.show(_table(values))
    if one.comparison is not None:
        screen.print()
        _print_pairs(screen, tables.pair_cells(one.comparison, digits=3, between=" "))
        if said := tables.detectable(one.comparison):
            screen.print(said)
    for warning in one.warnings:
        screen.print(f"note: {warning}")


def _print_pairs(screen: Screen, pairs: Cells) -> None:
    """Under each run those that it is compared with, so that a name stands in one column."""
    rows: list[tuple[str, ...]] = []
    for i, (a, b, *numbers) in enumerate(pairs.rows[:_SHOWN]):
        if i == 0 or pairs.rows[i - 1][0] != a:
            rows.append((a, *[""] * len(numbers)))
        rows.append((f"− {b}", *numbers))
    screen.show(_table(Cells(pairs.caption, ("difference", *pairs.heads[2:]), tuple(rows))))
    if len(pairs.rows) > _SHOWN:
        more = len(pairs.rows) - _SHOWN
        screen.print(f"... and {more:,} more; --json prints them all.")


def _table(cells: Cells) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for i, head in enumerate(cells.heads):
        if i < cells.names:
            table.add_column(head, overflow="fold")
        else:
            table.add_column(head, justify="right", no_wrap=True)
    for row in cells.rows:
        table.add_row(*row)
    return table


def _width(cells: Cells, column: int) -> int:
    return max(cell_len(row[column]) for row in (cells.heads, *cells.rows))

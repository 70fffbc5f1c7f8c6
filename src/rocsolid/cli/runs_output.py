"""Evaluated runs as people read them in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len

from rocsolid.answer.best_first import best_first
from rocsolid.answer.tables import bar_of
from rocsolid.cli.bars import with_bars
from rocsolid.cli.screen import Screen, text_table
from rocsolid.comparison.ranks import with_next
from rocsolid.evaluation import query_tables as tables
from rocsolid.evaluation.query_evaluation import RunsEvaluation
from rocsolid.evaluation.query_numbers import MeasuredRuns
from rocsolid.report.cells import Cells
from rocsolid.results.query_comparison import QueryComparison, QueryDifference

_SHOWN = 60  # pairs printed


def with_next_places(
    measures: Sequence[MeasuredRuns], size: int | None
) -> tuple[MeasuredRuns, ...]:
    """With the places that the next so many queries would give, where a number is named."""
    return tuple(
        replace(one, comparison=one.comparison and with_next(one.comparison, size))
        for one in measures
    )


def print_runs(found: RunsEvaluation, *, per_query: bool = False) -> None:
    """The audit, the runs by all measures, then each measure with its differences."""
    screen = Screen()
    audit = tables.audit_cells(found)
    screen.print(audit.caption, style="bold")
    screen.show(text_table(audit))
    screen.notes(tables.audit_notes(found))
    if len(found.measures) > 1:
        print_overview(screen, found.runs, found.measures)
    for one in found.measures:
        print_measure(screen, one)
        if per_query:
            cells = tables.per_query_cells(one)
            screen.print(f"\n{cells.caption}", style="bold")
            screen.show(text_table(cells))
    print_legend(screen, [tables.AUDIT_KEY], found.measures)


def print_legend(screen: Screen, first: list[str], measures: Sequence[MeasuredRuns]) -> None:
    """How to read the tables: each sentence once."""
    screen.print()
    legend = [*first, *(text for one in measures for text in _legend(one))]
    for text in dict.fromkeys(legend):
        screen.print(text, style="dim")


def _legend(one: MeasuredRuns) -> list[str]:
    compared = [] if one.comparison is None else [tables.how_compared(one.comparison, one.noun)]
    return [tables.how_estimated(one), *compared]


def print_overview(screen: Screen, names: Sequence[str], measures: Sequence[MeasuredRuns]) -> None:
    """As many measures side by side as the terminal has room for."""
    alone = [tables.overview_cells(names, [one]) for one in measures]
    left = screen.width - _width(alone[0], 0)
    beside = max(1, left // (max(_width(one, 1) for one in alone) + 2))
    for start in range(0, len(measures), beside):
        cells = tables.overview_cells(names, measures[start : start + beside])
        screen.print()
        if start == 0:
            screen.print(cells.caption, style="bold")
        screen.show(text_table(cells))


def print_measure(screen: Screen, one: MeasuredRuns) -> None:
    """The values, the differences of all pairs, and the warnings."""
    values = tables.value_cells(one)
    screen.print(f"\n{values.caption}", style="bold")
    screen.show(text_table(values))
    if one.comparison is not None:
        screen.print()
        _print_pairs(screen, one.comparison)
        found = one.comparison
        for told in (*found.decided(), *found.detectable(), *found.crowned()):
            screen.print(told)
    screen.notes(one.warnings)


def _print_pairs(screen: Screen, comparison: QueryComparison) -> None:
    """Under each run those that it is compared with, so that a name stands in one column."""
    comparison = best_first(comparison)
    cells = tables.pair_cells(comparison, digits=3, between=" ")
    firsts = [row[0] for row in cells.rows[:_SHOWN]]
    rows = tuple((f"− {b}", *numbers) for _, b, *numbers in cells.rows[:_SHOWN])
    pairs = _drawn(comparison)[:_SHOWN]
    table = Cells(cells.caption, ("difference", *cells.heads[2:]), rows)
    longest = max(map(cell_len, firsts)) - _width(table, 0)
    bars, null = [bar_of(one.difference, one.interval, one.certified) for one in pairs], (
        comparison.settings["null"])  # fmt: skip
    table = with_bars(table, bars, screen.width - max(longest, 0), mark=null)
    grouped: list[tuple[str, ...]] = []
    for at, row in enumerate(table.rows):
        if at == 0 or firsts[at - 1] != firsts[at]:
            grouped.append((firsts[at], *[""] * (len(row) - 1)))
        grouped.append(row)
    screen.show(text_table(replace(table, rows=tuple(grouped))))
    if len(cells.rows) > _SHOWN:
        more = len(cells.rows) - _SHOWN
        screen.print(f"... and {more:,} more; --json prints them all.")


def _drawn(comparison: QueryComparison) -> list[QueryDifference]:
    """Each pair with the interval of its row; with a margin that of both one-sided tests."""
    pairs = comparison.pairs
    if not comparison.equivalence:
        return [replace(one, interval=one.simultaneous or one.interval) for one in pairs]
    return [
        replace(one, interval=replace(one.interval, high=both.high), certified=None)
        for one, both in zip(pairs, comparison.equivalence, strict=True)
    ]


def _width(cells: Cells, column: int) -> int:
    return max(cell_len(row[column]) for row in (cells.heads, *cells.rows))

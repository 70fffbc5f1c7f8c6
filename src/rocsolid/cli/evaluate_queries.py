"""``rocsolid evaluate --qid``: what it prints."""

from __future__ import annotations

from rocsolid.cli.runs_output import print_legend, print_measure, print_overview
from rocsolid.cli.screen import Screen, text_table
from rocsolid.evaluation import query_tables
from rocsolid.evaluation.query_evaluation import QueryEvaluation

_SHOWN = 40


def print_queries(found: QueryEvaluation, *, per_query: bool = False) -> None:
    """The scores by all measures, then each measure with its differences and its segments."""
    screen = Screen()
    screen.print(query_tables.caption(found), style="bold")
    screen.notes(found.notes)
    if len(found.measures) > 1:
        print_overview(screen, tuple(found.measures[0].estimates), found.measures)
    for one in found.measures:
        print_measure(screen, one)
        if found.segments is not None:
            cells = query_tables.segment_cells(found, one)
            screen.print(f"\n{cells.caption}", style="bold")
            screen.show(text_table(query_tables.first_rows(cells, _SHOWN)))
            if len(cells.rows) > _SHOWN:
                more = len(cells.rows) - _SHOWN
                screen.print(f"... and {more:,} more; --json prints them all.")
            for each in found.about_segments(one):
                screen.print(str(each))
            screen.notes(query_tables.segment_notes(found, one)[:_SHOWN])
        if per_query:
            cells = query_tables.per_query_cells(one)
            screen.print(f"\n{cells.caption}", style="bold")
            screen.show(text_table(cells))
    if found.distinction is not None:
        cells = query_tables.distinction_cells(found.distinction)
        screen.print(f"\n{cells.caption}", style="bold")
        screen.show(text_table(cells))
        screen.print(found.distinction.choose().words)
        screen.print(found.distinction.about, style="dim")
    print_legend(screen, [], found.measures)

"""``rocsolid evaluate --qid``: what it writes and prints."""

from __future__ import annotations

import shlex
import sys
from typing import Any

from rocsolid.cli.output import print_json, write_text
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.query_options import QueryOptions
from rocsolid.cli.runs_output import print_legend, print_measure, print_overview, text_table
from rocsolid.cli.screen import Screen, tell
from rocsolid.evaluation import query_distinction, query_tables, runs_tables
from rocsolid.evaluation.evaluate_queries import evaluate_queries
from rocsolid.evaluation.query_evaluation import QueryEvaluation

_SHOWN = 40


def evaluate_by_query(
    table: str | list[str],
    qid: str,
    options: QueryOptions,
    *,
    json: bool,
    markdown: bool,
    latex: bool,
    html: str | None,
    **asked: Any,
) -> int:
    """Evaluate, write the page where one is asked for, and print."""
    with progress_bar("samples" if options.distinguish else "segments") as bar:
        found = evaluate_queries(table, qid=qid, progress=bar, **options.given(), **asked)
    if html is not None:
        write_text(html, found.to_html(command=shlex.join(["rocsolid", *sys.argv[1:]])))
    if json:
        print_json(found.to_dict(per_query=options.per_query))
        return 0
    if markdown or latex:
        sys.stdout.write(found.to_markdown() if markdown else found.to_latex())
        return 0
    print_queries(found, per_query=options.per_query)
    if html is not None:
        tell(f"\nReport: {html}")
    return 0


def print_queries(found: QueryEvaluation, *, per_query: bool = False) -> None:
    """The scores by all measures, then each measure with its differences and its segments."""
    screen = Screen()
    screen.print(query_tables.caption(found), style="bold")
    for note in found.notes:
        screen.print(f"note: {note}")
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
            for note in query_tables.segment_notes(found, one)[:_SHOWN]:
                screen.print(f"note: {note}")
        if per_query:
            cells = runs_tables.per_query_cells(one)
            screen.print(f"\n{cells.caption}", style="bold")
            screen.show(text_table(cells))
    if found.distinction is not None:
        cells = query_distinction.distinction_cells(found.distinction)
        screen.print(f"\n{cells.caption}", style="bold")
        screen.show(text_table(cells))
        screen.print(found.distinction.choose().words)
        screen.print(found.distinction.about, style="dim")
    print_legend(screen, [], found.measures)

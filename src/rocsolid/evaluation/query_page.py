"""The page about runs and scores measured over queries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocsolid.answer.answer import Answer
from rocsolid.answer.frame import differences_drawn, values_drawn
from rocsolid.counts import counted
from rocsolid.evaluation import query_tables as tables
from rocsolid.evaluation.graded_audit import graded_audit
from rocsolid.evaluation.page_notes import interval_notes, made_with, of_measures
from rocsolid.evaluation.query_blocks import SEGMENTS
from rocsolid.evaluation.query_numbers import MeasuredRuns, OverQueries, QueryNumbers, RunsNumbers
from rocsolid.pictures.batches import deltas_picture
from rocsolid.report.blocks import PAGE
from rocsolid.report.data import LeakReport, Note, Page
from rocsolid.report.frame import Large
from rocsolid.results import percent
from rocsolid.results.standing import highest, standings

_SAMPLED = (
    "Each query has one value, and the comparison is of their means. The queries are a sample: "
    "the intervals show how far the means could move with other queries like these."
)


def runs_page(answer: Answer, title: str, command: str) -> Page:
    numbers: RunsNumbers = answer.basis
    count = len(numbers.runs)
    runs = f"{count} runs" if count > 1 else "One run"
    return _page(
        numbers,
        title,
        command,
        lead=(f"{runs} against {tables.audit_caption(numbers)}.", _SAMPLED),
        facts=(
            ("Judgements", numbers.qrels),
            ("Queries that a run lacks", str(numbers.settings["missing"])),
        ),
        leaks=graded_audit(numbers.measures, single=0),
    )


def query_page(answer: Answer, title: str, command: str) -> Page:
    """The page for a table; every cell about a single query except the first reveals grades."""
    numbers: QueryNumbers = answer.basis
    scores = f"{len(numbers.scores)} scores" if len(numbers.scores) > 1 else "One score"
    profile = numbers.settings["profile"]
    separated = numbers.distinction
    rows = (
        f"{scores} against the grades {numbers.label!r} on {counted(numbers.n_rows, 'row')} of "
        f"{counted(numbers.queries, 'query')}"
        f"{f'; everything as {profile}' if profile else ''}."
    )
    queries_shown = filter(None, map(tables.telling_cells, numbers.measures))
    segments = (len([*tables.segment_estimates(numbers, each)]) for each in numbers.measures)
    return _page(
        numbers,
        title,
        command,
        lead=(rows, _SAMPLED, *numbers.notes),
        facts=(
            ("Table", numbers.source),
            ("Rows", f"{numbers.n_rows:,}"),
            ("Queries", f"{numbers.queries:,}, by {numbers.qid!r}"),
            ("Grades", numbers.label),
            ("Rows left out without a score", f"{numbers.settings['omitted']:,}"),
        ),
        drawn=()
        if separated is None
        else (f"the samples of growing lists, seed {separated.seed}",),
        leaks=graded_audit(
            numbers.measures,
            single=sum(len(row) - 1 for table in queries_shown for row in table.rows),
            segments=sum(min(count, SEGMENTS[PAGE.name]) for count in segments),
        ),
    )


def _page(
    numbers: OverQueries,
    title: str,
    command: str,
    *,
    lead: tuple[str, ...],
    facts: tuple[tuple[str, str], ...],
    leaks: LeakReport,
    drawn: tuple[str, ...] = (),
) -> Page:
    settings, measures = numbers.settings, numbers.measures
    return Page(
        title=title or numbers.source,
        lead=lead,
        notes=methods(measures),
        facts=(
            *facts,
            ("Level", percent(settings["level"])),
            ("Conventions", settings["profile"] or "rocsolid's own"),
            ("Tied documents", str(settings["ties"])),
            ("Queries without a relevant document", str(settings["empty"])),
            ("Unjudged documents", str(settings["unjudged"])),
            *made_with([*of_measures(measures), *drawn]),
        ),
        command=command,
        verdict=tables.verdict_of_runs(measures[0]),
        large=_large(measures[0]),
        leaks=leaks,
    )


_RIVALS = 6  # lines that can be distinguished


def _large(measured: MeasuredRuns) -> tuple[Large, ...]:
    estimates, comparison = measured.estimates, measured.comparison
    if comparison is None:
        return (values_drawn(estimates, measured.asked),)
    best = highest(comparison)
    top = estimates[best].per_query
    rivals = [one.name for one in standings(comparison)[:_RIVALS]]
    deltas = {name: np.asarray(estimates[name].per_query - top) for name in rivals}
    drawn = Large(deltas_picture(deltas, best, measured.asked))
    return (differences_drawn(comparison, measured.asked), drawn)


def methods(measures: Sequence[MeasuredRuns]) -> tuple[Note, ...]:
    estimates = [estimate for each in measures for estimate in each.estimates.values()]
    notes = interval_notes(
        (interval for each in estimates for interval in (each.interval, each.certified)),
        certified="Certified: holds at its level for any number of queries, whatever the "
        "distribution.",
    )
    first = next((each for each in measures if each.comparison), None)
    if first is not None and (comparison := first.comparison) is not None:
        pair = comparison.pairs[0].interval
        notes.append(
            Note(
                f"Differences: {comparison.settings['test']}, {comparison.settings['adjust']}",
                tables.how_compared(comparison, first.noun),
                pair.assumptions,
                pair.source,
            )
        )
    for each in measures:
        if each.asked != each.full_name:
            notes.append(Note(each.asked, f"Full conventions: {each.full_name}."))
    return tuple(notes)

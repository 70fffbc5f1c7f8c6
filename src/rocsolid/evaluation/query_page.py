"""Runs and scores measured over queries: what their page has beside the blocks."""

from __future__ import annotations

from collections.abc import Sequence

from rocsolid.evaluation import query_tables as tables
from rocsolid.evaluation.graded_audit import graded_audit
from rocsolid.evaluation.page_notes import interval_notes, made_with, of_measures
from rocsolid.evaluation.query_blocks import SEGMENTS
from rocsolid.evaluation.query_numbers import MeasuredRuns, QueryNumbers, RunsNumbers
from rocsolid.report import Note, Page
from rocsolid.report.blocks import PAGE
from rocsolid.report.leak_data import LeakReport
from rocsolid.results import percent

_SAMPLED = (
    "Each query has one value, and what is compared is their mean. The queries are a sample: the "
    "intervals say how far other queries like these could move it."
)


def runs_page(numbers: RunsNumbers, *, title: str, command: str) -> Page:
    """What was judged, and which queries a run lacks."""
    count = len(numbers.runs)
    runs = f"{count} runs" if count > 1 else "One run"
    return _page(
        numbers,
        title=title or numbers.qrels,
        command=command,
        lead=(f"{runs} against {tables.audit_caption(numbers)}.", _SAMPLED),
        facts=(
            ("Judgements", numbers.qrels),
            ("Queries that a run lacks", str(numbers.settings["missing"])),
        ),
        leaks=graded_audit(numbers.measures, single=0),
    )


def query_page(numbers: QueryNumbers, *, title: str, command: str) -> Page:
    """What the rows are; of a table of single queries every cell but the first gives one away."""
    scores = f"{len(numbers.scores)} scores" if len(numbers.scores) > 1 else "One score"
    queries = f"{numbers.queries:,} quer{'y' if numbers.queries == 1 else 'ies'}"
    profile = numbers.settings["profile"]
    separated = numbers.distinction
    rows = (
        f"{scores} against the grades {numbers.label!r} on {numbers.n_rows:,} rows of {queries}"
        f"{f'; everything as {profile}' if profile else ''}."
    )
    queries_shown = filter(None, map(tables.telling_cells, numbers.measures))
    segments = (len([*tables.segment_estimates(numbers, each)]) for each in numbers.measures)
    return _page(
        numbers,
        title=title or numbers.source,
        command=command,
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
    numbers: RunsNumbers | QueryNumbers,
    *,
    title: str,
    command: str,
    lead: tuple[str, ...],
    facts: tuple[tuple[str, str], ...],
    leaks: LeakReport,
    drawn: tuple[str, ...] = (),
) -> Page:
    settings, measures = numbers.settings, numbers.measures
    return Page(
        title=title,
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
        leaks=leaks,
    )


def methods(measures: Sequence[MeasuredRuns]) -> tuple[Note, ...]:
    """What each method used promises and assumes, and what a short name of a measure stands for."""
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
            notes.append(Note(each.asked, f"Its conventions in full: {each.full_name}."))
    return tuple(notes)

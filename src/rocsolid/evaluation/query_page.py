"""Runs and scores measured over queries as the plain data of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rocsolid.answer.best_first import best_first
from rocsolid.evaluation import query_tables as tables
from rocsolid.evaluation.graded_audit import graded_audit
from rocsolid.evaluation.page_notes import interval_notes, made_with, of_measures
from rocsolid.evaluation.page_segments import evidence_cells
from rocsolid.evaluation.query_numbers import MeasuredRuns, QueryNumbers, RunsNumbers
from rocsolid.evaluation.separating_measures import SeparatingMeasures
from rocsolid.report import Note, Page
from rocsolid.report.bars import Bar, BarRow, BarTable
from rocsolid.report.cells import Cells
from rocsolid.report.leak_data import LeakReport
from rocsolid.report.runs_page import MeasureSection, RunsPage, TableSection, render_runs
from rocsolid.results import Interval, percent
from rocsolid.results.query_comparison import QueryComparison

_SEGMENT_ROWS = 200  # rows of a table of segments
_PAIRS = 120  # differences drawn for each measure
_SAMPLED = (
    "Each query has one value, and what is compared is their mean. The queries are a sample: the "
    "intervals say how far other queries like these could move it."
)
KEY = (
    "Dot: the value. Thick line: the interval (of a difference: the one that holds together with "
    "all others). Thin line with ends: the certified interval, which holds at its level for every "
    "distribution that meets its assumptions."
)
_MARGIN = (
    "Differences are drawn with the interval of both one-sided tests; the dashed line is where a "
    "falls short of b by the margin."
)


def runs_page(found: RunsNumbers, *, title: str = "", command: str = "") -> str:
    """The page of runs as one HTML text: their audit beside the measures."""
    count = len(found.runs)
    whose = f"{f'{count} runs' if count > 1 else 'One run'} against {tables.audit_caption(found)}."
    return _text(
        found,
        tuple(measure_section(one, _colours(found)) for one in found.measures),
        title=title or found.qrels,
        command=command,
        lead=(whose, _SAMPLED),
        facts=(
            ("Judgements", found.qrels),
            ("Queries that a run lacks", str(found.settings["missing"])),
        ),
        audit=tables.audit_cells(found),
        audit_notes=(*tables.audit_notes(found), tables.AUDIT_KEY),
    )


def query_page(found: QueryNumbers, *, title: str = "", command: str = "") -> str:
    """The page of scores as one HTML text: their segments and queries beside the measures."""
    scores = f"{len(found.scores)} scores" if len(found.scores) > 1 else "One score"
    queries = f"{found.queries:,} quer{'y' if found.queries == 1 else 'ies'}"
    profile = found.settings["profile"]
    told = found.distinction
    whose = (
        f"{scores} against the grades {found.label!r} on {found.n_rows:,} rows of {queries}"
        f"{f'; everything as {profile}' if profile else ''}."
    )
    return _text(
        found,
        tuple(_section(found, one, _colours(found)) for one in found.measures),
        title=title or found.source,
        command=command,
        lead=(whose, _SAMPLED, *found.notes),
        facts=(
            ("Table", found.source),
            ("Rows", f"{found.n_rows:,}"),
            ("Queries", f"{found.queries:,}, by {found.qid!r}"),
            ("Grades", found.label),
            ("Rows left out without a score", f"{found.settings['omitted']:,}"),
        ),
        drawn=() if told is None else (f"the samples of growing lists, seed {told.seed}",),
        more=(*_evidence(found), *(() if told is None else (_distinction(told),))),
    )


def _text(
    found: RunsNumbers | QueryNumbers,
    sections: tuple[MeasureSection, ...],
    *,
    title: str,
    command: str,
    lead: tuple[str, ...],
    facts: tuple[tuple[str, str], ...],
    drawn: tuple[str, ...] = (),
    audit: Cells | None = None,
    audit_notes: tuple[str, ...] = (),
    more: tuple[TableSection, ...] = (),
) -> str:
    settings, measures = found.settings, found.measures
    page = Page(
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
        leaks=_leaks(measures, sections),
    )
    names = tuple(measures[0].estimates)
    overview = tables.overview_cells(names, measures) if len(measures) > 1 else None
    return render_runs(RunsPage(page, overview, sections, audit, audit_notes, more))


def _colours(found: RunsNumbers | QueryNumbers) -> dict[str, int]:
    return {name: i for i, name in enumerate(found.measures[0].estimates)}


def measure_section(one: MeasuredRuns, colours: Mapping[str, int]) -> MeasureSection:
    """What to remember of one measure, its runs drawn, all differences, and the warnings."""
    cells = tables.value_cells(one)
    rows = tuple(
        BarRow((name,), texts[1:], bar_of(estimate.value, estimate.interval, estimate.certified),
               colours[name])
        for (name, estimate), texts in zip(one.estimates.items(), cells.rows, strict=True)
    )  # fmt: skip
    differences = None if one.comparison is None else _differences(one.comparison, colours)
    return MeasureSection(
        one.asked,
        _sentences(one),
        BarTable(f"{cells.caption}.", cells.heads, rows),
        differences,
        (KEY, *(() if one.comparison is None else _below(one.comparison, one.noun))),
        one.warnings,
    )


def _sentences(one: MeasuredRuns) -> tuple[str, ...]:
    best = next(iter(one.estimates))
    first = one.estimates[best].sentences()[0]
    said = [first if one.comparison is None else f"{best} is highest. {first}"]
    if one.comparison is not None and not one.comparison.groups:
        said += one.comparison.decided()
    elif one.comparison is not None:
        level = [name for group in one.comparison.groups if best in group for name in group]
        others = [name for name in dict.fromkeys(level) if name != best]
        if others:
            said.append(f"It is not significantly different from {', '.join(others)}.")
        else:
            said.append(f"It is significantly different from every other {one.noun}.")
    return tuple(said)


def _below(comparison: QueryComparison, noun: str) -> tuple[str, ...]:
    how = tables.how_compared(comparison, noun, named=False)
    drawn = (_MARGIN,) if comparison.equivalence else ()
    return (*drawn, *comparison.crowned(), *comparison.detectable(), how)


def _differences(comparison: QueryComparison, colours: Mapping[str, int]) -> BarTable:
    comparison = best_first(comparison)
    cells = tables.pair_cells(comparison, digits=3)
    rows = tuple(
        BarRow(texts[:2], texts[2:], bar, colours[pair.a])
        for pair, bar, texts in zip(
            comparison.pairs[:_PAIRS], _bars(comparison), cells.rows, strict=False
        )
    )
    more = len(comparison.pairs) - len(rows)
    left = f" The JSON output has {more:,} more." if more else ""
    null = comparison.settings["null"]
    return BarTable(f"{cells.caption}.{left}", cells.heads, rows, level=null)


def _bars(comparison: QueryComparison) -> Iterator[Bar]:
    """The interval that holds with all others; with a margin that of both one-sided tests."""
    if comparison.equivalence:
        for pair, both in zip(comparison.pairs, comparison.equivalence, strict=True):
            yield Bar(pair.difference, (both.low, both.high))
        return
    for pair in comparison.pairs:
        yield bar_of(pair.difference, pair.simultaneous or pair.interval, pair.certified)


def bar_of(value: float, inner: Interval, outer: Interval | None) -> Bar:
    return Bar(value, (inner.low, inner.high), None if outer is None else (outer.low, outer.high))


def methods(measures: Sequence[MeasuredRuns]) -> tuple[Note, ...]:
    """What each method used promises and assumes, and what a short name of a measure stands for."""
    estimates = [estimate for one in measures for estimate in one.estimates.values()]
    notes = interval_notes(
        (interval for one in estimates for interval in (one.interval, one.certified)),
        certified="Certified: holds at its level for any number of queries, whatever the "
        "distribution.",
    )
    first = next((one for one in measures if one.comparison), None)
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
    for one in measures:
        if one.asked != one.full_name:
            notes.append(Note(one.asked, f"Its conventions in full: {one.full_name}."))
    return tuple(notes)


def _leaks(measures: Sequence[MeasuredRuns], sections: Sequence[MeasureSection]) -> LeakReport:
    """Of a table of single queries every cell but the first is a value."""
    queries = [one.queries for one in sections if one.queries is not None]
    return graded_audit(
        measures,
        single=sum(len(row) - 1 for table in queries for row in table.rows),
        segments=sum(len(one.segments.rows) for one in sections if one.segments is not None),
    )


def _evidence(found: QueryNumbers) -> Iterator[TableSection]:
    evidence = found.heterogeneity
    cells = evidence_cells(evidence)
    if cells is not None:
        yield TableSection("Whether segments differ", str(evidence[0]), cells, "")


def _distinction(found: SeparatingMeasures) -> TableSection:
    return TableSection(
        "Which discount and cut-off separate them",
        found.choose().words,
        tables.distinction_cells(found),
        found.about,
    )


def _section(found: QueryNumbers, one: MeasuredRuns, colours: Mapping[str, int]) -> MeasureSection:
    section = measure_section(one, colours)
    notes = section.notes
    if found.segments is not None:
        notes += tables.segment_notes(found, one)[:_SEGMENT_ROWS]
        notes += tuple(map(str, found.lowest_of(one)))
    return replace(
        section,
        segments=_segments(found, one, colours),
        queries=tables.telling_cells(one),
        notes=notes,
    )


def _segments(
    found: QueryNumbers, one: MeasuredRuns, colours: Mapping[str, int]
) -> BarTable | None:
    if found.segments is None:
        return None
    cells = tables.segment_cells(found, one)
    drawn = [
        (score, part.estimates[score])
        for part in found.parts_of(one.asked)
        for score in one.estimates
        if score in part.estimates
    ]
    rows = tuple(
        BarRow(
            texts[: cells.names],
            texts[cells.names :],
            bar_of(each.value, each.interval, each.certified),
            colours[score],
        )
        for texts, (score, each) in zip(
            cells.rows[:_SEGMENT_ROWS], drawn[:_SEGMENT_ROWS], strict=True
        )
    )
    if not rows:
        return None
    more = len(cells.rows) - len(rows)
    left = f" The JSON output has {more:,} more." if more else ""
    return BarTable(f"{cells.caption}.{left}", cells.heads, rows)

"""Runs and scores measured over queries as the blocks of every form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from rocsolid.answer.answer import Answer
from rocsolid.answer.frame import differences_drawn, values_drawn
from rocsolid.answer.tables import bar_of, best_first
from rocsolid.evaluation import query_tables as tables
from rocsolid.evaluation.graded_audit import graded_audit
from rocsolid.evaluation.page_notes import interval_notes, made_with, of_measures
from rocsolid.evaluation.query_numbers import MeasuredRuns, OverQueries, QueryNumbers, RunsNumbers
from rocsolid.pictures.batches import deltas_picture
from rocsolid.report.blocks import NOTEBOOK, PAGE, Form, TextBlock
from rocsolid.report.data import LeakReport, Note, Page
from rocsolid.report.frame import Large
from rocsolid.report.text import Bar
from rocsolid.results import percent
from rocsolid.results.plain import counted
from rocsolid.results.query_estimate import QueryComparison
from rocsolid.results.standing import highest, standings

SEGMENTS = {"terminal": 40, "page": 200}  # rows that a table of segments has room for
_PAIRS = {"terminal": 60, "page": 120}
_LINE = 80  # letters
_MARGIN = (
    "Differences are drawn with the interval of both one-sided tests; the dashed line marks "
    "that a is below b by the margin."
)


def runs_blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    numbers: RunsNumbers = answer.basis
    if form is NOTEBOOK:
        yield _short(numbers.measures, tables.audit_caption(numbers), tables.audit_notes(numbers))
        return
    cells, notes = tables.audit_cells(numbers), tables.audit_notes(numbers)
    if not form.paper and form is not PAGE:
        methods = (tables.AUDIT_KEY, tables.how_estimated(numbers.measures))
        yield TextBlock("" if form.narrow else "Audit", cells, notes=notes, methods=methods)
    yield from _overview(numbers.measures, form)
    for measured in numbers.measures:
        yield from _measure(measured, form, first=measured is numbers.measures[0])
    if form is PAGE:
        yield TextBlock("Audit of the files", cells, (tables.AUDIT_KEY,), notes)


def query_blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    numbers: QueryNumbers = answer.basis
    if form is NOTEBOOK:
        more = ("The segments are in .results.",) if numbers.parts else ()
        yield _short(numbers.measures, tables.caption(numbers), (*numbers.notes, *more))
        return
    first, *others = _by_measure(numbers, form)
    if first.cells is not None and not form.paper and form is not PAGE:
        of_all = f"{tables.caption(numbers)}. {first.cells.caption}"
        yield replace(
            first, cells=replace(first.cells, caption=of_all), notes=(*numbers.notes, *first.notes),
            methods=(tables.how_estimated(numbers.measures),),
        )  # fmt: skip
    else:
        yield first
    yield from others
    yield from _distinction(numbers, form)


def _distinction(numbers: OverQueries, form: Form) -> Iterator[TextBlock]:
    if (separated := numbers.distinction) is not None:
        yield TextBlock(
            "Discounts and cut-offs that separate them" if form is PAGE else "",
            tables.distinction_cells(separated), (separated.choose().words, separated.about),
        )  # fmt: skip


def requested(numbers: OverQueries, form: Form) -> Iterator[TextBlock]:
    if form.per_query:
        for measured in numbers.measures:
            yield TextBlock(cells=tables.per_query_cells(measured))
    yield from _distinction(numbers, form)


def _by_measure(numbers: QueryNumbers, form: Form) -> Iterator[TextBlock]:
    yield from _overview(numbers.measures, form)
    for measured in numbers.measures:
        yield from _measure(measured, form, first=measured is numbers.measures[0])
        if numbers.segments is not None:
            yield _segments(numbers, measured, form)
        if form is PAGE and (cells := tables.telling_cells(measured)) is not None:
            yield TextBlock("Queries to look at", cells, level=3)
    if form is not PAGE:
        return
    from rocsolid.evaluation.page_segments import evidence_cells

    if (cells := evidence_cells(numbers.heterogeneity)) is not None:
        yield TextBlock("Whether segments differ", cells)


def _short(measures: Sequence[MeasuredRuns], source: str, notes: Sequence[str]) -> TextBlock:
    sentences = [
        f"{measured.asked}: {text}"
        for measured in measures
        if (comparison := measured.comparison) is not None
        for text in (*comparison.decided(), *comparison._told_apart())
    ]
    warned = [f"{measured.asked}: {text}" for measured in measures for text in measured.warnings]
    return TextBlock(
        "", tables.overview_cells(measures), (f"{source}.", *sentences), (*warned, *notes),
        (tables.how_estimated(measures),),
    )  # fmt: skip


def _overview(measures: Sequence[MeasuredRuns], form: Form) -> Iterator[TextBlock]:
    if form.paper:
        yield _overview_on_paper(measures)
    elif len(measures) > 1:
        abreast = _abreast(measures) if form.narrow else len(measures)
        for first in range(0, len(measures), abreast):
            cells = tables.overview_cells(measures[first : first + abreast])
            if form.narrow:
                yield TextBlock(cells=replace(cells, caption=cells.caption * (first == 0)))
            else:
                yield TextBlock("All measures", cells)


def _abreast(measures: Sequence[MeasuredRuns]) -> int:
    rows = [
        row
        for cells in (tables.overview_cells([measured]) for measured in measures)
        for row in (cells.heads, *cells.rows)
    ]
    name, value = (max(len(row[column]) for row in rows) for column in (0, 1))
    return max(1, (_LINE - name) // (value + 2))


def _overview_on_paper(measures: Sequence[MeasuredRuns]) -> TextBlock:
    cells = tables.overview_cells(measures, letters=True)
    averaged = "; ".join(tables.value_caption(measured) for measured in measures)
    notes = [
        f"{measured.asked}: {text}" if len(measures) > 1 else text
        for measured in measures
        for text in measured.warnings
    ]
    return TextBlock(
        "", replace(cells, caption=f"{cells.caption} {averaged}."), (), (*notes,),
        (tables.how_estimated(measures),),
    )  # fmt: skip


def _measure(measured: MeasuredRuns, form: Form, *, first: bool) -> Iterator[TextBlock]:
    """A page begins with the verdict by the ``first`` measure."""
    comparison = measured.comparison
    notes = () if form.paper else measured.warnings
    if not form.paper:
        yield TextBlock(
            "" if form.narrow else measured.asked, tables.value_cells(measured),
            tables.verdict_of_runs(measured) if form is PAGE and not first else (),
            notes if comparison is None else (),
            bars=tuple(bar_of(each.value, each.interval, each.certified)
                       for each in measured.estimates.values()),
        )  # fmt: skip
    if comparison is not None:
        yield replace(_pairs(comparison, measured.noun, form), notes=notes)
    if form.per_query:
        yield TextBlock(cells=tables.per_query_cells(measured))


def _pairs(comparison: QueryComparison, noun: str, form: Form) -> TextBlock:
    ordered = best_first(comparison)
    cells = tables.pair_cells(ordered, form)
    shown = tables.first_rows(cells, _PAIRS.get(form.name))
    sentences = (*comparison.decided(), *comparison._detectable(), *comparison._crowned())
    methods: tuple[str, ...] = (tables.how_compared(comparison, noun),)
    if form is PAGE:
        drawn = (_MARGIN,) if comparison.equivalence else ()
        sentences = (*drawn, *sentences, tables.how_compared(comparison, noun, named=False))
        methods = ()
    return TextBlock(
        "Differences" if form is PAGE else "", shown, sentences, (), methods,
        tuple(_bars(ordered))[: len(shown.rows)], comparison.settings["null"],
        len(cells.rows) - len(shown.rows), level=3,
    )  # fmt: skip


def _bars(comparison: QueryComparison) -> Iterator[Bar]:
    """The simultaneous interval, or with a margin the interval of the two one-sided tests."""
    if comparison.equivalence:
        for pair, both in zip(comparison.pairs, comparison.equivalence, strict=True):
            yield Bar(pair.difference, (both.low, both.high))
        return
    for pair in comparison.pairs:
        yield bar_of(pair.difference, pair.simultaneous or pair.interval, pair.certified)


def _segments(numbers: QueryNumbers, measured: MeasuredRuns, form: Form) -> TextBlock:
    cells = tables.segment_cells(numbers, measured)
    shown = tables.first_rows(cells, SEGMENTS.get(form.name))
    notes = () if form.paper else tables.segment_notes(numbers, measured)[: SEGMENTS.get(form.name)]
    bars = (
        bar_of(each.value, each.interval, each.certified)
        for _, _, each in tables.segment_estimates(numbers, measured)
    )
    return TextBlock(
        "Segments" if form is PAGE else "", shown, numbers.about_segments(measured), notes,
        bars=tuple(bars)[: len(shown.rows)], more=len(cells.rows) - len(shown.rows), level=3,
    )  # fmt: skip


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

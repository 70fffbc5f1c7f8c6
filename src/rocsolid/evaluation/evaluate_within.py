"""Scores within and between the groups of a column, by segment, and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rocsolid.answer.answer import Answer, AnswerKind, Facts
from rocsolid.answer.entry import Entry, of_first_measure, overall, verdict_of_many
from rocsolid.answer.grouping import Grouping
from rocsolid.answer.overview import Overview, overview_of
from rocsolid.answer.tables import pair_block, value_block, warnings_of, why_skipped
from rocsolid.binary.estimate import Options
from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.models import compare_within
from rocsolid.comparison.options import ComparisonQuestion
from rocsolid.engines.engine import Columns
from rocsolid.evaluation.folds import GroupColumn, GroupedTable, parted_answer, skipped_segments
from rocsolid.leaks.page_leaks import page
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.partition import ScoredGroups
from rocsolid.measures.within import Within, within
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.text import measure_title, number, span
from rocsolid.results import percent
from rocsolid.results.comparison import Comparison
from rocsolid.results.framed import library_of
from rocsolid.results.within_estimate import WithinEstimate

_NAMED = 3  # scores with a sentence of their own


def _lines(answer: Answer) -> list[Entry]:
    return [
        Entry(entry.score, part.measure, entry.by, part)
        for entry in answer.results
        for part in entry.parts
    ]


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    rows = answer.grouping.of_rows(answer.rows, overall(answer.results), classes=False)
    of = f"{answer.source}: {rows}, label {answer.label}, within {answer.within}."
    values = value_block(_lines(answer), of, form, sentences=_differences(answer, form))
    yield replace(values, methods=(*answer.grouping.sentences, *values.methods))
    for measure, comparison in answer.comparisons.items():
        heading = str(measure) if len(answer.comparisons) > 1 else ""
        yield pair_block(comparison, form, heading=heading)
    yield TextBlock(notes=(*warnings_of(_lines(answer), most=3), *why_skipped(answer.skipped)))
    yield TextBlock(
        notes=() if form.paper else page(["auc", "class sizes", "other measures"]).sentences
    )


def _differences(answer: Answer, form: Form) -> tuple[str, ...]:
    counts = answer.results[0].settings["counts"]
    how = {"pairs": "by its pairs", "rows": "by its rows", "groups": "like every other"}[counts]
    lost = (
        f"{entry.score}: {apart.measure} {apart.value:+.4f} ({span(apart.low, apart.high)})."
        for entry in overall(answer.results)[: form.rows]
        if (apart := entry.result.difference) is not None
    )
    return (f"Within, a {answer.within} counts {how}.", *lost)


def _verdict(answer: Answer) -> tuple[str, ...]:
    first = list(of_first_measure(answer.results).values())
    sentences = [_split(entry, answer.within) for entry in first[:_NAMED]]
    compared = answer.comparisons.get(first[0].result.within.measure)
    if compared is None:
        return tuple(sentences)
    title = f"{measure_title(first[0].measure)} within {answer.within}"
    values = {entry.score: entry.result.within for entry in first}
    verdict = verdict_of_many(
        title, values, compared.pairs, answer.level, warnings=compared.warnings
    )
    return (*sentences, *verdict)


def _split(entry: Entry, column: str) -> str:
    inner, digits = entry.result.within, entry.interval.decimals
    ends = span(inner.low, inner.high, inner.interval.decimals)
    share = "" if inner.share is None else f", {100 * inner.share:.1f} % of the pairs"
    return (
        f"{entry.score}: {measure_title(entry.measure)} {number(entry.value, digits)} over all "
        f"rows, {number(inner.value, inner.interval.decimals)} among rows of the same {column} "
        f"({percent(inner.level)} interval {ends}{share})."
    )


def _overview(answer: Answer, _form: Form) -> Overview:
    of = answer.grouping.of_rows(answer.rows, overall(answer.results))
    of = f"{answer.source}: {of}, within {answer.within}."
    lines = replace(answer, results=_lines(answer))
    return overview_of(lines, of, _verdict(answer)[-2:])


WITHIN = AnswerKind(
    "rows source label within results skipped comparisons", _blocks, _verdict,
    shapes={"skipped": skipped_segments}, overview=_overview,
)  # fmt: skip


def evaluate_within(
    data: Any, columns: Columns, groups: GroupColumn, wanted: Sequence[BinaryMeasure],
    options: Options,
) -> Answer:  # fmt: skip
    """`rocsolid.evaluate` with ``within``.

    >>> table = {"y": [0, 1, 0, 1] * 9, "s": range(36), "task": [1, 1, 2, 2] * 9}
    >>> answer = evaluate_within(table, Columns("y", ("s",)), GroupColumn("task"), [], Options())
    >>> answer.rows
    36
    """
    table = GroupedTable.read(data, columns, groups.name)

    def decomposed(measure: Within, sample: ScoredGroups) -> WithinEstimate:
        return measure.decomposed(sample, options)

    def compare(measure: Within, _samples: Mapping[str, ScoredGroups]) -> Comparison:
        question = ComparisonQuestion.of(
            measure=measure.measure, level=options.level, design=options.design, test=DEFAULT,
        )  # fmt: skip
        return compare_within(table.scored, table.code, measure, question)

    return parted_answer(
        WITHIN, table, [within(measure, groups.name, groups.counts) for measure in wanted],
        decomposed, lambda measure, _score, sample, _compared: decomposed(measure, sample), compare,
        Facts(
            columns.label, table.rows, level=options.level, within=groups.name,
            grouping=Grouping(columns.cluster),
        ),
        library_of(data),
    )  # fmt: skip

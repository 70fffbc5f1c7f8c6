"""Scores within and between the groups of a column, by segment, and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.answer.answer import Answer, AnswerKind, Facts, design_of
from rocsolid.answer.entry import Entry, Refused, verdict_of_many
from rocsolid.answer.overview import Overview, overview_of
from rocsolid.answer.tables import pair_block, value_block, warnings_of, why_skipped
from rocsolid.binary.estimate import Options
from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.models import compare_within
from rocsolid.comparison.options import ComparisonQuestion
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.folds import segment_rows
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.groups import codes
from rocsolid.leaks.page_leaks import page
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.partition import ScoredGroups
from rocsolid.measures.within import Within, within
from rocsolid.parameters import Counts, refuse_pairs
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.text import measure_title, number, span
from rocsolid.results import percent
from rocsolid.results.comparison import Comparison
from rocsolid.results.framed import library_of
from rocsolid.results.plain import plain_segment

_NAMED = 3  # scores with a sentence of their own


@dataclass(frozen=True, slots=True)
class GroupColumn:
    """The column of groups, and the weighting of groups."""

    name: str
    counts: Counts = "pairs"


def group_column(within: str | None = None, counts: Counts | None = None) -> GroupColumn | None:
    """The column of groups; ``None`` if none is named."""
    refuse_pairs(within=within, counts=counts)
    return None if within is None else GroupColumn(within, counts or "pairs")


@dataclass(frozen=True, slots=True, eq=False)
class GroupedTable:
    """Scores of the same rows, the group of each row, and the rows of each segment."""

    source: str
    rows: int
    scored: dict[str, BinaryRows]
    code: NDArray[np.int64]
    segments: list[tuple[dict[str, Any], NDArray[np.intp]]]
    pos_label: Any

    @classmethod
    def read(cls, data: Any, columns: Columns, groups: str) -> GroupedTable:
        engine = InMemory(data, replace(columns, by=(groups, *columns.by)))
        with closing(engine):
            engine.check()
            assert engine.segments is not None
            keys = [values[engine.segments.code] for values in engine.segments.values]
            return cls(
                engine.source,
                engine.rows,
                {score: engine.rows_of(score)[0] for score in columns.scores},
                codes(keys[0], groups)[0],
                segment_rows(columns.by, keys[1:]),
                engine.pos_label,
            )

    def sample(self, score: str, inside: NDArray[np.intp] | None = None) -> ScoredGroups:
        """A score and its groups, over all rows or ``inside`` a segment."""
        if inside is None:
            return ScoredGroups(self.scored[score], self.code)
        return ScoredGroups(self.scored[score].subset(inside), codes(self.code[inside])[0])


def _lines(answer: Answer) -> list[Entry]:
    return [
        Entry(entry.score, part.measure, entry.by, part)
        for entry in answer.results
        for part in entry.parts
    ]


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    of = f"{answer.source}: {answer.rows:,} rows, label {answer.label}, within {answer.within}."
    values = value_block(_lines(answer), of, form, sentences=_differences(answer, form))
    yield replace(values, methods=(*answer.design, *values.methods))
    for measure, comparison in answer.comparisons.items():
        heading = str(measure) if len(answer.comparisons) > 1 else ""
        yield pair_block(comparison, form, heading=heading)
    yield TextBlock(notes=(*warnings_of(_lines(answer), most=3), *why_skipped(answer.skipped)))
    yield TextBlock(
        notes=() if form.paper else page(["auc", "class sizes", "other measures"]).sentences
    )


def _differences(answer: Answer, form: Form) -> tuple[str, ...]:
    """The weighting of groups, and each score's difference within minus between groups."""
    counts = answer.results[0].settings["counts"]
    how = {"pairs": "by its pairs", "rows": "by its rows", "groups": "like every other"}[counts]
    overall = [entry for entry in answer.results if entry.by is None]
    lost = (
        f"{entry.score}: {apart.measure} {apart.value:+.4f} ({span(apart.low, apart.high)})."
        for entry in overall[: form.rows]
        if (apart := entry.result.difference) is not None
    )
    return (f"Within, a {answer.within} counts {how}.", *lost)


def _verdict(answer: Answer) -> tuple[str, ...]:
    overall = [entry for entry in answer.results if entry.by is None]
    first = [entry for entry in overall if entry.measure == overall[0].measure]
    sentences = [_split(entry, answer.within) for entry in first[:_NAMED]]
    compared = answer.comparisons.get(first[0].result.within.measure)
    if compared is None:
        return tuple(sentences)
    title = f"{measure_title(first[0].measure)} within {answer.within}"
    values = {entry.score: entry.result.within for entry in first}
    return (*sentences, *verdict_of_many(title, values, compared.pairs, answer.level))


def _split(entry: Entry, column: str) -> str:
    inner, digits = entry.result.within, entry.interval.decimals
    ends = span(inner.low, inner.high, inner.interval.decimals)
    share = "" if inner.share is None else f", {inner.share:.1%} of the pairs"
    return (
        f"{entry.score}: {measure_title(entry.measure)} {number(entry.value, digits)} over all "
        f"rows, {number(inner.value, inner.interval.decimals)} among rows of the same {column} "
        f"({percent(inner.level)} interval {ends}{share})."
    )


def _overview(answer: Answer, _form: Form) -> Overview:
    of = f"{answer.source}: {answer.rows:,} rows, within {answer.within}."
    lines = replace(answer, results=_lines(answer))
    return overview_of(lines, of, _verdict(answer)[-2:])


def _skipped(answer: Answer) -> list[dict[str, Any]]:
    return [
        {"score": entry.score, "by": plain_segment(entry.by), "reason": entry.reason}
        for entry in answer.skipped
    ]


WITHIN = AnswerKind(
    "rows source label within results skipped comparisons", _blocks, _verdict,
    shapes={"skipped": _skipped}, overview=_overview,
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
    chosen = [within(measure, groups.name, groups.counts) for measure in wanted]
    table = GroupedTable.read(data, columns, groups.name)
    entries: list[Entry] = []
    comparisons: dict[str | None, Comparison] = {}
    for measure in chosen:
        for score in table.scored:
            entries.append(_entry(score, None, measure, table.sample(score), options))
            entries += [
                _entry(score, key, measure, table.sample(score, inside), options)
                for key, inside in table.segments
            ]
        if len(table.scored) > 1:
            question = ComparisonQuestion.of(
                measure=measure.measure, level=options.level, alternative=options.alternative,
                design=options.design, test=DEFAULT,
            )  # fmt: skip
            comparisons[measure.name] = compare_within(table.scored, table.code, measure, question)
    return Answer(
        WITHIN, table.source,
        tuple(entry for entry in entries if not entry.refused),
        tuple(entry for entry in entries if entry.refused), comparisons,
        basis=Facts(
            columns.label, table.rows, level=options.level, within=groups.name,
            design=design_of(cluster=columns.cluster),
        ),
        library=library_of(data),
    )  # fmt: skip


def _entry(
    score: str, key: dict[str, Any] | None, measure: Within, sample: ScoredGroups, options: Options
) -> Entry:
    name = measure.measure.name
    try:
        return Entry(score, name, key, measure.decomposed(sample, options))
    except (OneClassError, UnsoundError) as error:
        if key is None:
            raise
        return Entry(score, name, key, Refused(error.what))

"""Evaluate and compare scores by the concordance, or the volume, of ordered outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks, lines_of
from rocsolid.answer.entry import Entry, Refused, verdict_of_comparison, verdict_of_many
from rocsolid.answer.overview import Overview, overview_of
from rocsolid.binary.concordance import OrderedRows, check_scale
from rocsolid.binary.streamed_outcomes import StreamedRows
from rocsolid.comparison.build import OrderKeywords
from rocsolid.comparison.models import compare_outcomes, compared_outcomes, of_areas
from rocsolid.comparison.of_summaries import ReducedComparison, reduced_comparison
from rocsolid.comparison.options import ComparisonQuestion, missing_scores
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Columns, Engine, QueryBlock, Reading
from rocsolid.engines.in_memory import InMemory, check_room, has_room, open_engine
from rocsolid.engines.outcomes import MOST
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.scores_compared import not_compared
from rocsolid.inputs.folds import segments_of
from rocsolid.inputs.models import AlignedScores, outcome_rows
from rocsolid.inputs.rows import Unnumbered
from rocsolid.inputs.tables import Table, read_table
from rocsolid.parameters import Scale, column_names
from rocsolid.report.blocks import Form
from rocsolid.results.comparison import Comparison
from rocsolid.results.concordance_estimate import NAMES
from rocsolid.results.framed import library_of


def _concordance_verdict(answer: Answer) -> tuple[str, ...]:
    title = NAMES[answer.results[0].measure].lower()
    values = {one.score: one for one in answer.results if one.by is None}
    for comparison in answer.comparisons.values():
        return verdict_of_comparison(comparison, title, values)
    error = answer.uncompared
    reason = () if error is None else (not_compared(error),)
    return (*verdict_of_many(title, values, (), answer.level), *reason)


def _concordance_overview(answer: Answer, _form: Form) -> Overview:
    of = f"{answer.source}: {answer.rows:,} rows, outcome {answer.label}."
    return overview_of(answer, of, _concordance_verdict(answer))


def _comparison(answer: Answer) -> Comparison | None:
    return next(iter(answer.comparisons.values()), None)


def _concordance_text(answer: Answer) -> list[str]:
    error = answer.uncompared
    return lines_of(answer, () if error is None else (not_compared(error),))


OUTCOMES = AnswerKind(
    "source outcome=label rows results comparison skipped", blocks, _concordance_verdict,
    shapes={"comparison": _comparison}, overview=_concordance_overview, text=_concordance_text,
)  # fmt: skip


def concordance_table(
    data: Any,
    *,
    outcome: str,
    scores: str | Sequence[str],
    by: str | Sequence[str] | None = None,
    sample_weight: str | None = None,
    cluster: str | None = None,
    scale: Scale = "concordance",
    memory: int | str | None = None,
    threads: int | None = None,
    **how: Unpack[OrderKeywords],
) -> Answer:
    """Compute `rocsolid.concordance` of each score column, and compare all scores on the same rows.

    ``data`` is any source of `rocsolid.evaluate`; rows with more than 100 different outcomes are
    read into memory. With ``nan="omit"`` a row that lacks any score is left out for all.
    Differences are of concordances, whatever the scale.

    >>> table = {"grade": [0, 1, 1, 2, 3], "a": [1, 2, 3, 3, 5], "b": [2, 1, 3, 5, 4]}
    >>> answer = concordance_table(table, outcome="grade", scores=["a", "b"])
    >>> [(entry.score, round(entry.value, 4)) for entry in answer.results]
    [('a', 0.9444), ('b', 0.7778)]
    """
    check_scale(scale)
    question = ComparisonQuestion.of(resamples=1, **how)
    columns = Columns(
        outcome, column_names(scores, "scores"), () if by is None else column_names(by, "by"),
        sample_weight, cluster, None, question.options.lower_is_better, question.options.nan,
        ordered=True,
    )  # fmt: skip
    table = OutcomeTable(columns, question, scale, Reading(memory, threads))
    with closing(open_engine(data, columns, table.reading)) as engine:
        if not isinstance(engine, InMemory):
            answer = table.elsewhere(engine) if engine.few_outcomes(MOST) else None
            if answer is not None:
                return answer
            check_room(engine, columns)
    return table.in_memory(data)


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """A question about columns of scores for the column of an ordered outcome."""

    columns: Columns
    question: ComparisonQuestion
    scale: Scale
    reading: Reading

    def in_memory(self, data: Any) -> Answer:
        columns = self.columns
        table = read_table(
            data, numbers=[columns.label, *columns.scores, *self._weights],
            keys=[*columns.by, *self._clusters],
        )  # fmt: skip
        rows = self._rows(table)
        results = self._entries(None, OrderedRows.of(rows))
        compared: Comparison | UnsoundError | None = None
        if len(columns.scores) > 1:
            try:
                compared = compare_outcomes(rows, self.question, self.scale)
            except UnsoundError as error:
                compared = error
        of_segments, skipped = self.of_segments(table) if columns.by else ([], [])
        results += of_segments
        return self._answer(data, table.source, len(table), results, skipped, compared)

    def elsewhere(self, engine: Engine) -> Answer | None:
        """Answer from sums; ``None`` if the rows are needed and fit."""
        columns, question = self.columns, self.question
        engine.check()
        rows = StreamedRows.of(engine, self.scale)
        if rows is None:
            return None
        results = self._entries(None, rows)
        compared: Comparison | UnsoundError | None = None
        if len(columns.scores) > 1:
            missing = engine.missing() if rows.omitted else {}
            try:
                if rows.areas:
                    reduced = reduced_comparison(engine, question)
                else:
                    warnings = missing_scores(rows.omitted, missing)
                    ordered = compared_outcomes(rows, columns.scores, question, self.scale)
                    reduced = ReducedComparison(ordered, question, rows.omitted, warnings)
                if reduced.undecided and has_room(engine):
                    return None
                compared = reduced.comparison()
                if rows.areas:
                    compared = of_areas(compared, rows, question, self.scale)
            except UnsoundError as error:
                compared = error
        skipped: list[Entry] = []
        data, source, count = engine.data, engine.source, engine.rows
        engine.close()
        for some, others in self._of_blocks(data) if columns.by else ():
            results += some
            skipped += others
        return self._answer(data, source, count, results, skipped, compared)

    def _of_blocks(self, data: Any) -> Iterator[tuple[list[Entry], list[Entry]]]:
        """Evaluate whole segments where they are: all rows of a value of the first column."""
        columns = self.columns
        first = columns.by[0]
        keys = dict.fromkeys([columns.label, *columns.by, *self._clusters])
        numbers = tuple(dict.fromkeys([*columns.scores, *self._weights]))
        of_queries = replace(columns, scores=numbers, by=(), ordered=False)
        with closing(open_engine(data, of_queries, self.reading)) as engine:
            assert not isinstance(engine, InMemory)
            others = tuple(name for name in keys if name != first)
            yield from engine.by_query(first, partial(_of_block, table=self), others)

    def of_segments(self, table: Table) -> tuple[list[Entry], list[Entry]]:
        """Return the entries of each segment, and the segments of one outcome."""
        results: list[Entry] = []
        skipped: list[Entry] = []
        segments = segments_of(table, self.columns.by)
        for i in range(len(segments)):
            key = segments.key(i)
            try:
                rows = self._rows(table, segments.code == i)
            except OneClassError as error:
                skipped.append(Entry("", "", key, Refused(error.what)))
            else:
                results += self._entries(key, OrderedRows.of(rows))
        return results, skipped

    @property
    def _weights(self) -> list[str]:
        return [] if self.columns.weight is None else [self.columns.weight]

    @property
    def _clusters(self) -> list[str]:
        return [] if self.columns.cluster is None else [self.columns.cluster]

    def _rows(self, table: Table, inside: Any = slice(None)) -> AlignedScores:
        columns = self.columns
        weight, cluster = (
            None if name is None else table[name][inside]
            for name in (columns.weight, columns.cluster)
        )
        return outcome_rows(
            table[columns.label][inside], {name: table[name][inside] for name in columns.scores},
            sample_weight=weight, cluster=cluster, lower_is_better=columns.lower_is_better,
            nan=columns.nan, word="column", name=f"column {columns.label!r}", rows=table.rows,
        )  # fmt: skip

    def _entries(self, key: dict[str, Any] | None, rows: OrderedRows | StreamedRows) -> list[Entry]:
        options = self.question.options
        return [
            Entry(name, self.scale, key, rows.estimate(name, self.scale, options))
            for name in self.columns.scores
        ]

    def _answer(
        self, data: Any, source: str, rows: int, results: list[Entry], skipped: list[Entry],
        compared: Comparison | UnsoundError | None,
    ) -> Answer:  # fmt: skip
        """``compared`` is the comparison, or the error why there is none."""
        columns = self.columns
        results.sort(key=lambda entry: columns.scores.index(entry.score))
        level = self.question.question.level
        error = compared if isinstance(compared, UnsoundError) else None
        comparisons: dict[str | None, Comparison] = {}
        if isinstance(compared, Comparison):
            comparisons[None] = compared
        return Answer(
            OUTCOMES, source, results, skipped, comparisons,
            basis=Facts(columns.label, rows, columns.by, level=level, uncompared=error),
            library=library_of(data),
        )  # fmt: skip


def _of_block(block: QueryBlock, table: OutcomeTable) -> tuple[list[Entry], list[Entry]]:
    named = {table.columns.by[0]: block.qid, **block.scores, **block.keys}
    return table.of_segments(Table(named, Unnumbered(), ""))

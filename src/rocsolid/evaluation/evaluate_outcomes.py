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
from rocsolid.comparison.models import of_outcomes_compared, reduced_outcomes
from rocsolid.comparison.options import ComparisonQuestion
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Columns, Engine, QueryBlock, Reading
from rocsolid.engines.in_memory import InMemory, check_room, has_room, open_engine
from rocsolid.engines.outcomes import MOST
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.scores_compared import not_compared
from rocsolid.inputs.rows import Unnumbered
from rocsolid.inputs.tables import Table
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
    question = ComparisonQuestion.of(**how)
    columns = Columns(
        outcome, column_names(scores, "scores"), () if by is None else column_names(by, "by"),
        sample_weight, cluster, None, question.options.lower_is_better, question.options.nan,
        ordered=True,
    )  # fmt: skip
    table = OutcomeTable(columns, question, scale, Reading(memory, threads))
    with closing(open_engine(data, columns, table.reading)) as engine:
        answer = None
        if isinstance(engine, InMemory) or engine.few_outcomes(MOST):
            answer = table.answer(engine)
        if answer is not None:
            return answer
        check_room(engine, columns)
    answer = table.answer(InMemory(data, columns))
    assert answer is not None
    return answer


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """A question about columns of scores for the column of an ordered outcome."""

    columns: Columns
    question: ComparisonQuestion
    scale: Scale
    reading: Reading

    def answer(self, engine: Engine | InMemory) -> Answer | None:
        """Answer from rows in memory, or from sums; ``None`` if the rows are needed and fit."""
        columns = self.columns
        engine.check()
        rows: OrderedRows | StreamedRows | None
        if isinstance(engine, InMemory):
            rows = OrderedRows.of(engine.ordered_rows())
        else:
            rows = StreamedRows.of(engine, self.scale)
        if rows is None:
            return None
        results, compared = self._entries(None, rows), self._compared(rows)
        if compared is None and len(rows.names) > 1:
            return None
        source, count, skipped = engine.source, engine.rows, list[Entry]()
        engine.close()
        for some, others in self._by_segment(engine) if columns.by else ():
            results += some
            skipped += others
        results.sort(key=lambda entry: columns.scores.index(entry.score))
        error = compared if isinstance(compared, UnsoundError) else None
        comparisons: dict[str | None, Comparison] = {}
        if isinstance(compared, Comparison):
            comparisons[None] = compared
        return Answer(
            OUTCOMES, source, results, skipped, comparisons,
            basis=Facts(
                columns.label, count, columns.by, level=self.question.question.level,
                uncompared=error,
            ),
            library=library_of(engine.data),
        )  # fmt: skip

    def _compared(self, rows: OrderedRows | StreamedRows) -> Comparison | UnsoundError | None:
        """Return the comparison, or the error why there is none.

        ``None`` for one score, or if the rows are needed and fit.
        """
        if len(rows.names) < 2:
            return None
        try:
            reduced = reduced_outcomes(rows, self.question, self.scale)
            if isinstance(rows, StreamedRows) and reduced.undecided and has_room(rows.engine):
                return None
            return of_outcomes_compared(reduced, rows, self.scale)
        except UnsoundError as error:
            return error

    def _by_segment(self, of: Engine | InMemory) -> Iterator[tuple[list[Entry], list[Entry]]]:
        """Evaluate whole segments, in an engine all rows of a value of the first column."""
        columns = self.columns
        if isinstance(of, InMemory):
            yield self.of_segments(of)
            return
        first, *others = dict.fromkeys((*columns.by, columns.label, *columns.wanted.keys))
        numbers = tuple(dict.fromkeys(filter(None, (*columns.scores, columns.weight))))
        of_queries = replace(columns, scores=numbers, by=(), ordered=False)
        with closing(open_engine(of.data, of_queries, self.reading)) as engine:
            assert not isinstance(engine, InMemory)
            yield from engine.by_query(first, partial(_of_block, table=self), tuple(others))

    def of_segments(self, engine: InMemory) -> tuple[list[Entry], list[Entry]]:
        """Return the entries of each segment, and the segments of one outcome."""
        results: list[Entry] = []
        skipped: list[Entry] = []
        segments = engine.segments
        assert segments is not None
        for i in range(len(segments)):
            key = segments.key(i)
            try:
                rows = engine.ordered_rows(segment=i)
            except OneClassError as error:
                skipped.append(Entry("", "", key, Refused(error.what)))
            else:
                results += self._entries(key, OrderedRows.of(rows))
        return results, skipped

    def _entries(self, key: dict[str, Any] | None, rows: OrderedRows | StreamedRows) -> list[Entry]:
        options = self.question.options
        return [
            Entry(name, self.scale, key, rows.estimate(name, self.scale, options))
            for name in self.columns.scores
        ]


def _of_block(block: QueryBlock, table: OutcomeTable) -> tuple[list[Entry], list[Entry]]:
    named = {table.columns.by[0]: block.qid, **block.scores, **block.keys}
    engine = InMemory(None, table.columns)
    engine.take(Table(named, Unnumbered(), ""))
    return table.of_segments(engine)

"""Out-of-fold scores in a table: values over folds, by segment, and learners compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rocsolid.answer.answer import Answer, AnswerKind, Facts
from rocsolid.answer.entry import Entry, Refused
from rocsolid.answer.standard import blocks
from rocsolid.answer.verdicts import verdict_of_many
from rocsolid.binary.estimate import Options
from rocsolid.comparison.build import Request
from rocsolid.comparison.cross_validated import compare_folded, folded_estimate
from rocsolid.comparison.question import Question
from rocsolid.engines.engine import Columns
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.folded_table import FoldColumns, FoldedTable
from rocsolid.inputs.folds import Folds
from rocsolid.leaks.page_leaks import page
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import Order
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.text import measure_title
from rocsolid.results import Comparison
from rocsolid.results.folded_estimate import MEAN, POOLED, FoldedEstimate
from rocsolid.results.framed import library_of
from rocsolid.results.plain import plain_segment


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    yield from blocks(answer, form)
    yield TextBlock(said=(MEAN, POOLED), notes=() if form.paper else page(["folds"]).sentences)


def _verdict(answer: Answer) -> tuple[str, ...]:
    """Of the first measure over all rows."""
    overall = [one for one in answer.results if one.by is None]
    first = overall[0]
    values = {one.score: one for one in overall if one.measure == first.measure}
    title = f"{measure_title(first.measure)} (mean of {len(first.folds)} folds)"
    compared = answer.comparisons.get(first.measure)
    return verdict_of_many(title, values, compared.pairs if compared else (), answer.level)


def _skipped(answer: Answer) -> list[dict[str, Any]]:
    return [
        {"score": one.score, "by": plain_segment(one.by), "reason": one.reason}
        for one in answer.skipped
    ]


FOLDS = AnswerKind(
    "rows source label results skipped comparisons", _blocks, _verdict,
    shapes={"skipped": _skipped},
)  # fmt: skip


def evaluate_folds(
    data: Any, columns: Columns, folded: FoldColumns, wanted: Sequence[BinaryMeasure],
    options: Options,
) -> Answer:  # fmt: skip
    """`rocsolid.evaluate` with ``fold``."""
    table = FoldedTable.read(data, columns, folded)
    rows, folds, order = table.scored, table.folds, table.order
    entries: list[Entry] = []
    comparisons: dict[str | None, Comparison] = {}
    for measure in wanted:
        if len(rows) > 1:
            compared = compare_folded(measure, rows, folds, options, order, _holm(measure, options))
            comparisons[measure.name] = compared
            whole = {
                name: one
                for name, one in compared.estimates.items()
                if isinstance(one, FoldedEstimate)
            }
        else:
            whole = {
                name: folded_estimate(measure, one, folds, options, order)
                for name, one in rows.items()
            }
        for score in rows:
            entries.append(Entry(score, measure.name, None, whole[score]))
            entries += [
                _of_segment(score, key, (measure, *table.segment(score, number)), options, order)
                for number, (key, _) in enumerate(table.segments)
            ]
    return Answer(
        FOLDS, table.source,
        tuple(one for one in entries if not one.refused),
        tuple(one for one in entries if one.refused), comparisons,
        basis=Facts(columns.label, table.rows, level=options.level),
        library=library_of(data),
    )  # fmt: skip


def _holm(measure: BinaryMeasure, options: Options) -> Request:
    question = Question(0.0, options.alternative, options.level, 0, measure.span)
    return Request(None, "holm", question)


def _of_segment(
    score: str, key: dict[str, Any], part: tuple[BinaryMeasure, Any, Folds], options: Options,
    order: Order,
) -> Entry:  # fmt: skip
    try:
        return Entry(score, part[0].name, key, folded_estimate(*part, options, order))
    except (OneClassError, UnsoundError) as error:
        return Entry(score, part[0].name, key, Refused(error.what))

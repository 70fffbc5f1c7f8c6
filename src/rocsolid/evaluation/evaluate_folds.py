"""Out-of-fold scores in a table: values over folds, by segment, and a comparison of learners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks
from rocsolid.answer.entry import of_first_measure, overall, title_of, verdict_of_many
from rocsolid.answer.grouping import Grouping
from rocsolid.answer.overview import Overview, overview_of
from rocsolid.binary.estimate import Options
from rocsolid.comparison.build import Request
from rocsolid.comparison.compared import Question
from rocsolid.comparison.cross_validated import compare_folded
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import CHECKED
from rocsolid.evaluation.folds import FoldColumns, FoldedTable, parted_answer, skipped_segments
from rocsolid.leaks.page_leaks import page
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import FoldMean, ScoredFolds, folded
from rocsolid.measures.within import explained
from rocsolid.pictures.lanes import folds_picture
from rocsolid.pictures.marks import Picture
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.text import measure_title
from rocsolid.results.concordance_estimate import MEAN, POOLED, FoldedComparison, FoldedEstimate
from rocsolid.results.framed import library_of


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    yield from blocks(answer, form)
    yield TextBlock(said=(MEAN, POOLED), notes=() if form.paper else page(["folds"]).sentences)


def _verdict(answer: Answer) -> tuple[str, ...]:
    values = of_first_measure(answer.results)
    first = next(iter(values.values()))
    title = title_of(first.measure, first)
    compared = answer.comparisons.get(first.measure)
    if compared is None:
        return verdict_of_many(title, values, (), answer.level)
    return verdict_of_many(title, values, compared.pairs, answer.level, warnings=compared.warnings)


def _overview(answer: Answer, _form: Form) -> Overview:
    of = answer.grouping.of_rows(answer.rows, overall(answer.results))
    overview = overview_of(answer, f"{answer.source}: {of}.", _verdict(answer))
    return replace(overview, hidden=("new training data", "pooled values", *overview.hidden))


def _large(answer: Answer) -> Picture:
    means = of_first_measure(answer.results)
    return folds_picture(means, measure_title(next(iter(means.values())).measure))


FOLDS = AnswerKind(
    "rows source label results skipped comparisons", _blocks, _verdict,
    shapes={"skipped": skipped_segments}, overview=_overview, large=_large,
)  # fmt: skip


def evaluate_folds(
    data: Any, columns: Columns, folding: FoldColumns, wanted: Sequence[BinaryMeasure],
    options: Options,
) -> Answer:  # fmt: skip
    table = FoldedTable.read(data, columns, folding)

    def compare(measure: FoldMean, samples: Mapping[str, ScoredFolds]) -> FoldedComparison:
        question = Question(0.0, "two-sided", options.level, 0, measure.measure.span)
        return compare_folded(measure, samples, options, Request(None, "holm", question))

    def whole(
        measure: FoldMean, score: str, sample: ScoredFolds, compared: FoldedComparison | None
    ) -> FoldedEstimate:
        """Return the estimate with the table's warnings, and one if the fold explains the pooled
        value.
        """
        estimate = measure.estimate(sample, options) if compared is None else (
            compared.estimates[score]
        )  # fmt: skip
        warnings = (*estimate.warnings, *table.warnings)
        few = len(sample.rows) <= CHECKED
        if few and folding.repeat is None and estimate.pooled is not None:
            groups = {folding.fold: sample.folds.code}
            warnings += explained(measure.measure, sample.rows, estimate.pooled, groups)
        return replace(estimate, warnings=warnings)

    return parted_answer(
        FOLDS, table, [folded(each, table.order) for each in wanted],
        lambda measure, sample: measure.estimate(sample, options), whole, compare,
        Facts(
            columns.label, table.rows, level=options.level,
            grouping=Grouping(columns.cluster, folding.fold, folding.repeat),
        ),
        library_of(data),
    )  # fmt: skip

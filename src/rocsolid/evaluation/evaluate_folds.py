"""Out-of-fold scores in a table: values over folds, by segment, and a comparison of learners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks, design_of
from rocsolid.answer.entry import Entry, Refused, verdict_of_many
from rocsolid.answer.overview import Overview, overview_of
from rocsolid.binary.estimate import Options
from rocsolid.comparison.build import Request
from rocsolid.comparison.compared import Question
from rocsolid.comparison.cross_validated import compare_folded
from rocsolid.engines.engine import Columns
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.folds import FoldColumns, FoldedTable
from rocsolid.leaks.page_leaks import page
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import FoldMean, ScoredFolds, folded
from rocsolid.measures.within import explained
from rocsolid.pictures.lanes import folds_picture
from rocsolid.pictures.marks import Picture
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.text import measure_title
from rocsolid.results.comparison import Comparison
from rocsolid.results.concordance_estimate import MEAN, POOLED, FoldedEstimate
from rocsolid.results.framed import library_of
from rocsolid.results.plain import plain_segment


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    yield from blocks(answer, form)
    yield TextBlock(said=(MEAN, POOLED), notes=() if form.paper else page(["folds"]).sentences)


def _verdict(answer: Answer) -> tuple[str, ...]:
    overall = [entry for entry in answer.results if entry.by is None]
    first = overall[0]
    values = {entry.score: entry for entry in overall if entry.measure == first.measure}
    title = f"{measure_title(first.measure)} (mean of {len(first.folds)} folds)"
    compared = answer.comparisons.get(first.measure)
    return verdict_of_many(title, values, compared.pairs if compared else (), answer.level)


def _skipped(answer: Answer) -> list[dict[str, Any]]:
    return [
        {"score": entry.score, "by": plain_segment(entry.by), "reason": entry.reason}
        for entry in answer.skipped
    ]


def _overview(answer: Answer, _form: Form) -> Overview:
    folds = len(next(iter(answer.results)).folds)
    of = f"{answer.source}: {answer.rows:,} rows in {folds:,} folds, mean of folds."
    overview = overview_of(answer, of, _verdict(answer))
    return replace(overview, hidden=("new training data", "pooled values", *overview.hidden))


def _large(answer: Answer) -> Picture:
    overall = [entry for entry in answer.results if entry.by is None]
    means = {entry.score: entry for entry in overall if entry.measure == overall[0].measure}
    return folds_picture(means, measure_title(overall[0].measure))


FOLDS = AnswerKind(
    "rows source label results skipped comparisons", _blocks, _verdict,
    shapes={"skipped": _skipped}, overview=_overview, large=_large,
)  # fmt: skip


def evaluate_folds(
    data: Any, columns: Columns, folding: FoldColumns, wanted: Sequence[BinaryMeasure],
    options: Options,
) -> Answer:  # fmt: skip
    """`rocsolid.evaluate` with ``fold``."""
    table = FoldedTable.read(data, columns, folding)
    samples = table.samples(*table.scored)
    segments = [
        (key, table.samples(*table.scored, segment=number))
        for number, (key, _) in enumerate(table.segments)
    ]
    entries: list[Entry] = []
    comparisons: dict[str | None, Comparison] = {}
    for measure in (folded(each, table.order) for each in wanted):
        if len(samples) > 1:
            question = Question(0.0, options.alternative, options.level, 0, measure.measure.span)
            request = Request(None, "holm", question)
            compared = compare_folded(measure, samples, options, request)
            comparisons[measure.name] = compared
            whole: Mapping[str, Any] = compared.estimates
        else:
            whole = {name: measure.estimate(own, options) for name, own in samples.items()}
        for score in samples:
            estimate = _explained(measure.measure, samples[score], whole[score], folding)
            entries.append(Entry(score, measure.name, None, estimate))
            entries += [
                _of_segment(score, key, measure, inside[score], options) for key, inside in segments
            ]
    return Answer(
        FOLDS, table.source,
        tuple(entry for entry in entries if not entry.refused),
        tuple(entry for entry in entries if entry.refused), comparisons,
        basis=Facts(
            columns.label, table.rows, level=options.level,
            design=design_of(cluster=columns.cluster, fold=folding.fold, repeat=folding.repeat),
        ),
        library=library_of(data),
    )  # fmt: skip


def _explained(
    measure: BinaryMeasure, sample: ScoredFolds, estimate: FoldedEstimate, folding: FoldColumns
) -> FoldedEstimate:
    """Add a warning if the pooled value mostly reflects the fold of a row."""
    if folding.repeat is not None or estimate.pooled is None:
        return estimate
    groups = {folding.fold: sample.folds.code}
    more = explained(measure, sample.rows, estimate.pooled, groups)
    return replace(estimate, warnings=(*estimate.warnings, *more)) if more else estimate


def _of_segment(
    score: str, key: dict[str, Any], measure: FoldMean, sample: ScoredFolds, options: Options
) -> Entry:
    try:
        return Entry(score, measure.name, key, measure.estimate(sample, options))
    except (OneClassError, UnsoundError) as error:
        return Entry(score, measure.name, key, Refused(error.what))

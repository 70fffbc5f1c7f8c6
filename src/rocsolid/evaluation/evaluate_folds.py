"""Out-of-fold scores in a table: values over folds, by segment, and learners compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid.binary.estimate import Options
from rocsolid.comparison.cross_validated import compare_folded, folded_estimate
from rocsolid.engines.engine import Columns
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.evaluation_numbers import segment_text
from rocsolid.evaluation.folded_table import FoldColumns, FoldedTable
from rocsolid.evaluation.text_forms import BlockPages
from rocsolid.evaluation.verdicts import verdict_of_many
from rocsolid.inputs.folds import Folds
from rocsolid.leaks.page_leaks import page
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import Order
from rocsolid.report.blocks import TextBlock
from rocsolid.report.cells import Cells
from rocsolid.report.text import measure_title, number, span
from rocsolid.results import percent
from rocsolid.results.each_once import each_once
from rocsolid.results.folded_estimate import MEAN, POOLED, FoldedComparison, FoldedEstimate
from rocsolid.results.framed import Framed, library_of
from rocsolid.results.p_value import p_text
from rocsolid.results.plain import one_line, plain_segment


@dataclass(frozen=True, slots=True)
class FoldResult:
    """The estimate of one score over all rows or in a segment, or why there is none."""

    score: str
    by: Mapping[str, Any] | None
    estimate: FoldedEstimate | None
    refused: str = ""

    def to_dict(self) -> dict[str, Any]:
        by = {"score": self.score, "by": plain_segment(self.by)}
        if self.estimate is None:
            return {**by, "reason": self.refused}
        return {**by, **self.estimate.to_dict()}


@dataclass(frozen=True, slots=True, eq=False)
class FoldEvaluation(BlockPages, Framed):
    """The estimates of all scores over their folds, and each pair of scores compared."""

    source: str
    label: str
    rows: int
    level: float
    entries: tuple[FoldResult, ...]
    comparisons: tuple[FoldedComparison, ...]
    library: str = ""

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [f"{one.score}{segment_text(one.by)}: {one.estimate}" for one in self.results]
        return "\n".join([*lines, *(str(one) for one in self.comparisons)])

    @property
    def results(self) -> tuple[FoldResult, ...]:
        return tuple(one for one in self.entries if one.estimate is not None)

    @property
    def skipped(self) -> tuple[FoldResult, ...]:
        """Segments whose folds cannot be ranked."""
        return tuple(one for one in self.entries if one.estimate is None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "rows": self.rows,
            "source": self.source,
            "label": self.label,
            "results": [one.to_dict() for one in self.results],
            "skipped": [one.to_dict() for one in self.skipped],
            "comparisons": [one.to_dict() for one in self.comparisons],
        }

    def answer(self) -> tuple[str, ...]:
        """Of the first measure over all rows."""
        overall = [(one.score, one.estimate) for one in self.results if one.by is None]
        found = [(score, one) for score, one in overall if one is not None]
        first = found[0][1]
        values = {score: one for score, one in found if one.measure == first.measure}
        title = f"{measure_title(first.measure)} (mean of {len(first.folds)} folds)"
        pairs = self.comparisons[0].pairs if self.comparisons else ()
        return verdict_of_many(title, values, pairs, self.level)

    def _blocks(self, *, paper: bool) -> Iterable[TextBlock]:
        found = [(one, one.estimate) for one in self.results if one.estimate is not None]
        heads = (
            "score", "measure", "mean of folds", f"{percent(self.level)}, these models",
            "learner", "certified", "pooled", "folds",
        )  # fmt: skip
        said = (f"{one.score}{segment_text(one.by)}" for one, _ in found)
        rows = tuple(
            (name, *_cells(estimate)) for name, (_, estimate) in zip(said, found, strict=True)
        )
        warned = ((one.score, text) for one, each in found for text in each.warnings)
        notes = (
            *each_once(warned),
            *(f"{one.score}{segment_text(one.by)}: {one.refused}." for one in self.skipped),
            *(() if paper else page(["folds"]).sentences),
        )
        caption = f"{self.source}: {self.rows:,} rows, label {self.label}."
        yield TextBlock("", Cells(caption, heads, rows, names=2), (MEAN, POOLED), notes)
        for one in self.comparisons:
            yield _compared(one)


def _cells(one: FoldedEstimate) -> tuple[str, ...]:
    digits = one.interval.decimals
    ends = [
        "none known" if each is None else span(each.low, each.high, digits)
        for each in (one.interval, one.learner, one.certified)
    ]
    pooled = "" if one.pooled is None else number(one.pooled.value, digits)
    value = number(one.value, digits)
    return one.measure, value, *ends, pooled, f"{len(one.folds)}"


def _compared(found: FoldedComparison) -> TextBlock:
    beside = {(one.a, one.b): p_text(one.p_value) for one in found.corrected_t}
    heads = ("pair", "difference", percent(found.level), "p", "adjusted", "corrected t")
    rows = tuple(
        (
            f"{one.a} − {one.b}",
            number(one.difference, one.interval.decimals),
            span(one.low, one.high, one.interval.decimals),
            p_text(one.p_value),
            one.adjusted_text,
            beside.get((one.a, one.b), ""),
        )
        for one in found.pairs
    )
    won = found.winner if len(found.estimates) > 2 else None
    said = () if won is None else (f"{won}.",)
    caption = f"Differences of learners on the same folds: {found.measure}."
    return TextBlock("Comparison", Cells(caption, heads, rows, names=1), said, found.warnings)


def evaluate_folds(
    data: Any, columns: Columns, folded: FoldColumns, wanted: Sequence[BinaryMeasure],
    options: Options,
) -> FoldEvaluation:  # fmt: skip
    """`rocsolid.evaluate` with ``fold``."""
    table = FoldedTable.read(data, columns, folded)
    rows, folds, order = table.scored, table.folds, table.order
    entries: list[FoldResult] = []
    comparisons = []
    for measure in wanted:
        if len(rows) > 1:
            compared = compare_folded(measure, rows, folds, options, order, "holm")
            comparisons.append(compared)
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
            entries.append(FoldResult(score, None, whole[score]))
            entries += [
                _of_segment(score, key, (measure, *table.segment(score, number)), options, order)
                for number, (key, _) in enumerate(table.segments)
            ]
    return FoldEvaluation(
        table.source, columns.label, table.rows, options.level, tuple(entries),
        tuple(comparisons), library_of(data),
    )  # fmt: skip


def _of_segment(
    score: str, key: dict[str, Any], part: tuple[BinaryMeasure, Any, Folds], options: Options,
    order: Order,
) -> FoldResult:  # fmt: skip
    try:
        return FoldResult(score, key, folded_estimate(*part, options, order))
    except (OneClassError, UnsoundError) as error:
        return FoldResult(score, key, None, error.what)

"""Out-of-fold scores in a table: values over folds, by segment, and learners compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.comparison.cross_validated import compare_folded, folded_estimate
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.evaluation_numbers import segment_text
from rocsolid.evaluation.text_forms import BlockPages
from rocsolid.evaluation.verdicts import verdict_of_many
from rocsolid.inputs.folds import Folds, folds_of
from rocsolid.inputs.groups import codes, combined, plain
from rocsolid.leaks.page_leaks import page
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import Order, check_order
from rocsolid.remarks.muting import shown
from rocsolid.remarks.tables import FoldsRefused
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
    muted: frozenset[str] = field(default=frozenset(), repr=False)

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
            *shown(
                (
                    FoldsRefused(one.refused).of(f"{one.score}{segment_text(one.by)}")
                    for one in self.skipped
                ),
                self.muted,
            ),
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


@dataclass(frozen=True, slots=True)
class FoldQuestion:
    """Which columns name the fold and the repeat of a row, and what is declared of their order."""

    fold: str
    repeat: str | None
    order: Order

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.fold,) if self.repeat is None else (self.fold, self.repeat)


def evaluate_folds(
    data: Any, columns: Columns, asked: FoldQuestion, wanted: Sequence[BinaryMeasure],
    options: Options,
) -> FoldEvaluation:  # fmt: skip
    """`rocsolid.evaluate` with ``fold``."""
    segments, keys, order = columns.by, asked.keys, asked.order
    engine = InMemory(data, replace(columns, by=(*keys, *segments)))
    with closing(engine):
        engine.check()
        assert engine.segments is not None
        read = [values[engine.segments.code] for values in engine.segments.values]
        folds = folds_of(*read[: len(keys)])
        check_order(order, folds)
        groups = _groups(segments, read[len(keys) :])
        rows = {score: engine.rows_of(score)[0] for score in engine.columns.scores}
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
            for score, part in rows.items():
                entries.append(FoldResult(score, None, whole[score]))
                entries += [
                    _of_segment(score, key, (measure, part.subset(at), folds.subset(at)), options,
                                order)
                    for key, at in groups
                ]  # fmt: skip
        return FoldEvaluation(
            engine.source, columns.label, engine.rows, options.level, tuple(entries),
            tuple(comparisons), library_of(data),
        )  # fmt: skip


def _groups(
    names: Sequence[str], columns: Sequence[NDArray[Any]]
) -> list[tuple[dict[str, Any], NDArray[np.intp]]]:
    """The rows of each combination of segments that occurs."""
    if not columns:
        return []
    code, values = combined(
        [codes(column, name) for name, column in zip(names, columns, strict=True)]
    )
    return [
        (
            {name: plain(value[group]) for name, value in zip(names, values, strict=True)},
            np.flatnonzero(code == group),
        )
        for group in range(len(values[0]))
    ]


def _of_segment(
    score: str, key: dict[str, Any], part: tuple[BinaryMeasure, Any, Folds], options: Options,
    order: Order,
) -> FoldResult:  # fmt: skip
    try:
        return FoldResult(score, key, folded_estimate(*part, options, order))
    except (OneClassError, UnsoundError) as error:
        return FoldResult(score, key, None, error.what)

"""Out-of-fold scores in a table: values over folds, by segment, and learners compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.answer.answer import Answer, AnswerKind, Facts
from rocsolid.answer.entry import Entry, Refused
from rocsolid.answer.standard import blocks
from rocsolid.answer.verdicts import verdict_of_many
from rocsolid.binary.estimate import Options
from rocsolid.comparison.cross_validated import compare_folded, folded_estimate
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.inputs.folds import Folds, folds_of
from rocsolid.inputs.groups import codes, combined, plain
from rocsolid.leaks.page_leaks import page
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import Order, check_order
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
) -> Answer:  # fmt: skip
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
        entries: list[Entry] = []
        comparisons: dict[str | None, Comparison] = {}
        for measure in wanted:
            if len(rows) > 1:
                compared = compare_folded(measure, rows, folds, options, order, "holm")
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
            for score, part in rows.items():
                entries.append(Entry(score, measure.name, None, whole[score]))
                entries += [
                    _of_segment(score, key, (measure, part.subset(at), folds.subset(at)), options,
                                order)
                    for key, at in groups
                ]  # fmt: skip
        return Answer(
            FOLDS, engine.source,
            tuple(one for one in entries if not one.refused),
            tuple(one for one in entries if one.refused), comparisons,
            basis=Facts(columns.label, engine.rows, level=options.level),
            library=library_of(data),
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
) -> Entry:  # fmt: skip
    try:
        return Entry(score, part[0].name, key, folded_estimate(*part, options, order))
    except (OneClassError, UnsoundError) as error:
        return Entry(score, part[0].name, key, Refused(error.what))

"""Tables whose rows are in folds or in groups, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.answer.answer import Answer, AnswerKind, Facts
from rocsolid.answer.entry import Entry, Refused
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.folds import Folds, folds_of, segments_of, split_clusters
from rocsolid.inputs.groups import codes
from rocsolid.inputs.rows import ARRAY_ROWS
from rocsolid.inputs.tables import Table
from rocsolid.measures.folded import ScoredFolds, check_order
from rocsolid.measures.partition import ScoredGroups
from rocsolid.parameters import Counts, Order, refuse_pairs
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import RepeatsByFolds
from rocsolid.results.comparison import Comparison
from rocsolid.results.plain import plain_segment


@dataclass(frozen=True, slots=True)
class FoldColumns:
    fold: str
    repeat: str | None
    order: Order

    @property
    def names(self) -> tuple[str, ...]:
        return (self.fold,) if self.repeat is None else (self.fold, self.repeat)


def fold_columns(
    fold: str | None = None, repeat: str | None = None, order: Order = "any"
) -> FoldColumns | None:
    refuse_pairs(fold=fold, repeat=repeat, order=order)
    return None if fold is None else FoldColumns(fold, repeat, order)


@dataclass(frozen=True, slots=True)
class GroupColumn:
    """The column of groups, and the weighting of groups."""

    name: str
    counts: Counts = "pairs"


def group_column(within: str | None = None, counts: Counts | None = None) -> GroupColumn | None:
    refuse_pairs(within=within, counts=counts)
    return None if within is None else GroupColumn(within, counts or "pairs")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PartedTable:
    """Scores of the same rows; ``segments`` has the positions of each segment's rows."""

    source: str
    rows: int
    scored: dict[str, BinaryRows]
    segments: list[tuple[dict[str, Any], NDArray[np.intp]]]
    pos_label: Any

    def samples(self, *scores: str, segment: int | None = None) -> Mapping[str, Any]:
        raise NotImplementedError


def _read(
    data: Any, columns: Columns, *names: str
) -> tuple[dict[str, Any], list[NDArray[Any]], NDArray[Any] | None]:
    engine = InMemory(data, replace(columns, by=(*names, *columns.by)))
    with closing(engine):
        engine.check()
        assert engine.segments is not None
        keys = [values[engine.segments.code] for values in engine.segments.values]
        fields = {
            "source": engine.source,
            "rows": engine.rows,
            "scored": {score: engine.rows_of(score)[0] for score in columns.scores},
            "segments": segment_rows(columns.by, keys[len(names) :]),
            "pos_label": engine.pos_label,
        }
        clusters = engine.cluster_keys
        return fields, keys, None if clusters is None else clusters[engine.cluster]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GroupedTable(PartedTable):
    code: NDArray[np.int64]

    @classmethod
    def read(cls, data: Any, columns: Columns, groups: str) -> GroupedTable:
        fields, keys, _ = _read(data, columns, groups)
        return cls(**fields, code=codes(keys[0], groups)[0])

    def samples(self, *scores: str, segment: int | None = None) -> dict[str, ScoredGroups]:
        if segment is None:
            return {score: ScoredGroups(self.scored[score], self.code) for score in scores}
        inside = self.segments[segment][1]
        code = codes(self.code[inside])[0]
        return {score: ScoredGroups(self.scored[score].subset(inside), code) for score in scores}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FoldedTable(PartedTable):
    """Out-of-fold scores of a table."""

    folds: Folds
    order: Order
    warnings: tuple[Remark, ...] = ()

    @classmethod
    def read(cls, data: Any, columns: Columns, folded: FoldColumns) -> FoldedTable:
        fields, keys, cluster = _read(data, columns, *folded.names)
        count = len(folded.names)
        folds = folds_of(*keys[:count], cluster=cluster)
        check_order(folded.order, folds)
        by = dict(zip(columns.by, keys[count:], strict=True)) if cluster is None else {}
        return cls(**fields, folds=folds, order=folded.order, warnings=repeated(folds, by))

    @property
    def clusters(self) -> int | None:
        cluster = next(iter(self.scored.values())).cluster
        return None if cluster is None else int(cluster.max()) + 1

    def samples(self, *scores: str, segment: int | None = None) -> dict[str, ScoredFolds]:
        folds = self.folds
        if segment is None:
            return {score: ScoredFolds(self.scored[score], folds) for score in scores}
        inside = self.segments[segment][1]
        folds = folds.subset(inside)
        return {score: ScoredFolds(self.scored[score].subset(inside), folds) for score in scores}


_FEW, _VALUES = 10.0, 20  # rows a value at most, and values at least, of what may be clusters


def repeated(folds: Folds, columns: Mapping[str, NDArray[Any]]) -> tuple[Remark, ...]:
    """The columns that may name clusters, with rows in several folds of a repeat."""
    remarks = []
    for name, column in columns.items():
        code, values = codes(column, name)
        rows, split = len(code) / len(values) / folds.repeats, split_clusters(code, folds)
        if split is not None and rows <= _FEW and len(values) >= _VALUES:
            remarks.append(RepeatsByFolds(name, split.count, len(values), rows))
    return tuple(remarks)


def segment_rows(
    names: Sequence[str], columns: Sequence[NDArray[Any]]
) -> list[tuple[dict[str, Any], NDArray[np.intp]]]:
    if not columns:
        return []
    segments = segments_of(Table(dict(zip(names, columns, strict=True)), ARRAY_ROWS, ""), names)
    return [
        (segments.key(number), np.flatnonzero(segments.code == number))
        for number in range(len(segments))
    ]


def parted_answer(
    kind: AnswerKind,
    table: PartedTable,
    measures: Sequence[Any],
    estimate: Callable[[Any, Any], Any],
    overall: Callable[[Any, str, Any, Any], Any],
    compare: Callable[[Any, Mapping[str, Any]], Comparison],
    basis: Facts,
    library: str,
) -> Answer:
    """Compute every score by every measure, over all rows and by segment, and compare the scores.

    ``overall`` computes the value over all rows from a measure, a score, its sample and the
    comparison, if any.
    """
    names = tuple(table.scored)
    samples = table.samples(*names)
    segments = [
        (key, table.samples(*names, segment=number))
        for number, (key, _) in enumerate(table.segments)
    ]
    entries: list[Entry] = []
    comparisons: dict[str | None, Comparison] = {}
    for measure in measures:
        if len(samples) > 1:
            comparisons[measure.name] = compare(measure, samples)
        compared = comparisons.get(measure.name)
        name = measure.measure.name
        for score, sample in samples.items():
            entries.append(Entry(score, name, None, overall(measure, score, sample, compared)))
            for key, inside in segments:
                try:
                    result = estimate(measure, inside[score])
                except (OneClassError, UnsoundError) as error:
                    result = Refused(error.what)
                entries.append(Entry(score, name, key, result))
    return Answer(
        kind, table.source,
        tuple(entry for entry in entries if not entry.refused),
        tuple(entry for entry in entries if entry.refused), comparisons,
        basis=basis, library=library,
    )  # fmt: skip


def skipped_segments(answer: Answer) -> list[dict[str, Any]]:
    """The JSON of segments without an estimate."""
    return [
        {"score": entry.score, "by": plain_segment(entry.by), "reason": entry.reason}
        for entry in answer.skipped
    ]

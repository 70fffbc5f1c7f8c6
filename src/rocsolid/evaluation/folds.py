"""The folds of a table: their columns and their rows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.folds import Folds, folds_of
from rocsolid.inputs.groups import codes, combined, plain
from rocsolid.measures.folded import ScoredFolds, check_order
from rocsolid.parameters import Order, refuse_pairs


@dataclass(frozen=True, slots=True)
class FoldColumns:
    """The columns of the fold and the repeat of a row, and the declared order of folds."""

    fold: str
    repeat: str | None
    order: Order

    @property
    def names(self) -> tuple[str, ...]:
        return (self.fold,) if self.repeat is None else (self.fold, self.repeat)


def fold_columns(
    fold: str | None = None, repeat: str | None = None, order: Order = "any"
) -> FoldColumns | None:
    """The columns of folds; ``None`` if none is named."""
    refuse_pairs(fold=fold, repeat=repeat, order=order)
    return None if fold is None else FoldColumns(fold, repeat, order)


@dataclass(frozen=True, slots=True, eq=False)
class FoldedTable:
    """Out-of-fold scores of a table; ``segments`` has the positions of each segment's rows."""

    source: str
    rows: int
    scored: dict[str, BinaryRows]
    folds: Folds
    order: Order
    segments: list[tuple[dict[str, Any], NDArray[np.intp]]]
    pos_label: Any

    @classmethod
    def read(cls, data: Any, columns: Columns, folded: FoldColumns) -> FoldedTable:
        names, by = folded.names, columns.by
        engine = InMemory(data, replace(columns, by=(*names, *by)))
        with closing(engine):
            engine.check()
            assert engine.segments is not None
            keys = [values[engine.segments.code] for values in engine.segments.values]
            folds = folds_of(*keys[: len(names)])
            check_order(folded.order, folds)
            return cls(
                engine.source,
                engine.rows,
                {score: engine.rows_of(score)[0] for score in columns.scores},
                folds,
                folded.order,
                segment_rows(by, keys[len(names) :]),
                engine.pos_label,
            )

    def samples(self, *scores: str, segment: int | None = None) -> dict[str, ScoredFolds]:
        """Each score and its folds, in a segment or, without a number, of all rows."""
        folds = self.folds
        if segment is None:
            return {score: ScoredFolds(self.scored[score], folds) for score in scores}
        inside = self.segments[segment][1]
        folds = folds.subset(inside)
        return {score: ScoredFolds(self.scored[score].subset(inside), folds) for score in scores}


def segment_rows(
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

"""Inside a worker: the rows of one partition, sorted, segment after segment."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.scale import Scale
from rocsolid.summaries.runs import run_begins
from rocsolid.summaries.score_counts import ScoreCounts

Key = tuple[Any, ...]

_HELD = 1 << 21  # rows held before equal ones are counted together
_COUNTS = ("pos", "neg")


@dataclass(frozen=True, slots=True, eq=False)
class SortedKinds:
    """Kinds of rows in ascending order of their scores, how many of each class, and a weight.

    ``gaps`` is the number of rows without a score, which are not among them. ``order`` is where
    each kind is in ``table``, which has the other columns too.
    """

    score: NDArray[Any]
    pos: NDArray[np.int64]
    neg: NDArray[np.int64]
    weight: NDArray[np.float64] | None
    gaps: int
    table: Any
    order: NDArray[np.intp]
    lighter: NDArray[np.float64] | None = None
    """The largest weight of the class that has the lighter ones, where that was requested."""

    @property
    def starts(self) -> NDArray[np.intp]:
        """Where each distinct score begins."""
        return np.flatnonzero(run_begins(self.score))

    def counts(self) -> ScoreCounts:
        return self._table(self.pos, self.neg)

    def weights(self, scale: Scale, power: int = 1) -> ScoreCounts:
        """Sums of a power of the weights, each class in units of a power of two."""
        if self.weight is None:
            return self.counts()
        return self._table(*scale.of_kinds(self.pos, self.neg, self.weight, power))

    def _table(self, pos: NDArray[Any], neg: NDArray[Any]) -> ScoreCounts:
        starts = self.starts
        sums = [np.add.reduceat(each, starts) if len(starts) else each for each in (pos, neg)]
        return ScoreCounts(self.score[starts], *sums)


def segments(batches: Iterator[Any], by: list[str]) -> Iterator[tuple[Key, SortedKinds]]:
    """The segments of a partition with their rows, in ascending order."""
    table = _held(batches)
    if table is None:
        return
    if not by:
        yield (), _kinds(table)
        return
    import pyarrow.compute as pc

    order = pc.sort_indices(table, sort_keys=[(name, "ascending") for name in by])
    table = table.take(order).combine_chunks()
    new = np.zeros(len(table) - 1, dtype=bool)
    for name in by:
        values = table[name]
        new |= pc.not_equal(values[1:], values[:-1]).to_numpy()
    starts = np.concatenate(([0], np.flatnonzero(new) + 1, [len(table)])).tolist()
    for start, stop in itertools.pairwise(starts):
        part = table.slice(start, stop - start)
        yield tuple(part[name][0].as_py() for name in by), _kinds(part)


def _held(batches: Iterator[Any]) -> Any:
    """All rows as one table; of very many the equal ones are counted together on the way."""
    import pyarrow as pa

    parts: list[Any] = []
    rows, limit = 0, _HELD
    for batch in batches:
        parts.append(batch)
        rows += batch.num_rows
        if rows >= limit:
            parts = _together(pa.Table.from_batches(parts)).to_batches()
            rows = sum(part.num_rows for part in parts)
            limit = max(_HELD, 2 * rows)
    return pa.Table.from_batches(parts).combine_chunks() if rows else None


def _together(table: Any) -> Any:
    names = table.column_names
    keys = [name for name in names if name not in _COUNTS]
    found = table.group_by(keys, use_threads=False).aggregate([(c, "sum") for c in _COUNTS])
    renamed = [name.removesuffix("_sum") for name in found.column_names]
    return found.rename_columns(renamed).select(names)


def _kinds(table: Any) -> SortedKinds:
    import pyarrow.compute as pc

    gaps = 0
    if table["s"].null_count:
        empty = table.filter(pc.is_null(table["s"]))
        gaps = sum(pc.sum(empty[name]).as_py() for name in _COUNTS)
        table = table.filter(pc.is_valid(table["s"]))
    score = table["s"].to_numpy()
    order = np.argsort(score)
    weight = table["w"].to_numpy()[order] if "w" in table.column_names else None
    pos, neg = (table[name].to_numpy()[order] for name in _COUNTS)
    lighter = table["lighter"].to_numpy()[order] if "lighter" in table.column_names else None
    return SortedKinds(score[order], pos, neg, weight, gaps, table, order, lighter)

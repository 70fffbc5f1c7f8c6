"""Resamples as tables: how often the rows at each position of the ranking were drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.blocks import in_blocks
from rocsolid.binary.resampling.schemes import Drawn, Sampler
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.runs import distinct_scores
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
_BATCH = 1 << 16  # counts added up at once: in cache


@dataclass(frozen=True, slots=True, eq=False)
class RankingCells:
    """The positions of a ranking, from the lowest up, and the position of each row."""

    score: NDArray[Any]
    pos: NDArray[np.intp]
    neg: NDArray[np.intp]

    @classmethod
    def of(cls, rows: BinaryRows, sampler: Sampler, *, merged: bool) -> RankingCells:
        """A cell for each distinct score; ``merged`` puts neighbours of one class alone together.

        Within such neighbours the order changes nothing about the curve, and ``score`` is then
        the number of the cell.

        >>> rows = BinaryRows(np.array([False, True, True, False]), np.array([1.5, 2.0, 3.0, 3.0]))
        >>> sampler = Sampler.of(rows, None)
        >>> RankingCells.of(rows, sampler, merged=False).pos.tolist()
        [1, 2]
        >>> more = BinaryRows(np.array([False, True, True, False]), np.arange(4))
        >>> RankingCells.of(more, sampler, merged=True).neg.tolist()
        [0, 2]
        """
        score, of_row = distinct_scores(rows.score)
        if merged:
            held_by_pos, held_by_neg = (
                np.bincount(of_row[of_class], minlength=len(score)) > 0
                for of_class in (sampler.pos, sampler.neg)
            )
            tied = held_by_pos & held_by_neg
            begins = np.ones(len(score), dtype=bool)
            begins[1:] = (held_by_pos[1:] != held_by_pos[:-1]) | tied[1:] | tied[:-1]
            cell = np.cumsum(begins) - 1
            of_row, score = cell[of_row], np.arange(int(cell[-1]) + 1)
        return cls(score, of_row[sampler.pos], of_row[sampler.neg])

    def batches(self, *counts: tuple[NDArray[Any], NDArray[Any]]) -> Iterator[list[_FLOATS]]:
        """Sums by cell of pairs of count matrices, of the positives and of the negatives.

        A few resamples at a time, as rows of matrices with a column for each cell.
        """
        cells, resamples = len(self.score), counts[0][0].shape[1]
        width = min(max(_BATCH // (len(self.pos) + len(self.neg)), 1), resamples)
        first = np.arange(width)[:, None] * cells
        shifted = [first + of_class for of_class in (self.pos, self.neg)]
        for start in range(0, resamples, width):
            some = slice(start, min(start + width, resamples))
            rows = some.stop - some.start
            yield [
                np.bincount(
                    cell[:rows].ravel(),
                    matrix[: cell.shape[1], some].T.ravel(),
                    minlength=rows * cells,
                )
                .astype(np.float64, copy=False)
                .reshape(rows, cells)
                for pair in counts
                for matrix, cell in zip(pair, shifted, strict=True)
            ]


def squares(sampler: Sampler, drawn: Drawn) -> tuple[NDArray[Any], NDArray[Any]]:
    """How often each row was drawn times its squared weight, for variances."""
    if sampler.weight is None:
        return drawn.pos, drawn.neg
    return (
        drawn.pos[:-1] * sampler.weight[sampler.pos, None],
        drawn.neg[:-1] * sampler.weight[sampler.neg, None],
    )


def of_tables(
    sampler: Sampler,
    cells: RankingCells,
    resamples: int,
    seed: int,
    measure: Callable[[ScoreCounts, ScoreCounts], Sequence[float]],
) -> _FLOATS:
    """The result of ``measure`` for each resample, a row of numbers each.

    It is given the table of counts (sums of weights, where rows are weighted) and that of squared
    weights, which is the same table where rows are not.
    """
    whole = sampler.weight is None and sampler.scheme != "bayesian"

    def table(pos: _FLOATS, neg: _FLOATS) -> ScoreCounts:
        if whole:
            return ScoreCounts(cells.score, pos.astype(np.int64), neg.astype(np.int64))
        return ScoreCounts(cells.score, pos, neg)

    def block(drawn: Drawn) -> _FLOATS:
        measured = []
        sums = (drawn.pos, drawn.neg)
        pairs = (sums,) if sampler.weight is None else (sums, squares(sampler, drawn))
        for batch in cells.batches(*pairs):
            for row in zip(*batch, strict=True):
                counts = table(row[0], row[1])
                measured.append(measure(counts, counts if len(row) == 2 else table(row[2], row[3])))
        return np.array(measured, dtype=np.float64)

    return in_blocks(sampler, resamples, seed, block, threads=False)

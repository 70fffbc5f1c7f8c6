"""Resamples in blocks of a fixed size, each with its own random stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.binary.resampling.interval import Drawn, Sampler
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.summaries.placements import blocks_side_by_side
from rocsolid.summaries.score_counts import ScoreCounts, distinct_scores
from rocsolid.summaries.stream import stream

_CELLS = 1 << 22  # rows times resamples of a block; larger blocks are not faster
_LEAST, _MOST = 16, 1024


def in_blocks(
    sampler: Sampler,
    resamples: int,
    seed: int,
    measure: Callable[[Drawn], NDArray[np.float64]],
    *,
    threads: bool = True,
) -> NDArray[np.float64]:
    """The results of ``measure`` for all blocks of resamples, a line for each resample.

    The size of a block depends only on the number of rows, and its stream on the seed and the
    number of the block. Therefore the results do not depend on threads, and fewer resamples are the
    first of more resamples.
    """
    whole(resamples, "resamples")
    whole(seed, "seed", 0)
    rows = len(sampler.pos) + len(sampler.neg)
    columns = min(max(_CELLS // rows, _LEAST), _MOST)
    blocks = -(-int(resamples) // columns)

    def of_block(block: int) -> NDArray[np.float64]:
        drawn = sampler.draw(stream(int(seed), block), columns)
        return measure(drawn.first(int(resamples) - block * columns))

    work = rows * int(resamples) if threads else 0
    return np.concatenate(blocks_side_by_side(of_block, blocks, work))


_FLOATS = NDArray[np.float64]
_BATCH = 1 << 16  # counts in a batch, which fit in the cache


@dataclass(frozen=True, slots=True, eq=False)
class RankingCells:
    score: NDArray[Any]
    pos: NDArray[np.intp]
    neg: NDArray[np.intp]

    @classmethod
    def of(cls, rows: BinaryRows, sampler: Sampler, *, merged: bool) -> RankingCells:
        """A cell for each distinct score; ``merged`` joins neighbouring cells of one class alone.

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
        """Yield sums by cell of pairs of count matrices, with a line for each of a few
        resamples.
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
    """Return the results of ``measure``, one line per resample.

    ``measure`` is called with the table of counts (sums of weights if rows are weighted) and that
    of squared weights, which is the same table for unweighted rows.
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


def replicates(
    models: Sequence[BinaryRows], *, resamples: int, seed: int, scheme: str | None = None
) -> NDArray[np.float64]:
    """The AUCs of resamples: an array with a line for each resample and a column for each model.

    All models must have the same rows in the same order, with the same labels, weights and
    clusters, and use the same resamples. Ties count half. ``scheme`` is "stratified" (the default
    without clusters), "plain", "cluster" (the default with clusters), "poisson" or "bayesian"; see
    `Sampler`. The results depend on the seed alone, not on threads, and unweighted AUCs are exact
    ratios of integers.

    >>> a = BinaryRows(np.arange(8) % 2 == 0, np.array([1, 5, 2, 6, 3, 1, 7, 2]))
    >>> b = BinaryRows(a.positive, np.array([2, 5, 2, 6, 3, 2, 7, 2]))
    >>> replicates([a, b], resamples=3, seed=0).tolist()
    [[0.3125, 0.25], [0.8125, 0.71875], [0.5625, 0.4375]]
    """
    first = models[0]
    for other in models[1:]:
        if not np.array_equal(first.positive, other.positive):
            raise InputError(
                "models on the same resamples need the same rows in the same order",
                where="labels",
                fix="give every model's score for the same rows",
            )
    sampler = Sampler.of(first, scheme)
    rankings = [Ranking.of(model.score[sampler.pos], model.score[sampler.neg]) for model in models]

    def areas(drawn: Drawn) -> NDArray[np.float64]:
        pairs = drawn.pos_total * drawn.neg_total
        wins = [doubled_wins(ranking, drawn.pos, drawn.neg) for ranking in rankings]
        return np.column_stack([two / (2 * pairs) for two in wins])

    return in_blocks(sampler, resamples, seed, areas)


def table_replicates(
    rows: BinaryRows,
    value: Callable[[ScoreCounts], float],
    *,
    resamples: int,
    seed: int,
    scheme: str | None = None,
    merged: bool = True,
) -> NDArray[np.float64]:
    """Values of a measure of tables, on the same resamples as `replicates` of these rows.

    ``value`` is called with the table of each resample: counts, or sums of weights. With
    ``merged``, neighbouring scores of one class alone share an entry of the table and ``score`` is
    its index, which does not change the ROC curve.

    >>> rows = BinaryRows(np.arange(8) % 2 == 0, np.array([1, 5, 2, 6, 3, 1, 7, 2]))
    >>> table_replicates(
    ...     rows, lambda table: table.pos[-1] / table.n_pos, resamples=4, seed=0
    ... ).tolist()
    [0.0, 0.25, 0.25, 0.0]
    """
    sampler = Sampler.of(rows, scheme)
    cells = RankingCells.of(rows, sampler, merged=merged)
    return of_tables(sampler, cells, resamples, seed, lambda table, _: (value(table),))[:, 0]


_STEPS = 64
"""Steps in a stretch of the ranking, within which sums are small integers."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The rows of a model from the lowest score up, in the layout of `doubled_wins`.

    A step has at most one positive and then at most one negative. ``pos`` and ``neg`` contain their
    indices for the t-th step of each stretch of ``_STEPS`` steps; the index after the last row
    means none. Within ties positives come first in ``pos_first``, which counts negatives strictly
    below, and negatives come first in ``neg_first``, which is the same object without ties between
    classes.
    """

    pos_first: Steps
    neg_first: Steps

    @classmethod
    def of(cls, pos: NDArray[Any], neg: NDArray[Any]) -> Ranking:
        m, n = len(pos), len(neg)
        order = np.argsort(np.concatenate([pos, neg]), kind="stable")
        below = _steps(np.where(order < m, order, -1), np.where(order < m, -1, order - m), m, n)
        order = np.argsort(np.concatenate([neg, pos]), kind="stable")
        upto = _steps(np.where(order < n, -1, order - n), np.where(order < n, order, -1), m, n)
        same = below.pos.shape == upto.pos.shape and bool(
            np.array_equal(below.pos, upto.pos) and np.array_equal(below.neg, upto.neg)
        )
        return cls(below, below if same else upto)


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Indices of positives and negatives by (step of a stretch, stretch)."""

    pos: NDArray[np.intp]
    neg: NDArray[np.intp]


def doubled_wins(ranking: Ranking, pos: NDArray[Any], neg: NDArray[Any]) -> NDArray[Any]:
    """Return Σ over positives i and negatives j of count(i)·count(j)·(2 if i is above j, 1 if
    tied).

    ``pos`` and ``neg`` have a line of counts for each row of the class, then a line of zeros;
    columns are resamples.

    >>> ranking = Ranking.of(np.array([2, 5]), np.array([1, 2]))
    >>> pos, neg = np.array([[1], [1], [0]]), np.array([[2], [0], [0]])
    >>> doubled_wins(ranking, pos, neg)
    array([8])
    """
    below = _wins(ranking.pos_first, pos, neg)
    if ranking.neg_first is ranking.pos_first:
        return np.asarray(below + below)
    return np.asarray(below + _wins(ranking.neg_first, pos, neg))


def _wins(steps: Steps, pos: NDArray[Any], neg: NDArray[Any]) -> NDArray[Any]:
    shape = (steps.pos.shape[1], pos.shape[1])
    # uint8 counts are summed in 16 bits, which nearly always suffice for a stretch
    kind: Any = np.uint16 if pos.dtype == np.uint8 else pos.dtype
    a, b = np.empty(shape, pos.dtype), np.empty(shape, neg.dtype)
    inside, of_pos, of_neg, product = (np.zeros(shape, kind) for _ in range(4))
    for i, j in zip(steps.pos, steps.neg, strict=True):
        np.take(pos, i, axis=0, out=a, mode="clip")
        np.take(neg, j, axis=0, out=b, mode="clip")
        np.multiply(of_neg, a, out=product)
        inside += product
        of_pos += a
        of_neg += b
    exact: Any = np.int64 if kind == np.uint16 else kind
    of_pos, of_neg = of_pos.astype(exact), of_neg.astype(exact)
    if kind == np.uint16 and int((of_pos * of_neg).max()) >= 1 << 16:
        return _wins(steps, pos.astype(exact), neg.astype(exact))
    before = np.cumsum(of_neg, axis=0) - of_neg
    return np.asarray(inside.sum(axis=0, dtype=exact) + (of_pos * before).sum(axis=0))


def _steps(pos: NDArray[np.intp], neg: NDArray[np.intp], m: int, n: int) -> Steps:
    positive = pos >= 0
    begins = positive.copy()
    begins[:1] = True
    begins[1:] |= ~positive[:-1]
    step = np.cumsum(begins) - 1
    size = -(-int(step[-1] + 1) // _STEPS) * _STEPS
    of_pos, of_neg = np.full(size, m), np.full(size, n)
    of_pos[step[positive]] = pos[positive]
    of_neg[step[~positive]] = neg[~positive]
    by_step = (np.ascontiguousarray(x.reshape(-1, _STEPS).T) for x in (of_pos, of_neg))
    return Steps(*by_step)

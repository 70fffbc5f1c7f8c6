"""The AUCs of any number of models on the same resamples of their rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.blocks import in_blocks
from rocsolid.binary.resampling.cells import RankingCells, of_tables
from rocsolid.binary.resampling.schemes import Drawn, Sampler
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.score_counts import ScoreCounts


def replicates(
    models: Sequence[BinaryRows], *, resamples: int, seed: int, scheme: str | None = None
) -> NDArray[np.float64]:
    """An array of AUCs, a row for each resample and a column for each model.

    All models must hold the same rows in the same order, with the same labels, weights and
    clusters; only the scores differ. Row b is about one resample: what it draws is the same for
    every model. Ties count half. ``scheme`` is "stratified" (unless the rows have clusters),
    "plain", "cluster" (if they have), "poisson" or "bayesian"; see `Sampler`. The numbers depend
    on the seed alone, never on the threads, and unweighted AUCs are exact ratios of integers.

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
    """Any measure of a table of scores, on the same resamples as `replicates` of the same rows.

    ``value`` is given the table of each resample: counts, or sums of weights. Two models of the
    same rows, each measured by itself, are measured on the same resamples. Unless ``merged`` is
    turned off, neighbouring scores of one class alone share an entry of the table and ``score``
    counts entries, which changes nothing about the ROC curve.

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
"""Steps of a stretch of the ranking within which sums stay small integers."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The rows of one model from the lowest score up, laid out for `doubled_wins`.

    A step is at most one positive and then at most one negative. ``pos`` and ``neg`` hold, for the
    t-th step of each stretch of ``_STEPS`` steps, which positive and which negative it is; an
    absent one is the row after the last. Within ties the positives come first in ``pos_first``, so
    that they see the negatives strictly below them, and the negatives in ``neg_first``, which is
    the same object where no positive is tied with a negative.
    """

    pos_first: Steps
    neg_first: Steps

    @classmethod
    def of(cls, pos: NDArray[Any], neg: NDArray[Any]) -> Ranking:
        """From the scores of the positives and of the negatives, in the caller's order."""
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
    """Numbers of positives and negatives by (step of a stretch, stretch)."""

    pos: NDArray[np.intp]
    neg: NDArray[np.intp]


def doubled_wins(ranking: Ranking, pos: NDArray[Any], neg: NDArray[Any]) -> NDArray[Any]:
    """Σ over positives i and negatives j of count(i)·count(j)·(2 if i is above j, 1 if tied).

    ``pos`` and ``neg`` hold a row of counts for each row of the class, and a row of zeros after
    them; the columns are resamples.

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
    """Σ count(i)·(counts of the negatives before i): within each stretch, then between them."""
    shape = (steps.pos.shape[1], pos.shape[1])
    # uint8 counts are added up in 16 bits, of which the sums of a stretch seldom need more
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
    """Rows in order, each either a positive or a negative (the other being -1), as steps."""
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

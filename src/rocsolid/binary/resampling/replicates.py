"""The AUCs of any number of models on the same resamples of their rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.blocks import in_blocks
from rocsolid.binary.resampling.cells import RankingCells, of_tables
from rocsolid.binary.resampling.schemes import Drawn, Sampler
from rocsolid.binary.resampling.wins import Ranking, doubled_wins
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.score_counts import ScoreCounts


def replicates(
    models: Sequence[BinaryRows],
    *,
    resamples: int,
    seed: int,
    scheme: str | None = None,
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

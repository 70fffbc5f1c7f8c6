"""The stratified bootstrap on counts: classes are resampled in a table that is sorted once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.stream import stream


def resampled(
    table: ScoreCounts, value: Callable[[ScoreCounts], float], resamples: int, seed: int
) -> NDArray[np.float64]:
    """The values of ``resamples`` tables of the same class sizes, drawn with replacement.

    How often each score is drawn is multinomial, so nothing is sorted again. Resample b is drawn
    from its own stream, so the values depend on the seed alone.

    >>> table = ScoreCounts(np.array([0, 1]), np.array([1, 3]), np.array([2, 2]))
    >>> resampled(table, lambda drawn: float(drawn.pos[1]), 5, seed=0)
    array([3., 3., 2., 2., 4.])
    """
    if resamples < 1:
        raise InputError("resamples must be at least 1", value=resamples)
    m, n = int(table.n_pos), int(table.n_neg)
    pos, neg = table.pos / m, table.neg / n
    values = np.empty(resamples)
    for b in range(resamples):
        draw = stream(seed, b)
        drawn = ScoreCounts(table.score, draw.multinomial(m, pos), draw.multinomial(n, neg))
        values[b] = value(drawn)
    return values


def without_order(table: ScoreCounts) -> ScoreCounts:
    """The same curve with fewer rows: neighbouring scores of one class alone are put together.

    >>> columns = np.array([1, 2, 0, 3]), np.array([0, 0, 4, 1])
    >>> short = without_order(ScoreCounts(np.arange(4), *columns))
    >>> short.pos.tolist(), short.neg.tolist()
    ([3, 0, 3], [0, 4, 1])
    """
    tied = (table.pos > 0) & (table.neg > 0)
    of_pos = table.pos > 0
    begins = np.ones(len(table), dtype=bool)
    begins[1:] = (of_pos[1:] != of_pos[:-1]) | tied[1:] | tied[:-1]
    starts = np.flatnonzero(begins)
    pos, neg = (np.add.reduceat(column, starts) for column in (table.pos, table.neg))
    return ScoreCounts(np.arange(len(starts)), pos, neg)

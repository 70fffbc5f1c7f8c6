"""Coarse tables of scores for plots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocsolid.summaries.score_counts import ScoreCounts

_ROUNDING = 1e-9  # tolerance of a rate, since sums of weights are rounded


def thinned(
    tables: Iterable[ScoreCounts], n_pos: float, n_neg: float, entries: int = 2_000
) -> ScoreCounts:
    """Merge neighbouring scores under the lowest of them, into about ``entries`` entries.

    Every kept score is a threshold with its exact rates. A new entry begins when the rows since the
    last entry exceed that share of ``n_pos`` or of ``n_neg``, the totals.

    >>> many = ScoreCounts(np.arange(1000), np.ones(1000, int), np.ones(1000, int))
    >>> few = thinned([many], 1000, 1000, entries=10)
    >>> len(few), few.n_pos, few.score[:3].tolist()
    (10, 1000, [0, 100, 200])
    """
    step = 2.0 / entries
    scores: list[Any] = []
    pos: list[Any] = []
    neg: list[Any] = []
    passed = 0.0  # the sum of both shares below the next table
    last = -1
    for table in tables:
        if len(table) == 0:
            continue
        up_to = np.cumsum(table.pos) / n_pos
        up_to += np.cumsum(table.neg) / n_neg
        up_to += passed
        before = passed if len(table) == 1 else float(up_to[-2])
        newest = _bin(before, step)
        # the first entries at which the sum reaches each bin that begins in this table
        reached = (np.arange(last + 1, newest + 1) - _ROUNDING) * step
        starts = np.unique(np.where(reached <= passed, 0, np.searchsorted(up_to, reached) + 1))
        passed, last = float(up_to[-1]), max(newest, last)
        bounds = starts if len(starts) and starts[0] == 0 else np.concatenate([[0], starts])
        sums = [np.add.reduceat(column, bounds) for column in (table.pos, table.neg)]
        if len(bounds) > len(starts):  # the first rows belong to the previous entry
            pos[-1], neg[-1] = pos[-1] + sums[0][0], neg[-1] + sums[1][0]
            sums = [column[1:] for column in sums]
        scores += list(table.score[starts])
        pos += list(sums[0])
        neg += list(sums[1])
    return ScoreCounts(np.array(scores), np.array(pos), np.array(neg))


def _bin(passed: float, step: float) -> int:
    return int(passed / step + _ROUNDING)

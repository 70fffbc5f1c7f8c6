"""How much a measure that is no sum over rows changes with each label, to first order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs import BinaryRows
from rocsolid.summaries.runs import distinct_scores
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]

_FIRST = 150  # distinct scores from the top that stand alone
_GROWTH = 1.03  # each block below has so many times the scores of the one before
_STEP = 0.25  # rows by which a block's positives are changed

Area = Callable[[ScoreCounts], float]


class Blocks:
    """Rows by score, one block for each of the highest scores and wider ones below."""

    def __init__(self, score: NDArray[np.float64]) -> None:
        distinct, run = distinct_scores(score)
        from_top = len(distinct) - 1 - run
        ends, width, end = [], 1.0, 0
        while end < len(distinct):
            width = width * _GROWTH if end >= _FIRST else 1.0
            end += max(1, int(width))
            ends.append(end)
        last = len(ends) - 1
        self.of = last - np.searchsorted(ends, from_top, side="right")
        self.rows = np.bincount(self.of, minlength=len(ends)).astype(np.float64)

    def value(self, area: Area, share: _FLOATS) -> float:
        """Of rows with these shares of a positive label."""
        return area(self._table(self._positives(share)))

    def gradient(self, area: Area, share: _FLOATS) -> _FLOATS:
        """What a positive more, a negative less, changes; the same for all rows of a block."""
        positives = self._positives(share)
        change = np.zeros(len(self.rows))
        for block, (pos, rows) in enumerate(
            zip(positives.tolist(), self.rows.tolist(), strict=True)
        ):
            up, down = min(_STEP, rows - pos), min(_STEP, pos)
            ends = []
            for step in (up, -down):
                moved = positives.copy()
                moved[block] += step
                ends.append(area(self._table(moved)))
            change[block] = (ends[0] - ends[1]) / (up + down)
        return np.asarray(change[self.of])

    def _positives(self, share: _FLOATS) -> _FLOATS:
        return np.bincount(self.of, share, len(self.rows)).astype(np.float64)

    def _table(self, positives: _FLOATS) -> ScoreCounts:
        return ScoreCounts(
            np.arange(len(self.rows), dtype=np.float64), positives, self.rows - positives
        )


def exchange_ends(area: Area, rows: BinaryRows) -> tuple[float, float]:
    """Between which values a measure stays after any exchange of a positive and a negative.

    It must never fall when positives move up. Of all exchanges that of the highest positive with
    the lowest negative leaves the positives lowest, rank by rank, and that of the lowest with the
    highest leaves them highest.
    """
    pos, neg = np.flatnonzero(rows.positive), np.flatnonzero(~rows.positive)
    values = []
    for high, low in ((pos, neg), (neg, pos)):
        labels = rows.positive.copy()
        i, j = high[np.argmax(rows.score[high])], low[np.argmin(rows.score[low])]
        labels[[i, j]] = labels[[j, i]]
        values.append(area(ScoreCounts.from_arrays(labels, rows.score)))
    return min(values), max(values)

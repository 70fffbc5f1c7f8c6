"""The ROC curve as its steps, for as long as one class has few rows; what lies above adds on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.board import MOST, Board
from rocsolid.summaries.score_counts import ScoreCounts, total

_INT = NDArray[np.int64]
_FLOAT = 1 << 53  # whole numbers up to here are floats too


def _none() -> _INT:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Staircase:
    """Rows in ascending order of score: a step is a tie of both classes, or a run of one of them.

    With at most ``MOST`` rows in one class there are at most twice as many steps and one, however
    many rows the other has.

    >>> low = Staircase.of(ScoreCounts(np.array([1, 2]), np.array([0, 0]), np.array([3, 2])))
    >>> high = Staircase.of(ScoreCounts(np.array([3, 4]), np.array([0, 1]), np.array([1, 1])))
    >>> low.then(high).pos.tolist(), low.then(high).neg.tolist()
    ([0, 1], [6, 1])
    """

    pos: _INT = field(default_factory=_none)
    neg: _INT = field(default_factory=_none)

    @classmethod
    def of(cls, table: ScoreCounts) -> Staircase | None:
        """``None`` where both classes have more than ``MOST`` rows."""
        return _steps(table.pos, table.neg)

    def then(self, other: Staircase) -> Staircase | None:
        """With rows that all lie above these."""
        return _steps(np.concatenate([self.pos, other.pos]), np.concatenate([self.neg, other.neg]))

    @property
    def board(self) -> Board:
        """Of all the rows that there are."""
        if self.pos.sum() <= self.neg.sum():
            rows, columns = self.pos, self.neg
            below = np.cumsum(columns) - columns
        else:
            rows, columns = self.neg[::-1], self.pos[::-1]
            below = np.cumsum(columns) - columns
        return Board(np.repeat(below, rows), np.repeat(columns, rows), int(columns.sum()))


def _steps(pos: _INT, neg: _INT) -> Staircase | None:
    sizes = total(pos), total(neg)
    if min(sizes) > MOST or max(sizes) > _FLOAT:
        return None
    # a run of one class goes on where the next score has rows of that class only
    goes_on = ((pos[1:] == 0) & (pos[:-1] == 0)) | ((neg[1:] == 0) & (neg[:-1] == 0))
    starts = np.flatnonzero(np.concatenate([[True], ~goes_on])) if len(pos) else _none()
    if len(starts) < len(pos):
        pos, neg = np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)
    return Staircase(pos, neg)

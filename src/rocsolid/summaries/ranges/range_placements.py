"""Exact sums over the placements within a range of scores; ranges that follow each other add up."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.board import MOST, Board
from rocsolid.summaries.exact_dot import exact_dot
from rocsolid.summaries.placements import Placements, exact_sums, mirrored_squares
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

    def then(self, higher: Staircase) -> Staircase | None:
        """With rows that all lie above these."""
        return _steps(
            np.concatenate([self.pos, higher.pos]), np.concatenate([self.neg, higher.neg])
        )

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


_INT64 = 1 << 63


@dataclass(frozen=True, slots=True)
class RangePlacements:
    """Sums over a range of scores, as Python integers of any size.

    ``below`` is the sum over its positives of twice the number of negatives below each in the
    range, plus the number tied with it; ``under`` the same for its negatives among the positives;
    both also squared. ``ties`` are tied pairs of a positive and a negative. ``staircase`` has the
    ROC curve, for as long as one class has few rows.

    >>> a = RangePlacements.of(ScoreCounts(np.array([1]), np.array([1]), np.array([2])))
    >>> b = RangePlacements.of(ScoreCounts(np.array([2, 3]), np.array([1, 0]), np.array([0, 1])))
    >>> a.then(b).placements.ratio
    (6, 12)
    """

    n_pos: int = 0
    n_neg: int = 0
    below: int = 0
    below_squares: int = 0
    under: int = 0
    under_squares: int = 0
    ties: int = 0
    staircase: Staircase | None = field(default=Staircase(), compare=False, repr=False)

    @classmethod
    def of(cls, table: ScoreCounts) -> RangePlacements:
        """From the table of distinct scores of the range; counts of any size stay exact."""
        m, n = int(table.n_pos), int(table.n_neg)
        pos, neg = table.pos, table.neg
        if max(m, n) >= _INT64 // 4:
            pos, neg = pos.astype(object), neg.astype(object)
        below, below_squares = exact_sums(pos, 2 * np.cumsum(neg) - neg)
        under, under_squares = exact_sums(neg, 2 * np.cumsum(pos) - pos)
        ties = exact_dot(pos, neg, m * n)
        stairs = Staircase.of(table)
        return cls(m, n, below, below_squares, under, under_squares, ties, stairs)

    def then(self, higher: RangePlacements) -> RangePlacements:
        """With a range that lies above this one: all rows here are below all rows there."""
        m, n = 2 * self.n_pos, 2 * self.n_neg
        stairs = None
        if self.staircase is not None and higher.staircase is not None:
            stairs = self.staircase.then(higher.staircase)
        return RangePlacements(
            self.n_pos + higher.n_pos,
            self.n_neg + higher.n_neg,
            self.below + higher.below + n * higher.n_pos,
            self.below_squares + higher.below_squares + 2 * n * higher.below + n * n * higher.n_pos,
            self.under + higher.under + m * higher.n_neg,
            self.under_squares + higher.under_squares + 2 * m * higher.under + m * m * higher.n_neg,
            self.ties + higher.ties,
            stairs,
        )

    @property
    def board(self) -> Board | None:
        """Of a range that is everything, if one class has few rows."""
        return None if self.staircase is None else self.staircase.board

    @property
    def placements(self) -> Placements:
        """Of a range that is everything: what the AUC and its variance are made of."""
        m, n = self.n_pos, self.n_neg
        squares = mirrored_squares(self.under, self.under_squares, m, n)
        return Placements(m, n, self.below, self.below_squares, squares, self.ties)

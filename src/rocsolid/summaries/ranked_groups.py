"""Rows of many groups in the order of their scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.score_counts import ScoreCounts, run_begins

_INT = NDArray[np.int64]
_BOOLS = NDArray[np.bool_]
_POSITIVE, _NEGATIVE, _NEW = np.uint8(1), np.uint8(2), np.uint8(4)


@dataclass(frozen=True, slots=True, eq=False)
class PositiveRuns:
    """The distinct scores of positives, one line per group, ascending.

    ``pos`` counts the positives with the score, ``below`` the negatives below and ``through`` the
    negatives up to the score. The first ``count`` cells of a line are scores; the other cells, at
    least one, are above all rows.
    """

    count: _INT
    pos: _INT
    below: _INT
    through: _INT

    @classmethod
    def of_classes(cls, classes: SortedClasses) -> PositiveRuns:
        pos, neg = classes.pos, classes.neg
        starts = np.flatnonzero(run_begins(pos))
        held = np.diff(starts, append=len(pos))
        below, through = (neg.searchsorted(pos[starts], side=side) for side in ("left", "right"))
        lines = (np.append(held, 0), np.append(below, len(neg)), np.append(through, len(neg)))
        return cls(np.array([len(starts)]), *(line[None] for line in lines))


@dataclass(frozen=True, slots=True, eq=False)
class RankedGroups:
    """Groups of similar size as lines of a matrix, with rows in ascending order of scores.

    The byte of a row contains its class and whether it begins a new score, which determines the
    curve. Cells after the last row of a group have no class.
    """

    groups: _INT
    cells: NDArray[np.uint8]

    @classmethod
    def of(
        cls, positive: NDArray[np.bool_], score: NDArray[Any], groups: Groups
    ) -> list[RankedGroups]:
        """All small groups; see `Groups.matrices`.

        >>> y, s = np.array([True, False, True, False]), np.array([2, 1, 0, 0])
        >>> (ranked,) = RankedGroups.of(y, s, Groups.of(np.array([0, 0, 1, 1]), 2))
        >>> ranked.positive.tolist(), ranked.new.tolist()
        ([[False, True], [True, False]], [[True, True], [True, False]])
        """
        return [
            cls(some, _ranked(positive[rows], score[rows], real))
            for some, rows, real in groups.matrices()
        ]

    @property
    def positive(self) -> _BOOLS:
        return np.asarray((self.cells & _POSITIVE).view(np.bool_))

    @property
    def negative(self) -> _BOOLS:
        return np.asarray((self.cells >> np.uint8(1) & np.uint8(1)).view(np.bool_))

    @property
    def new(self) -> _BOOLS:
        """A mask of cells that begin a score; each cell without a row begins a score."""
        return np.asarray((self.cells >> np.uint8(2)).view(np.bool_))

    @property
    def turned(self) -> RankedGroups:
        """The groups with classes exchanged and the order of scores reversed."""
        last = np.ones(self.cells.shape, dtype=bool)
        last[:, :-1] = self.new[:, 1:]
        cells = self.positive * _NEGATIVE + self.negative * _POSITIVE + last * _NEW
        return RankedGroups(self.groups, np.ascontiguousarray(cells[:, ::-1]))

    def around(self, member: _BOOLS) -> tuple[_INT, _INT]:
        """Return, for each cell, the members below its score and the members up to its score."""
        new = self.new
        through = np.cumsum(member, axis=1, dtype=np.int64)
        if new.all():
            return through - member, through
        below = np.maximum.accumulate(np.where(new, through - member, 0), axis=1)
        last = np.ones(new.shape, dtype=bool)
        last[:, :-1] = new[:, 1:]
        at_end = np.where(last, through, through[:, -1:])
        return below, np.minimum.accumulate(at_end[:, ::-1], axis=1)[:, ::-1]

    def aucs(self) -> NDArray[np.float64]:
        positive, negative = self.positive, self.negative
        below, through = self.around(negative)
        doubled = np.where(positive, below + through, 0).sum(axis=1)
        return np.asarray(doubled / (2 * positive.sum(axis=1) * negative.sum(axis=1)))

    def runs(self) -> PositiveRuns:
        """The distinct scores of the positives.

        >>> y, s = np.array([True, True, False, False]), np.array([2, 2, 2, 0])
        >>> (ranked,) = RankedGroups.of(y, s, Groups.of(np.zeros(4, dtype=np.int64), 1))
        >>> runs = ranked.runs()
        >>> runs.count, runs.pos, runs.below, runs.through
        (array([1]), array([[2, 0]]), array([[1, 2]]), array([[2, 2]]))
        """
        positive, negative, width = self.positive, self.negative, self.cells.shape[1]
        through = np.cumsum(negative, axis=1, dtype=np.int64)
        starts = np.flatnonzero(self.new)
        if len(starts) == self.cells.size:
            kept = np.flatnonzero(positive)
            pos, tied = np.ones(len(kept), dtype=np.int64), np.zeros(len(kept), dtype=np.int64)
        else:
            ends = np.append(starts[1:], self.cells.size) - 1
            pos, tied = (
                np.add.reduceat(member.ravel(), starts, dtype=np.int64)
                for member in (positive, negative)
            )
            held = pos > 0
            pos, tied, kept = pos[held], tied[held], ends[held]
        line = kept // width
        count = np.bincount(line, minlength=len(self.groups))
        place = np.arange(len(kept)) - (np.cumsum(count) - count)[line]
        shape = (len(count), int(count.max(initial=0)) + 1)
        lined = np.zeros(shape, dtype=np.int64)
        below, upto = (np.repeat(through[:, -1:], shape[1], axis=1) for _ in range(2))
        lined[line, place] = pos
        upto[line, place] = through.ravel()[kept]
        below[line, place] = upto[line, place] - tied
        return PositiveRuns(count, lined, below, upto)

    def table(self, line: int) -> ScoreCounts:
        """The number of rows of each class with each distinct score of a group, by rank.

        >>> y, s = np.array([True, False, False]), np.array([7.0, 0.5, 7.0])
        >>> (ranked,) = RankedGroups.of(y, s, Groups.of(np.zeros(3, dtype=np.int64), 1))
        >>> ranked.table(0).classes
        SortedClasses(pos=array([1]), neg=array([0, 1]))
        """
        cells = self.cells[line]
        cells = cells[cells & (_POSITIVE | _NEGATIVE) > 0]
        starts = np.flatnonzero(cells & _NEW)
        pos, neg = (
            np.add.reduceat(cells & kind, starts, dtype=np.int64) for kind in (_POSITIVE, _NEGATIVE)
        )
        return ScoreCounts(np.arange(len(starts)), pos, neg >> 1)


def _ranked(positive: _BOOLS, score: NDArray[Any], real: _BOOLS) -> NDArray[np.uint8]:
    """The cells of a matrix of rows; padding ends each line."""
    full = bool(real[:, -1].all())
    if not full and score.dtype.kind == "f":
        score[~real] = np.nan  # NumPy sorts NaN to the end
    elif not full:
        last = np.where(real, score, score[:, :1]).max(axis=1, keepdims=True)
        score = np.where(real, score, last)
    # a stable sort keeps padding after the rows with the same score
    stable = not full and score.dtype.kind != "f"
    order = np.argsort(score, axis=1, kind="stable" if stable else None)
    order += np.arange(0, score.size, score.shape[1])[:, None]
    ascending = score.ravel()[order]
    cells = positive.ravel()[order].astype(np.uint8)
    if full:
        cells ^= cells << np.uint8(1) ^ _NEGATIVE
    else:
        cells ^= np.where(real, cells << np.uint8(1) ^ _NEGATIVE, cells)
    cells[:, 0] |= _NEW
    np.bitwise_or(cells[:, 1:], _NEW, out=cells[:, 1:], where=ascending[:, 1:] != ascending[:, :-1])
    if not full:
        cells[~real] = _NEW
    return cells

"""Where each row of the smaller class stands among the larger: the board under the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.sorted_classes import SortedClasses

_INT = NDArray[np.int64]

MOST = 2048
"""Rows of the smaller class up to which a board is kept: work on it grows as their square."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Row i wins against ``below[i]`` rows of the larger class and ties with ``tied[i]`` of them.

    Rows ascend by what they win. Where the negatives are fewer, a negative wins against the
    positives above it, so that the wins are those of the AUC either way. The squares of the wins
    form a Ferrers board, whose border is the ROC curve.
    """

    below: _INT
    tied: _INT
    columns: int

    @classmethod
    def of(cls, classes: SortedClasses, most: int = MOST) -> Board | None:
        """From sorted scores; ``None`` where both classes have more than ``most`` rows.

        >>> board = Board.of(SortedClasses(np.array([1, 2]), np.array([0, 1, 1])))
        >>> board.below.tolist(), board.tied.tolist(), board.columns
        ([1, 3], [2, 0], 3)
        """
        pos, neg = classes.pos, classes.neg
        if min(len(pos), len(neg)) > most:
            return None
        fewer_pos = len(pos) <= len(neg)
        small, big = (pos, neg) if fewer_pos else (neg, pos)
        under, through = big.searchsorted(small), big.searchsorted(small, side="right")
        if fewer_pos:
            return cls(under, through - under, len(big))
        return cls((len(big) - through)[::-1], (through - under)[::-1], len(big))

    @property
    def mirrored(self) -> Board:
        """Of the same rows with wins and losses exchanged."""
        lost = self.columns - self.below - self.tied
        return Board(lost[::-1], self.tied[::-1], self.columns)

    @property
    def doubled_wins(self) -> int:
        return int(2 * self.below.sum() + self.tied.sum())

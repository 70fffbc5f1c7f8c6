"""Who wins against whom, from the sorted scores of both classes, coarser where they are many."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.sorted_classes import SortedClasses

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.intp]
PLACES = 2**16
"""Blocks of the smaller class beyond which more rows are cut, each as good as its worst row.

Limits of many millions of rows grow by about a percent."""


@dataclass(frozen=True, slots=True, eq=False)
class CoarseWins:
    """Rows of both classes on a line of places, in the order in which the smaller class wins.

    A row of the smaller class wins against the rows before it. Within a place each pair counts
    ``within``: a half where all rows have one score, else 0. A row of the larger class that follows
    untied rows of the smaller one loses to none of them, so it shares their place. No pair counts
    more than it should, and where the smaller class is small none counts less.
    """

    small: _FLOATS
    large: _FLOATS
    within: _FLOATS

    @classmethod
    def both(cls, classes: SortedClasses) -> tuple[CoarseWins, CoarseWins]:
        """In the order of the wins, and with wins and losses exchanged.

        >>> wins, losses = CoarseWins.both(SortedClasses(np.array([1, 2]), np.array([0, 1, 1])))
        >>> wins.small, wins.large, wins.within
        (array([0., 1., 1.]), array([1., 2., 0.]), array([0. , 0.5, 0. ]))
        >>> losses.small, losses.large, losses.within
        (array([1., 1., 0.]), array([0., 2., 1.]), array([0. , 0.5, 0. ]))
        """
        fewer = len(classes.pos) <= len(classes.neg)
        small, large = (classes.pos, classes.neg) if fewer else (classes.neg, classes.pos)
        apart = np.flatnonzero(np.append(True, small[1:] != small[:-1]))
        starts = apart[:: math.ceil(len(apart) / PLACES)]
        rows, size = np.diff(starts, append=len(small)), len(large)
        least = _stand(large, small[starts])
        most = least if len(starts) == len(apart) else _stand(large, small[starts + rows - 1])
        below, through = ((size - each)[::-1] for each in reversed(most))
        orders = cls._of(rows, *least, size), cls._of(rows[::-1], below, through, size)
        return orders if fewer else orders[::-1]

    @classmethod
    def _of(cls, rows: _INT, below: _INT, through: _INT, size: int) -> CoarseWins:
        """From how many of the larger class stand below each block of rows, and how many not above.

        Both numbers ascend.
        """
        new = (below[1:] != below[:-1]) | (through[1:] != through[:-1])
        starts = np.flatnonzero(np.append(True, new))
        below, through = below[starts], through[starts]
        tied = through > below
        rows = np.add.reduceat(rows, starts)
        if not tied.any():  # each block and what follows it, after what all of them win against
            spread = np.diff(below, prepend=0, append=size) * 1.0
            some = slice(int(below[0] == 0), None)
            return cls(np.append(0.0, rows)[some], spread[some], np.zeros(len(spread))[some])
        after = np.append(below[1:], size) - through
        small, large, within = (np.zeros(2 * len(starts) + 1) for _ in range(3))
        small[1::2] = rows
        large[0] = below[0]
        large[1::2] = np.where(tied, through - below, after)
        large[2::2] = np.where(tied, after, 0)
        within[1::2] = np.where(tied, 0.5, 0.0)
        taken = small + large > 0
        return cls(small[taken], large[taken], within[taken])

    @property
    def copies(self) -> tuple[_FLOATS, _FLOATS]:
        return self.small, self.large

    def spread(self, stake: float) -> float:
        return math.log1p(stake)

    def across(self, weight: _FLOATS) -> _FLOATS:
        return np.asarray(np.cumsum(weight) - (1.0 - self.within) * weight)

    def down(self, weight: _FLOATS) -> _FLOATS:
        through = np.cumsum(weight)
        return np.asarray(through[-1] - through + self.within * weight)


def _stand(large: NDArray[Any], scores: NDArray[Any]) -> tuple[_INT, _INT]:
    """How many of ``large`` lie below each score, and how many not above it."""
    below = large.searchsorted(scores)
    if not np.any(large[np.minimum(below, len(large) - 1)] == scores):
        return below, below
    return below, large.searchsorted(scores, side="right")

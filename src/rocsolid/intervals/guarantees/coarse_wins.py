"""Who wins against whom, from the sorted scores of both classes, coarser where they are many."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.sorted_classes import SortedClasses

_FLOATS = NDArray[np.float64]
PLACES = 2**14
"""Scores of a class at which more rows are cut; limits of many millions grow by about a percent."""


@dataclass(frozen=True, slots=True, eq=False)
class CoarseWins:
    """Rows of both classes on a line of places, in the order in which the smaller class wins.

    A row of the smaller class wins against what stands before it. Within a place each pair counts
    ``within``: a half where all rows have one score, else 0. So no pair counts more than it should,
    and where classes are small none counts less.
    """

    small: _FLOATS
    large: _FLOATS
    within: _FLOATS

    @classmethod
    def of(cls, classes: SortedClasses) -> CoarseWins:
        """
        >>> wins = CoarseWins.of(SortedClasses(np.array([1, 2]), np.array([0, 1, 1])))
        >>> wins.small, wins.large, wins.within
        (array([0., 1., 1.]), array([1., 2., 0.]), array([0. , 0.5, 0. ]))
        """
        some = [each[:: math.ceil(len(each) / PLACES)] for each in (classes.pos, classes.neg)]
        cuts = np.union1d(*some)
        pos, neg = (np.empty(2 * len(cuts) + 1) for _ in range(2))
        for counts, scores in ((pos, classes.pos), (neg, classes.neg)):
            below, through = (scores.searchsorted(cuts, side) for side in ("left", "right"))
            counts[1::2] = through - below  # at a cut, and between two of them
            counts[::2] = np.append(below, len(scores)) - np.append(0, through)
        tied = np.zeros(len(pos), dtype=bool)
        tied[1::2] = (pos * neg > 0)[1::2]
        # a cut without a tie is one place with what follows it
        starts = np.flatnonzero(np.append(True, (np.arange(1, len(pos)) % 2 == 1) | tied[:-1]))
        pos, neg = np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)
        some_rows = pos + neg > 0
        pos, neg = pos[some_rows], neg[some_rows]
        within = np.where(tied[starts], 0.5, 0.0)[some_rows]
        if len(classes.pos) <= len(classes.neg):
            return cls(pos, neg, within)
        return cls(neg[::-1], pos[::-1], within[::-1])

    @property
    def mirrored(self) -> CoarseWins:
        """With wins and losses exchanged."""
        return CoarseWins(self.small[::-1], self.large[::-1], self.within[::-1])

    @property
    def copies(self) -> tuple[_FLOATS, _FLOATS]:
        return self.small, self.large

    @property
    def joined(self) -> CoarseWins:
        """With fewer places and the same wins: rows of one class in a row have one place.

        A row of the larger class that follows rows of the smaller one loses to none of them, so it
        has their place too. What is exact in this order is not in the mirrored one, which is to be
        joined by itself.

        >>> one = np.ones(4)
        >>> wins = CoarseWins(np.array([1.0, 1, 0, 1]), np.array([0.0, 0, 1, 0]), 0 * one).joined
        >>> wins.small, wins.large, wins.within
        (array([2., 1.]), array([1., 0.]), array([0., 0.]))
        """
        tied = self.within > 0
        first = (self.small[1:] > 0) & (self.large[:-1] > 0) | tied[1:] | tied[:-1]
        starts = np.flatnonzero(np.append(True, first))
        small, large = (np.add.reduceat(each, starts) for each in (self.small, self.large))
        return CoarseWins(small, large, self.within[starts])

    def spread(self, stake: float) -> float:
        return math.log1p(stake)

    def across(self, weight: _FLOATS) -> _FLOATS:
        return np.asarray(np.cumsum(weight) - (1.0 - self.within) * weight)

    def down(self, weight: _FLOATS) -> _FLOATS:
        through = np.cumsum(weight)
        return np.asarray(through[-1] - through + self.within * weight)

"""Sorted classes of which the scores at some ranks alone are known."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.inputs.arrays import reverse
from rocsolid.summaries.placements import SortedClasses


@dataclass(frozen=True, slots=True, eq=False)
class RankedClass:
    """A class with known scores at some ranks, which supports the access of a certificate.

    ``score`` ascends, ``below`` is the number of rows of the class below each, ``tied`` is the
    number of rows with the score, and ``size`` is the size of the class.

    >>> some = RankedClass(np.array([1.0, 4.0]), np.array([0, 7]), np.array([1, 2]), 9)
    >>> len(some), some[np.array([0, 8])], some.searchsorted(np.array([4.0, 5.0]))
    (9, array([1., 4.]), array([7, 9]))
    >>> some.searchsorted(np.array([1.0, 4.0]), side="right")
    array([1, 9])
    """

    score: NDArray[Any]
    below: NDArray[np.int64]
    tied: NDArray[np.int64]
    size: int

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, place: NDArray[np.int64]) -> NDArray[Any]:
        at = np.searchsorted(self.below, place, side="right") - 1
        if np.any(place >= (self.below + self.tied)[at]):
            raise LookupError("no score is known at this rank")
        return np.asarray(self.score[at])

    def searchsorted(
        self, score: NDArray[Any], side: Literal["left", "right"] = "left"
    ) -> NDArray[np.int64]:
        """The number of rows below each known score, or not above each with ``side="right"``."""
        if side == "right":
            return np.asarray((self.below + self.tied)[np.searchsorted(self.score, score)])
        return np.append(self.below, self.size)[np.searchsorted(self.score, score)]

    def reversed(self) -> RankedClass:
        above = self.size - self.below - self.tied
        return RankedClass(reverse(self.score)[::-1], above[::-1], self.tied[::-1], self.size)


@dataclass(frozen=True, slots=True, eq=False)
class RankedClasses:
    """Both classes at the ranks that a certificate reads."""

    pos: RankedClass
    neg: RankedClass

    @classmethod
    def of_sorted(
        cls, classes: SortedClasses, pos: NDArray[np.int64], neg: NDArray[np.int64]
    ) -> RankedClasses:
        """Keep the scores at some places of each class.

        >>> classes = SortedClasses(np.array([1, 3, 3]), np.array([0, 1, 2]))
        >>> RankedClasses.of_sorted(classes, np.array([2]), np.array([1])).pos
        RankedClass(score=array([1, 3]), below=array([0, 1]), tied=array([1, 2]), size=3)
        """
        score = np.unique(np.concatenate([classes.pos[pos], classes.neg[neg]]))
        ranked = []
        for ascending in (classes.pos, classes.neg):
            below, through = (ascending.searchsorted(score, side) for side in ("left", "right"))
            ranked.append(RankedClass(score, below, through - below, len(ascending)))
        return cls(*ranked)

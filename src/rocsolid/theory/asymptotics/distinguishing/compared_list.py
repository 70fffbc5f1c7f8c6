"""One query's items as several rankers order them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.runs import run_begins

_F = NDArray[np.float64]
_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RankerOrder:
    """One ranker's order of the items, best first, and where the relevant ones stand.

    The first ``listed`` items of ``order`` are the list; the others were not retrieved. Relevant
    item ``relevant[i]`` has ``above[i]`` items strictly above it, and ``through[i]`` items stand
    above it or level with it. A sample of the items has the same order, so that ranks in it are
    counts of sampled items: nothing is sorted again.
    """

    order: _INT
    listed: int
    relevant: _INT
    gain: _F
    above: _INT
    through: _INT

    @property
    def tied(self) -> bool:
        """Whether a relevant item shares its score with another item."""
        return bool(np.any(self.through - self.above > 1))

    @classmethod
    def of(cls, score: _F, gain: _F) -> RankerOrder:
        """From the score and the gain of each item; a score of −∞ was not retrieved.

        >>> score, gain = np.array([0.2, 0.9, 0.2, -np.inf]), np.array([1.0, 0.0, 0.0, 2.0])
        >>> found = RankerOrder.of(score, gain)
        >>> found.listed, found.relevant, found.above, found.through
        (3, array([0]), array([1]), array([3]))
        """
        order = np.argsort(-score, kind="stable")
        begins = np.flatnonzero(run_begins(-score[order]))
        ends = np.append(begins[1:], len(score))
        listed = int(np.count_nonzero(score > -np.inf))
        places = np.flatnonzero(gain[order[:listed]] > 0.0)
        block = np.searchsorted(begins, places, side="right") - 1
        relevant = order[places]
        return cls(order, listed, relevant, gain[relevant], begins[block], ends[block])


@dataclass(frozen=True, slots=True, eq=False)
class ComparedList:
    """The same ``size`` items under several rankers.

    ``best`` are the relevant items, retrieved or not, largest gain first: the ideal list.
    """

    size: int
    rankings: tuple[RankerOrder, ...]
    best: _INT
    best_gain: _F

    @classmethod
    def of(cls, scores: Sequence[_F], gain: _F) -> ComparedList:
        """From each ranker's scores of the items, and their gains."""
        down = np.argsort(-gain, kind="stable")
        best = down[: int(np.count_nonzero(gain > 0.0))]
        rankings = tuple(RankerOrder.of(score, gain) for score in scores)
        return cls(len(gain), rankings, best, gain[best])

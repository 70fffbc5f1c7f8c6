"""The part of the ROC curve around one rate, from streamed groups of equal scores."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.near_table import NearTable
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import NO_PLACES, Ended, Places

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RateTerm:
    """The counts by score where the share ``at`` of the class ``of`` is above the threshold.

    The result is a table in ``details`` with the curve of all rows near this rate. The sums have no
    value and no variance, because the variance of a rate at a rate requires a density.
    """

    of: Literal["pos", "neg"]
    at: float

    @property
    def centred(self) -> bool:
        return True

    def begin(self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)) -> RateWalk:
        size = neg if self.of == "neg" else pos
        return RateWalk(self, pos, neg, NearTable.about(self.at * size, size), below)

    def places(self, pos: int, neg: int) -> Places:  # noqa: ARG002 -- its own table has them
        return NO_PLACES

    def weighed(self, rows: int, unit: float) -> RateTerm:  # noqa: ARG002
        return self


@dataclass(slots=True, eq=False)
class RateWalk:
    term: RateTerm
    pos: float
    neg: float
    near: NearTable
    below: tuple[float, float]

    def step(self, groups: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        pos, neg = groups.pos, groups.neg
        nothing = np.zeros(len(pos))
        of_neg = self.term.of == "neg"
        held = (neg if of_neg else pos) > 0.0
        # neighbours without a row of the class are one part of the curve, however many they are
        starts = np.flatnonzero(np.append(True, held[1:] | held[:-1]))
        pos, neg = np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)
        own, below, size = (
            (neg, self.below[1], self.neg) if of_neg else (pos, self.below[0], self.pos)
        )
        above = size - below - np.cumsum(own)
        self.near.add(pos, neg, above, above + own)
        self.below = self.below[0] + float(pos.sum()), self.below[1] + float(neg.sum())
        return nothing, nothing

    def then(self, following: RateWalk) -> tuple[float, float]:
        self.near.then(following.near)
        self.below = following.below
        return 0.0, 0.0

    def end(self) -> Ended:
        nothing = 0.0, 0.0
        return Ended(np.nan, nothing, nothing, self.near.table(self.pos, self.neg))

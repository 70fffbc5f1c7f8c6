"""The net benefit of the rows above a threshold, from streamed groups of equal scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.completed_curve import Prevalence
from rocsolid.intervals.guarantees.net_benefit import exchange
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import NO_PLACES, Ended, Places

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FlaggedTerm:
    """The net benefit at a threshold, as a sum over rows.

    The result ``details`` is a table of two scores, the lowest and the highest, which count the
    rows below the threshold and the rows that the threshold flags.
    """

    threshold: float
    prevalence: Prevalence

    @property
    def centred(self) -> bool:
        return self.prevalence != "rows"

    def begin(self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)) -> FlaggedWalk:  # noqa: ARG002
        return FlaggedWalk(self, pos, neg)

    def places(self, pos: int, neg: int) -> Places:  # noqa: ARG002 -- its own table has them
        return NO_PLACES

    def weighed(self, rows: tuple[int, int], unit: float) -> FlaggedTerm:  # noqa: ARG002
        return self


@dataclass(slots=True, eq=False)
class FlaggedWalk:
    term: FlaggedTerm
    pos: float
    neg: float
    flagged: tuple[float, float] = (0.0, 0.0)
    scores: tuple[float, float] = (np.inf, -np.inf)
    """The lowest and the highest score."""

    def step(self, groups: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        flags = flags_of(groups.score, self.term.threshold).astype(np.float64)
        self._add(
            (dot(groups.pos, flags), dot(groups.neg, flags)),
            (float(groups.score[0]), float(groups.score[-1])),
        )
        return flags, flags

    def then(self, following: FlaggedWalk) -> tuple[float, float]:
        self._add(following.flagged, following.scores)
        return 0.0, 0.0

    def _add(self, flagged: tuple[float, float], scores: tuple[float, float]) -> None:
        self.flagged = self.flagged[0] + flagged[0], self.flagged[1] + flagged[1]
        self.scores = min(self.scores[0], scores[0]), max(self.scores[1], scores[1])

    def end(self) -> Ended:
        of = self.term.prevalence
        harm = float(exchange(np.array(self.term.threshold)))
        of_pos = self.pos / (self.pos + self.neg) if isinstance(of, str) else of
        of_neg = 1.0 - of_pos
        hits, alarms = self.flagged
        value = of_pos * hits / self.pos - of_neg * harm * alarms / self.neg
        # centred terms ignore the constants
        pos, neg = (of_pos, -of_pos * value), (-of_neg * harm, -of_neg * value)
        return Ended(value, pos, neg, self._table())

    def _table(self) -> ScoreCounts:
        low, high = self.scores
        pos, neg = (
            [whole - flagged, flagged]
            for whole, flagged in zip((self.pos, self.neg), self.flagged, strict=True)
        )
        if low == high:
            pos, neg = [self.pos], [self.neg]
        return ScoreCounts(np.unique([low, high]), np.array(pos), np.array(neg))


def flags_of(score: NDArray[np.generic], threshold: float) -> NDArray[np.bool_]:
    """Return whether each score is at least the threshold, also for scores of 32 bits."""
    return np.asarray(score >= np.float64(threshold))

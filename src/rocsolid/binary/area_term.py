"""Areas under the completed ROC curve as sums over groups of equal scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.curve_area import heights, lifts
from rocsolid.binary.precision_steps import StepsUp
from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.band import band_ranks, rates_of
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import NO_PLACES, Ended, Places
from rocsolid.weights.losses import Step
from rocsolid.weights.weight import Weight, complement

_FLOATS = NDArray[np.float64]
_ALL = (0.0, 1.0)
_ROUNDED = 1e-12

MOST_KEPT = 800
"""The most rows of a class of which a streamed area keeps every score."""


@dataclass(frozen=True, slots=True)
class AreaTerm:
    """The raw area with a weight, at heights from ``tpr[0]`` to ``tpr[1]``.

    A step over false-positive rates with such heights is a box.
    """

    weight: Weight
    tpr: tuple[float, float] = _ALL

    @property
    def centred(self) -> bool:
        return True

    @property
    def largest(self) -> float:
        return self.weight.l1_norm * (self.tpr[1] - self.tpr[0])

    def begin(self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)) -> AreaWalk:
        return AreaWalk(self, pos, neg, below)

    def places(self, pos: int, neg: int) -> Places:
        if max(pos, neg) <= MOST_KEPT:
            return Places(np.arange(pos), np.arange(neg))
        rates, weight = rates_of(self.weight), self.weight
        if isinstance(weight, Step) and self.tpr != _ALL:
            rates = weight.a, weight.b  # the sides of the box, without rounding
        if weight.axis == "tpr":
            ranks = np.array(band_ranks(pos, *rates), dtype=np.int64)
            return NO_PLACES._replace(pos=ranks - 1)  # of the reflected curve, from the other end
        return NO_PLACES._replace(neg=neg - np.array(band_ranks(neg, *rates)[::-1], np.int64))

    def weighed(self, rows: tuple[int, int], unit: float) -> AreaTerm:  # noqa: ARG002
        return self


@dataclass(slots=True, eq=False)
class AreaWalk:
    """Cumulative sums over groups from the lowest score.

    A positive contributes the average of K over the true-negative rates of its group. A negative
    lifts the positives above it by their shares times W, and those of its group in part. The
    classes are exchanged for a weight over true-positive rates. In a box, K is the width of the
    curve's part in the box below a positive.
    """

    term: AreaTerm
    pos: float
    neg: float
    below: tuple[float, float]
    value: float = 0.0
    lifted: float = 0.0
    covered: float = 0.0
    """The width of the curve's part in the box so far."""

    def step(self, groups: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        pos, neg = groups.pos, groups.neg
        upto_pos, upto_neg = self.below[0] + np.cumsum(pos), self.below[1] + np.cumsum(neg)
        self.below = float(upto_pos[-1]), float(upto_neg[-1])
        if self.term.weight.axis == "tpr":
            left = self.pos - upto_pos
            low, high = (_share(each, self.pos) for each in (left, left + pos))
            of_neg, lift, tied = self._weighted(StepsUp(low, high, neg / self.neg))
            upto = self.lifted + np.cumsum(lift)
            of_pos = upto - lift + tied
        else:
            low, high = (_share(each, self.neg) for each in (upto_neg - neg, upto_neg))
            block = StepsUp(low, high, pos / self.pos)
            if self.term.tpr == _ALL:
                of_pos, lift, tied = self._weighted(block)
            else:
                start, end = (_share(each, self.pos) for each in (upto_pos - pos, upto_pos))
                of_pos, lift, tied = self._boxed(block, start, end)
            upto = self.lifted + np.cumsum(lift)
            of_neg = upto - tied
        self.lifted = float(upto[-1])
        return of_pos, of_neg

    def then(self, following: AreaWalk) -> tuple[float, float]:
        lifted, covered = self.lifted, self.covered
        self.value += following.value
        self.lifted += following.lifted
        self.covered += following.covered
        self.below = following.below
        return (lifted, 0.0) if self.term.weight.axis == "tpr" else (covered, lifted)

    def end(self) -> Ended:
        turned = self.term.weight.axis == "tpr"
        neg = (1.0, 0.0) if turned else (-1.0, self.lifted)
        return Ended(self.value, (1.0, 0.0), neg, largest=self.term.largest)

    def _weighted(self, block: StepsUp) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
        height = heights(block, self.term.weight)
        self.value += dot(block.share, height)
        return height, *lifts(block, self.term.weight)

    def _boxed(
        self, block: StepsUp, start: _FLOATS, end: _FLOATS
    ) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
        """``start`` and ``end`` are the shares of positives below a group and through it; the
        true-positive rate t is reached at the share 1 − t. ``first`` and ``last`` are the positions
        along the line, from 0 to 1, at which the line enters and leaves the box.
        """
        weight, (c, d) = self.term.weight, self.term.tpr
        low, high, share = block
        bottom, top = complement(d), complement(c)
        width = high - low
        level = (start > bottom + _ROUNDED) & (start <= top + _ROUNDED)
        first, last = _within(start, end, bottom, top, level)
        held = np.flatnonzero(share > 0.0)
        cut = StepsUp(low + first * width, low + last * width, share * (last - first))
        self.value += dot(
            cut.share[held],
            heights(StepsUp(cut.low[held], cut.high[held], cut.share[held]), weight),
        )
        left, right = weight.support
        enter, leave = _within(low, high, left, right, (low >= left) & (low <= right))
        first, last = np.maximum(first, enter), np.minimum(last, leave)
        part = np.maximum(last - first, 0.0)
        covered = part * width
        upto = self.covered + np.cumsum(covered)
        self.covered = float(upto[-1])
        height = upto - covered + covered * (part / 2.0 + 1.0 - last)
        return height, share * part, share * part * (first + part / 2.0)


def _share(part: _FLOATS, whole: float) -> _FLOATS:
    return np.clip(part / whole, 0.0, 1.0)


def _within(
    start: _FLOATS, end: _FLOATS, low: float, high: float, level: NDArray[np.bool_]
) -> tuple[_FLOATS, _FLOATS]:
    """The part of each line between two limits; a level line is inside entirely if ``level``."""
    rise = end - start
    rising = rise > 0.0
    safe = np.where(rising, rise, 1.0)
    first = np.where(rising, np.clip((low - start) / safe, 0.0, 1.0), 0.0)
    last = np.where(rising, np.clip((high - start) / safe, 0.0, 1.0), level)
    return first, last

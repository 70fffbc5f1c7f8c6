"""The ROC curve at one rate, from streamed groups of equal scores."""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.completed_curve import Prevalence
from rocsolid.summaries.near_table import NearTable
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import NO_PLACES, Ended, Places

_FLOATS = NDArray[np.float64]
_ROUNDED = 1e-12  # share of a class that rounding may move, as in `rate_at`
_TOGETHER = 8192  # NumPy adds so many products at a time in `dot`


@dataclass(frozen=True, slots=True)
class RateTerm:
    """A rate of one class where the share ``at`` of the class ``of`` is above the threshold.

    The rate is the share of the other class on its correct side of the threshold. With a
    ``prevalence`` the value is the share of positives above the threshold. The result ``details``
    is a table of the curve around the threshold, which suffices for certificates if rows have equal
    weights.
    """

    of: Literal["pos", "neg"]
    at: float
    prevalence: Prevalence | None = None
    rows: tuple[int, int] | None = field(default=None, compare=False)

    @property
    def centred(self) -> bool:
        return self.prevalence != "rows"

    def begin(self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)) -> RateWalk:
        of_neg = self.of == "neg"
        size = neg if of_neg else pos
        each = 1.0 if self.rows is None else size / self.rows[of_neg]  # mean weight of a row
        smaller = size * min(self.at, 1.0 - self.at)
        wide = 0.9 * smaller * max(smaller / each, 1.0) ** -0.2
        error = math.sqrt(self.at * (1.0 - self.at) * size * each)
        widths = wide, 0.9 * min(error, smaller)  # neither reaches an end of the curve
        count, near = self.at * size, NearTable.about(self.at * size / each, size / each)
        near = NearTable(near.first * each, near.last * each)
        return RateWalk(self, pos, neg, count, widths, near, below)

    def places(self, pos: int, neg: int) -> Places:  # noqa: ARG002 -- its own table has them
        return NO_PLACES

    def weighed(self, rows: tuple[int, int], unit: float) -> RateTerm:  # noqa: ARG002
        return replace(self, rows=rows)


@dataclass(slots=True, eq=False)
class RateWalk:
    """The rows above the threshold, which is a quantile q of the class of the term.

    The rate of the other class has the influences of a share of the rows above a fixed threshold,
    plus ``slope`` times the influences on q (Bahadur 1966): 1{s > q} for a row of the other class,
    and −slope·1{s > q} for a row of the class. The slope is the ratio of the densities at q, so it
    is that of the curve. Because corners have no slope, it is that between two points, each a
    number of rows of the class away: 0.9·k^0.8 for k rows on the rarer side of q, or 0.9
    standard errors of the number above q if that slope is steeper. Tied rows at the threshold count
    by the share above it.
    """

    term: RateTerm
    pos: float
    neg: float
    count: float
    widths: tuple[float, float]
    near: NearTable
    below: tuple[float, float]
    flagged: float = 0.0
    """Rows of the other class above the threshold."""

    rises: tuple[float, float] = (0.0, 0.0)
    """Rows of the other class between the points of each of the ``widths``."""

    def step(self, groups: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        of_neg = self.term.of == "neg"
        own, opposite, below, size = (
            (groups.neg, groups.pos, self.below[1], self.neg)
            if of_neg
            else (groups.pos, groups.neg, self.below[0], self.pos)
        )
        through = np.cumsum(own)
        above = size - below - through
        # without a row of the class, the better end of a vertical or horizontal part counts
        level = self.count + (size if of_neg else -size) * _ROUNDED
        crossing = self._between(through, size - below, self.count, self.count)
        taken = np.zeros(len(own))
        taken[crossing] = _shares(
            above[crossing] < level, self.count - above[crossing], own[crossing]
        )
        taken[crossing.stop :] = 1.0
        self.flagged += dot(opposite[crossing.start :], taken[crossing.start :])
        rises = []
        for width in self.widths:
            low, high = self.count - width, self.count + width
            between = self._between(through, size - below, low, high)
            top, each = above[between], own[between]
            length = np.minimum(top + each, high) - np.maximum(top, low)
            inside = _shares((top > low) & (top < high), length, each)
            rises.append(dot(opposite[between], inside))
        self._rise(*rises)
        self._keep(groups.pos, groups.neg, own, above)
        self.below = (
            self.below[0] + float(groups.pos.sum()), self.below[1] + float(groups.neg.sum())
        )  # fmt: skip
        return taken, taken

    def _between(self, through: _FLOATS, total: float, low: float, high: float) -> slice:
        """A part with all groups of which rows are between two numbers of rows above."""
        slack = 2.0 * _ROUNDED * (self.neg if self.term.of == "neg" else self.pos)
        start, last = through.searchsorted([total - high - slack, total - low + slack])
        # sums add the same numbers in the same order as over all groups
        return slice(start // _TOGETHER * _TOGETHER, -(-(last + 1) // _TOGETHER) * _TOGETHER)

    def _keep(self, pos: _FLOATS, neg: _FLOATS, own: _FLOATS, above: _FLOATS) -> None:
        near = self.near.count_far(pos, neg, above, above + own)
        if near.start < near.stop:
            # neighbours without a row of the class are one part of the curve, however many they are
            held = own[near] > 0.0
            starts = np.flatnonzero(np.append(True, held[1:] | held[:-1]))
            pos, neg = (np.add.reduceat(each[near], starts) for each in (pos, neg))
            self.near.parts.append((pos, neg))

    def then(self, following: RateWalk) -> tuple[float, float]:
        self.near.then(following.near)
        self.flagged += following.flagged
        self._rise(*following.rises)
        self.below = following.below
        return 0.0, 0.0

    def _rise(self, wide: float, narrow: float) -> None:
        self.rises = self.rises[0] + wide, self.rises[1] + narrow

    def end(self) -> Ended:
        of_neg, of = self.term.of == "neg", self.term.prevalence
        own, opposite = (self.neg, self.pos) if of_neg else (self.pos, self.neg)
        rate = self.flagged / opposite
        # beyond all rows of the class the curve has no slope
        slope = max(
            rise / opposite / (2.0 * width / own) if width > 0.0 else 0.0
            for rise, width in zip(self.rises, self.widths, strict=True)
        )
        table, rows = self.near.table(), self.term.rows
        if of is None:
            if of_neg:
                return Ended(rate, (1.0, 0.0), (-slope, 0.0), table, rows=rows)
            return Ended(1.0 - rate, (slope, 0.0), (-1.0, 0.0), table, rows=rows)
        recall = self.term.at
        of_pos = self.pos / (self.pos + self.neg) if isinstance(of, str) else of
        above = of_pos * recall + (1.0 - of_pos) * rate
        of_rate = -of_pos * (1.0 - of_pos) * recall / above**2
        # centred terms ignore the constants
        drawn = of_pos * (1.0 - of_pos) * recall * rate / above**2
        pos = -of_rate * slope, of_rate * slope * recall + drawn
        neg = of_rate, -of_rate * rate - drawn
        return Ended(of_pos * recall / above, pos, neg, table, rows=rows)


def _shares(alone: NDArray[np.bool_], rows: _FLOATS, own: _FLOATS) -> _FLOATS:
    """The share of ``rows`` in each group; ``alone`` for groups without a row of the class."""
    share = alone.astype(np.float64)
    np.divide(rows, own, out=share, where=own > 0.0)
    return share.clip(0.0, 1.0)

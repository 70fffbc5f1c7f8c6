"""The gain curve, the share of positives among the best rows: at a cut, and areas under it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs import BinaryRows
from rocsolid.intervals.guarantees.rate_box import band_places
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts, distinct_scores
from rocsolid.summaries.terms import Ended

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GainBlocks:
    """Blocks of equal scores from the best down: their positives, and rows up to and with them.

    Rows of a block may stand in any order. A cut through a block therefore takes the same share of
    each class, and everything here is the mean over those orders. Weighted rows count by weight.
    """

    pos: _FLOATS
    size: _FLOATS
    upto: _FLOATS

    @classmethod
    def of(cls, table: ScoreCounts) -> GainBlocks:
        pos, neg = (column[::-1].astype(np.float64) for column in (table.pos, table.neg))
        size = pos + neg
        held = size > 0.0
        return cls(pos[held], size[held], np.cumsum(size[held]))

    @property
    def total(self) -> float:
        return float(self.upto[-1])

    def taken(self, count: float) -> _FLOATS:
        """The share of each block that is among the best ``count`` rows."""
        return np.clip((count - self.upto + self.size) / self.size, 0.0, 1.0)

    def hits(self, count: float) -> float:
        """How many of the best ``count`` rows are positive, on average over the orders of ties.

        >>> y, s = np.array([True, True, False, False]), np.array([3.0, 2.0, 2.0, 1.0])
        >>> GainBlocks.of(ScoreCounts.from_arrays(y, s)).hits(2)
        1.5
        """
        return dot(self.pos, self.taken(count))

    def tied_range(self, count: float) -> tuple[float, float, float, float]:
        """The fewest and the most that orders of ties allow, rows tied at the cut, those taken."""
        at = min(int(np.searchsorted(self.upto, count * (1.0 - 1e-12))), len(self.upto) - 1)
        above, hits = self.upto[at] - self.size[at], float(self.pos[:at].sum())
        size, pos, drawn = float(self.size[at]), float(self.pos[at]), float(count - above)
        fewest = hits + max(drawn - (size - pos), 0.0)
        return fewest, hits + min(pos, drawn), size, drawn

    def rate_near(self, count: float, width: float) -> float:
        """The share of positives in the blocks within ``width`` rows of the cut.

        The cut moves with the rows above it, and this is what it gains or loses.
        """
        first = int(np.searchsorted(self.upto, count - width, side="right"))
        last = int(np.searchsorted(self.upto - self.size, count + width))
        near = slice(min(first, len(self.pos) - 1), max(last, first + 1))
        return float(self.pos[near].sum() / self.size[near].sum())

    def mean(self, integral: Callable[[_FLOATS], _FLOATS]) -> float:
        """The mean over the positives of f(x), x the share of the rows above; see `hits`.

        ``integral`` is that of f from 0.
        """
        through = integral(np.append(0.0, self.upto) / self.total)
        return dot(self.pos / self.size, np.diff(through)) * self.total / float(self.pos.sum())

    def slopes(
        self, f: Callable[[_FLOATS], _FLOATS], integral: Callable[[_FLOATS], _FLOATS]
    ) -> tuple[_FLOATS, _FLOATS]:
        """The slopes of (positives) · `mean` in a positive's and a negative's weight, by block."""
        x, rate = self.upto / self.total, self.pos / self.size
        added = np.diff(integral(np.append(0.0, x)))
        drop = f(x) * (rate - np.append(rate[1:], 0.0))
        moved = drop[::-1].cumsum()[::-1] - dot(drop, x) + dot(rate, added)
        here = added * self.total / self.size
        return moved + (1.0 - rate) * here, moved - rate * here


def blocks_of(rows: BinaryRows) -> tuple[GainBlocks, NDArray[np.intp]]:
    """The blocks of rows, and which of them each row is in."""
    score, run = distinct_scores(rows.score)
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    pos, neg = (
        np.bincount(run[of], weight[of], len(score)).astype(np.float64)
        for of in (rows.positive, ~rows.positive)
    )
    held = (pos + neg > 0.0)[::-1]
    block = np.maximum(np.cumsum(held) - 1, 0)[len(score) - 1 - run]
    return GainBlocks.of(ScoreCounts(score, pos, neg)), block


def effective(rows: BinaryRows, share: _FLOATS) -> float:
    """The effective number of rows, when each row counts with its ``share``."""
    if rows.weight is None:
        return float(share.sum())
    weight = share * rows.weight
    squares = dot(weight, rows.weight)
    return float(weight.sum()) ** 2 / squares if squares > 0.0 else 0.0


def cut_influences(rows: BinaryRows, count: float) -> tuple[_FLOATS, _FLOATS]:
    """The slope of the hits above a cut in each row's weight, and the share of each row taken.

    The cut is at a fixed share of all rows. Taking one more row above it moves it up by one row,
    whose chance to be positive is the local rate r: the slope is taken·(y − r) + r·share. As a
    single row has no rate, r is that of the rows within ½k^0.8 of rank k.
    """
    blocks, block = blocks_of(rows)
    taken = blocks.taken(count)[block]
    effective_rows = max(effective(rows, taken), 1.0)
    rate = blocks.rate_near(count, 0.5 * count * effective_rows**-0.2)
    return taken * (rows.positive - rate) + rate * count / blocks.total, taken


def exponential(alpha: float) -> tuple[Callable[[_FLOATS], _FLOATS], Callable[[_FLOATS], _FLOATS]]:
    """exp(−αx) and its integral, for Truchon and Bayly's BEDROC."""
    return lambda x: np.exp(-alpha * x), lambda x: -np.expm1(-alpha * x) / alpha


def bedroc_scale(alpha: float, prevalence: float) -> tuple[float, float, float, float]:
    """BEDROC is a·(mean of exp(−αx)) − b: a, b and their slopes in the share of positives.

    Truchon and Bayly 2007, equation 36, in the limit of many rows, which is what ranks of whole
    rows come to: their sums are integrals over each row's part of (0, 1].

    >>> a, b, *_ = bedroc_scale(20.0, 0.5)
    >>> mean = GainBlocks.of(
    ...     ScoreCounts.from_arrays(np.arange(10) >= 5, np.arange(10.0))
    ... ).mean(exponential(20.0)[1])
    >>> round(a * mean - b, 9)
    1.0
    """
    best, rest = -math.expm1(-alpha * prevalence), -math.expm1(-alpha * (1.0 - prevalence))
    a = alpha * prevalence / (best * rest)
    b = math.exp(-alpha * (1.0 - prevalence)) / rest
    slope = 1.0 / prevalence - alpha * (1.0 - best) / best + alpha * (1.0 - rest) / rest
    return a, b, a * slope, alpha * b / rest


@dataclass(frozen=True, slots=True)
class GainTerm:
    """The area under the gain curve, or BEDROC with ``alpha``, as a sum over groups."""

    alpha: float | None
    centred: bool

    def begin(self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)) -> GainWalk:
        return GainWalk(self.alpha, pos, neg, sum(below))

    def places(self, size: int) -> NDArray[np.int64]:
        return np.zeros(0, dtype=np.int64) if self.alpha is None else band_places(size)


@dataclass(slots=True, eq=False)
class GainWalk:
    """A walk up; see `GainBlocks.slopes`, whose sums from below are known when a row goes by.

    The sum over the groups from below of f times the rise of the rate is one over what each group
    adds: its rate times the fall of f along it, and for the last one f as well.
    """

    alpha: float | None
    pos: float
    neg: float
    below: float = 0.0
    falls: float = 0.0
    hit: float = 0.0
    """Σ of each group's rate times its part of the integral."""

    fallen: float = 0.0

    def step(self, pos: _FLOATS, neg: _FLOATS) -> tuple[_FLOATS, _FLOATS]:
        f, integral = falling(self.alpha)
        total, size = self.pos + self.neg, pos + neg
        through = self.below + np.cumsum(size)
        upto, above = (np.clip(1.0 - part / total, 0.0, 1.0) for part in (through - size, through))
        held = size > 0.0
        rate, added = np.zeros((2, len(size)))
        rate[held] = pos[held] / size[held]
        added[held] = (integral(upto) - integral(above))[held]
        here = np.zeros(len(size))
        here[held] = added[held] * total / size[held]
        at_upto, at_above = f(upto), f(above)
        drop = rate * (at_upto - at_above)
        falls = self.falls + np.cumsum(drop)
        known = falls + rate * at_above
        self.hit += dot(rate, added)
        self.fallen += dot(rate, at_upto * upto - at_above * above)
        self.falls = float(falls[-1])
        self.below = float(through[-1])
        return known + (1.0 - rate) * here, known - rate * here

    def then(self, following: GainWalk) -> tuple[float, float]:
        falls = self.falls
        self.falls += following.falls
        self.hit += following.hit
        self.fallen += following.fallen
        self.below = following.below
        return falls, falls

    def end(self) -> Ended:
        total = self.pos + self.neg
        mean, constant = self.hit * total / self.pos, self.hit - self.fallen
        ratio = self.neg / self.pos
        if self.alpha is None:
            return Ended(mean, (1.0, constant - mean), (ratio, ratio * constant))
        share = self.pos / total
        a, b, da, db = bedroc_scale(self.alpha, share)
        moved = (da * mean - db) * share * (1.0 - share)
        return Ended(
            min(max(a * mean - b, 0.0), 1.0),
            (a, a * (constant - mean) + moved),
            (a * ratio, a * ratio * constant - moved),
        )


def falling(
    alpha: float | None,
) -> tuple[Callable[[_FLOATS], _FLOATS], Callable[[_FLOATS], _FLOATS]]:
    """The weight of the gain curve at a share of the rows and its integral: 1 − x, or e^(−αx)."""
    if alpha is None:
        return lambda x: 1.0 - x, lambda x: x - 0.5 * x**2
    return exponential(alpha)

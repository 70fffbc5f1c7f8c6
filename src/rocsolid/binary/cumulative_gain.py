"""The gain curve: the share of positives among the top rows, and areas under it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.rate_box import band_places
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import NO_PLACES, Ended, Places

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GainBlocks:
    """Blocks of equal scores from the highest down: positives, rows, and rows up to the end.

    Every quantity is the mean over all orders within blocks, so a cut through a block takes the
    same share of each class.
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
        return np.clip((count - self.upto + self.size) / self.size, 0.0, 1.0)

    def hits(self, count: float) -> float:
        """The mean number of positives among the top ``count`` rows over orders of ties.

        >>> y, s = np.array([True, True, False, False]), np.array([3.0, 2.0, 2.0, 1.0])
        >>> GainBlocks.of(ScoreCounts.from_arrays(y, s)).hits(2)
        1.5
        """
        return dot(self.pos, self.taken(count))

    def mean(self, integral: Callable[[_FLOATS], _FLOATS]) -> float:
        """The mean of f(x) over positives, x the share of rows above (see `hits`).

        ``integral`` is the integral of f from 0.
        """
        through = integral(np.append(0.0, self.upto) / self.total)
        return dot(self.pos / self.size, np.diff(through)) * self.total / float(self.pos.sum())


def exponential(alpha: float) -> tuple[Callable[[_FLOATS], _FLOATS], Callable[[_FLOATS], _FLOATS]]:
    """exp(−αx) and its integral, for BEDROC (Truchon and Bayly 2007)."""
    return lambda x: np.exp(-alpha * x), lambda x: -np.expm1(-alpha * x) / alpha


def bedroc_scale(alpha: float, prevalence: float) -> tuple[float, float, float, float]:
    """BEDROC is a·(mean of exp(−αx)) − b: a, b and their slopes in the share of positives.

    Truchon and Bayly (2007), equation 36, for many rows: sums over whole ranks become integrals
    over each row's part of (0, 1].

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

    def places(self, pos: int, neg: int) -> Places:
        return NO_PLACES if self.alpha is None else Places(band_places(pos), band_places(neg))

    def weighed(self, rows: tuple[int, int], unit: float) -> GainTerm:  # noqa: ARG002
        return self


@dataclass(slots=True, eq=False)
class GainWalk:
    """Sums over groups of equal scores from below, for the slopes of `GainBlocks.mean`.

    Each group adds its rate times the fall of f along it, and the last group f as well: the sum of
    f times the rise of the rate, by parts.
    """

    alpha: float | None
    pos: float
    neg: float
    below: float = 0.0
    falls: float = 0.0
    hit: float = 0.0
    """Σ of each group's rate times its part of the integral."""

    fallen: float = 0.0

    def step(self, groups: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        pos, neg = groups.pos, groups.neg
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
    if alpha is None:
        return lambda x: 1.0 - x, lambda x: x - 0.5 * x**2
    return exponential(alpha)

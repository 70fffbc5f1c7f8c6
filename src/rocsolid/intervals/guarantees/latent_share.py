"""The unknown shares of negatives above two scores, with a part of the error for each value."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.clopper_pearson import lower_limit, upper_limit
from rocsolid.summaries.placements import SortedClasses

_FLOATS = NDArray[np.float64]
CAP = 2.0
"""The largest evidence that one order of tied rows contributes."""
CELLS = 30
GRID = 0.1  # standard deviations between the errors of cells, if both shares are unknown
OF_SLOPES = 0.1  # the part of each cell's error for the heights of the curve
_TAIL = 0.01  # of the error, for shares that are not tested
_UNSURE = 0.04  # the part of the orders of tied rows in which a height may be wrong
_UNTESTED = 0.6  # an error so large that a test would hardly refuse anything


class Tuning(NamedTuple):
    """Constants that suit normal scores, which depend on the unknown shares alone."""

    start: float  # how far the first and the last negative lie above the ends, in deviations
    stop: float
    slopes: tuple[float, float]  # of the error that each share causes, over that of the wins
    floor: float  # the least error of a cell, in units of the error of the limit

    @classmethod
    def of(cls, first: bool, last: bool) -> Tuning:
        if first and last:
            return cls(0.5, -2.5, (0.5, 0.2), 0.4)
        return cls(1.0, -2.5, (0.7, 0.7), 0.4 if first else 0.2)


class Heights(NamedTuple):
    """Limits for the height of the curve between an end and the share of each cell."""

    least: _FLOATS
    greatest: _FLOATS
    unsure: float = 0.0  # the part of the orders of tied rows for which the limits do not hold


class RanksBetween(NamedTuple):
    """Rates from ``start`` to ``stop`` and the negatives of ranks s + 1 to r, from the top."""

    start: float
    stop: float
    s: int
    r: int

    @classmethod
    def of(cls, start: float, stop: float, n: int) -> RanksBetween:
        """Return the region with ranks that depend on the number of negatives alone.

        >>> [RanksBetween.of(*ends, 1000)[2:] for ends in ((0.0, 0.1), (0.1, 0.3), (0.9, 1.0))]
        [(0, 76), (95, 264), (891, 1000)]
        """
        tuning = Tuning.of(start > 0.0, stop < 1.0)
        s = n - _nearest(n, 1.0 - start, tuning.start) if start > 0.0 else 0
        return cls(start, stop, s, _nearest(n, stop, tuning.stop) if stop < 1.0 else n)


def _nearest(n: int, rate: float, shift: float) -> int:
    spread = math.sqrt(n * rate * (1.0 - rate))
    return min(max(math.floor(n * rate + shift * spread + 0.5), 1), n - 1)


class Shares(NamedTuple):
    """Cells of a share in descending order, with their chances and their middle, in deviations."""

    low: _FLOATS
    high: _FLOATS
    chances: _FLOATS
    deviates: _FLOATS

    @classmethod
    def of(cls, larger: int, smaller: int, share: float) -> Shares:
        """Cells of Beta(larger, smaller), or one cell if one of the numbers is 0."""
        from scipy.special import betainc, betaincinv, ndtr, ndtri

        if not (larger and smaller):
            known = np.array([1.0 if larger else 0.0])
            return cls(known, known, np.ones(1), np.zeros(1))
        furthest = -float(ndtri(_TAIL * share))
        inner = np.linspace(-furthest, furthest, CELLS - 1)
        edges = np.concatenate(([0.0], betaincinv(smaller, larger, ndtr(inner)), [1.0]))
        middle = np.concatenate(([-math.inf], (inner[1:] + inner[:-1]) / 2.0, [furthest]))
        chances = np.diff(betainc(smaller, larger, edges))
        return cls(1.0 - edges[1:], 1.0 - edges[:-1], chances, middle)


@dataclass(frozen=True, eq=False)
class ShareCells:
    """Cells of the first share C and of the part of the rest D up to the second, with their errors.

    C is Beta(s, n+1−s). Of the share beyond C, D is Beta(r−s+1, n−r), independent of C, so that the
    second share is B = C + (1 − C)·D. What depends on the cells alone is computed once, because
    many scores in the same segments share them.
    """

    first: Shares
    rest: Shares
    errors: _FLOATS  # of each pair

    @cached_property
    def tested(self) -> NDArray[np.bool_]:
        return self.errors < CAP

    @cached_property
    def places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The first share and the part of the rest of each tested cell."""
        rows, columns = np.nonzero(self.tested)
        return rows, columns

    @cached_property
    def levels(self) -> tuple[_FLOATS, NDArray[np.intp]]:
        """The errors of the wins in ascending order, and the number of each tested cell's error."""
        levels, of_cells = np.unique(
            (1.0 - OF_SLOPES) * self.errors[self.tested], return_inverse=True
        )
        return levels, of_cells

    @cached_property
    def spent_at_start(self) -> _FLOATS:
        """The error of the heights for each first share."""
        return np.asarray((self._spent * self.rest.chances).sum(axis=1))

    @cached_property
    def spent_at_stop(self) -> _FLOATS:
        """The error of the heights for each part of the rest."""
        return np.asarray((self._spent * self.first.chances[:, None]).sum(axis=0))

    @property
    def _spent(self) -> _FLOATS:
        ends = sum(len(shares.low) > 1 for shares in (self.first, self.rest))
        errors: _FLOATS = np.where(self.tested, self.errors, 0.0)
        return OF_SLOPES / (CAP * max(ends, 1)) * errors

    def largest_mean(
        self, area: float, region: RanksBetween, at_start: Heights, at_stop: Heights
    ) -> _FLOATS:
        """Return the largest A of each tested cell if the area of the region is at most ``area``.

        (B − C)·A is at most area + ρ₁(α − C) − ρ₂(β − B), with ρ₁ and ρ₂ heights between the ends.
        For each limit of the heights, A is monotone in C and in D, so it is largest at a corner.
        Where C ≤ α and B ≤ β, A is at most the mean of the region, because the curve rises.
        """
        rows, columns = self.places
        width = region.stop - region.start
        largest, inside = np.full(len(rows), -np.inf), np.ones(len(rows), dtype=bool)
        for c in (self.first.low[rows], self.first.high[rows]):
            before = region.start - c
            before = np.maximum(before * at_start.least[rows], before * at_start.greatest[rows])
            for part in (self.rest.low[columns], self.rest.high[columns]):
                length = (1.0 - c) * part
                after = region.stop - c - length
                after = np.minimum(
                    after * at_stop.least[columns], after * at_stop.greatest[columns]
                )
                most = area + before - after
                with np.errstate(divide="ignore", invalid="ignore"):
                    mean = np.where(
                        length > 0.0, most / length, np.where(most < 0, -np.inf, np.inf)
                    )
                largest = np.maximum(largest, mean)
                inside &= (c <= region.start) & (c + length <= region.stop)
        return np.where(inside, np.minimum(largest, area / width), largest)


@lru_cache(maxsize=512)  # many scores in the same segments share the sizes
def cells_of_shares(n: int, s: int, r: int, share: float) -> ShareCells:
    """Return cells and errors whose mean is ``share``.

    Large shares move a lower limit as far as an error of the wins does, and small shares the other
    way, so the errors rise with the shares, as e^{½−(z−γu)²} at u standard deviations: the
    reach of cuts at an error s is near √(½ + ln(1/s)).

    >>> cells = cells_of_shares(1000, 0, 100, 0.025)
    >>> chance = float((cells.errors * cells.rest.chances).sum())
    >>> chance <= 0.025, cells.errors[0, :2], cells.errors[0, -1].round(3)
    (True, array([2., 2.]), np.float64(0.005))
    """
    first, rest = Shares.of(s, n + 1 - s, share), Shares.of(r - s + 1, n - r, share)
    two = s > 0 and r < n
    tuning = Tuning.of(s > 0, r < n)
    deviates = tuning.slopes[0] * first.deviates[:, None] + tuning.slopes[1] * rest.deviates
    chances = first.chances[:, None] * rest.chances
    furthest = float(-deviates[np.isfinite(deviates)].min())

    def errors_at(z: float) -> _FLOATS:
        distance = np.maximum(z + deviates, 0.0)
        if two:
            distance = np.ceil(distance / GRID) * GRID
        errors = np.maximum(np.exp(np.minimum(0.5 - distance**2, 0.0)), tuning.floor * share)
        return np.where(errors > _UNTESTED, CAP, errors)

    low, high = -2.0 * furthest - 10.0, 100.0
    for _ in range(60):
        z = (low + high) / 2.0
        mean = float((chances * errors_at(z)).sum())
        low, high = (z, high) if mean > share else (low, z)
    return ShareCells(first, rest, errors_at(high))


def heights_at_stop(cells: ShareCells, above: tuple[int, int], n_pos: int) -> Heights:
    """Return limits for the height of the curve at the next negative below.

    ``above`` bounds the number of positives above that negative. The number is binomial with the
    height at B, which is a slope of the convex area.
    """
    spent = cells.spent_at_stop
    return Heights(lower_limit(above[0], n_pos, spent), upper_limit(above[1], n_pos, spent))


def heights_at_start(classes: SortedClasses, region: RanksBetween, cells: ShareCells) -> Heights:
    """Return limits for the heights between the start of the region and the first share.

    For C beyond the start, the height is at least that at a higher negative with a share of at most
    the start; for C below the start, at most that at a lower negative with a share of at least the
    start. Given C, the distributions of these shares are known.
    """
    pos, neg = classes.pos, classes.neg
    m, n = len(pos), len(neg)
    spent, unsure = cells.spent_at_start / 2.0, 0.0
    hits, misses = np.zeros(len(spent)), np.zeros(len(spent))
    share_unsure = _UNSURE / (2.0 * max(int(np.count_nonzero(spent)), 1))
    columns = (tuple(each.tolist()) for each in (spent, cells.first.low, cells.first.high))
    lost_pos, lost_neg = -pos[::-1], -neg[::-1]
    for place, (higher, lower) in enumerate(_ranks_beside(n, region.s, region.start, *columns)):
        if higher:
            hits[place], tied = _positives_beyond(pos, neg, n - higher, share_unsure)
            unsure += share_unsure * tied
        if lower:
            misses[place], tied = _positives_beyond(lost_pos, lost_neg, lower - 1, share_unsure)
            unsure += share_unsure * tied
    return Heights(lower_limit(hits, m, spent), 1.0 - lower_limit(misses, m, spent), unsure)


@lru_cache(maxsize=512)  # many scores in the same segments share the sizes
def _ranks_beside(
    n: int, s: int, start: float, spent: tuple[float, ...], low: tuple[float, ...],
    high: tuple[float, ...],
) -> list[tuple[int, int]]:  # fmt: skip
    """Return the ranks of the higher and the lower negative for each cell, or 0 without one."""
    from scipy.special import betainc, betaincc

    ranks = []
    for level, least, most in zip(spent, low, high, strict=True):
        higher = lower = 0
        if level and most > start:
            higher = bisect_right(
                range(1, s), level, key=lambda j: float(betaincc(j, s - j, start / most))
            )
        if level and least < start:
            part = (start - least) / (1.0 - least)
            lower = s + 1 + bisect_left(
                range(s + 1, n + 1), -level, key=lambda j: -float(betainc(j - s, n + 1 - j, part))
            )  # fmt: skip
        ranks.append((higher, lower if lower <= n else 0))
    return ranks


def _positives_beyond(pos: _FLOATS, neg: _FLOATS, place: int, unsure: float) -> tuple[int, bool]:
    """Return the positives above a negative in all but a share ``unsure`` of the orders of ties.

    Of G positives that tie with D negatives, T of which are above the negative, the positives above
    are binomial with a Beta(T+1, D−T) chance. Also return whether there are such positives.

    >>> ties = np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0, 1.0])
    >>> _positives_beyond(*ties, 1, 0.0), _positives_beyond(*ties, 1, 0.99)
    ((1, True), (3, True))
    """
    from scipy.special import bdtr, betaincinv

    score = neg[place]
    first, last = int(pos.searchsorted(score)), int(pos.searchsorted(score, side="right"))
    tied, beyond = last - first, len(pos) - last
    if not tied:
        return beyond, False
    start, end = int(neg.searchsorted(score)), int(neg.searchsorted(score, side="right"))
    chance = float(betaincinv(end - place, place - start + 1, unsure / 2.0))
    within = bisect_right(range(tied), unsure / 2.0, key=lambda h: float(bdtr(h, tied, chance)))
    return beyond + within, True

"""The unknown share of negatives above a score, with a part of the error for each of its values."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.summaries.placements import SortedClasses

_FLOATS = NDArray[np.float64]
CAP = 2.0
"""The largest evidence that one order of tied rows contributes."""
CELLS = 30
SLOPE = 0.7  # of the error that the share causes, over that of the wins, for normal scores
OF_SLOPES = 0.1  # the part of each cell's error for the height of the curve
_TAIL = 0.01  # of the error, for shares that are not tested
_UNSURE = 0.04  # the part of the orders of tied rows in which a slope may be wrong
_KEPT = 512  # results for some sizes, which many scores in the same segments share
_UNTESTED = 0.6  # an error so large that a test would hardly refuse anything


class LimitSide(NamedTuple):
    """The constants of one limit, which depend on the sizes and the error alone."""

    upper: bool
    shift: float  # of the number of top negatives, in its standard deviations
    floor: float  # the least error of a cell, in units of the error of the limit


LOWER, UPPER = LimitSide(False, -2.5, 0.2), LimitSide(True, 1.0, 0.4)


class ShareCells(NamedTuple):
    """Intervals of the share B, each with the error allowed where B lies in it.

    ``below`` and ``above`` are the slopes of the area for B below and above the region's end.
    """

    low: _FLOATS
    high: _FLOATS
    errors: _FLOATS
    below: _FLOATS
    above: _FLOATS
    unsure: float = 0.0  # the share of the orders of tied rows for which the slopes do not hold

    def largest_mean(self, area: float, end: float, *, upper: bool) -> _FLOATS:
        """Return the largest A in each cell if the area is at most ``area``.

        The area is at least b·A + slope·(end − b), and at least end·A on the side of the end that
        the chord of a convex curve covers. Both are monotone in b on either side of the end.
        """
        inside = (self.low < end) & (end < self.high)
        largest = np.where(inside, area / end, -np.inf)
        for b in (self.low, self.high):
            slope = np.where(b < end, self.below, self.above)
            with np.errstate(divide="ignore", invalid="ignore"):
                mean = (area - slope * (end - b)) / b
            mean = np.where(np.isnan(mean), np.inf, mean)  # b is 0
            chord = b >= end if upper else b <= end
            largest = np.maximum(largest, np.where(chord, np.minimum(mean, area / end), mean))
        return largest


def top_size(n: int, end: float, side: LimitSide) -> int:
    """Return the number of top negatives.

    >>> top_size(1000, 0.1, LOWER), top_size(1000, 0.1, UPPER)
    (76, 109)
    """
    spread = math.sqrt(n * end * (1.0 - end))
    return min(max(math.floor(n * end + side.shift * spread + 0.5), 1), n - 1)


@lru_cache(maxsize=_KEPT)
def errors_of_shares(
    r: int, n: int, share: float, side: LimitSide
) -> tuple[_FLOATS, _FLOATS, _FLOATS, _FLOATS]:
    """Return the ends of the cells, their chances and their errors, whose mean is ``share``.

    B is Beta(r+1, n−r). A large B moves a lower limit, a small B an upper limit, as far as an error
    of the wins does, so the errors rise towards it, as e^{½−(z−γu)²} at u standard deviations: the
    reach of cuts at an error s is near √(½ + ln(1/s)).

    >>> low, high, chances, errors = errors_of_shares(100, 1000, 0.025, LOWER)
    >>> float(chances @ errors) <= 0.025, errors[:2], errors[-1].round(3)
    (True, array([2., 2.]), np.float64(0.005))
    """
    from scipy.special import betainc, betaincinv, ndtr, ndtri

    shape = (r + 1, n - r) if side.upper else (n - r, r + 1)  # of B, or of 1 − B
    furthest = -float(ndtri(_TAIL * share))
    deviates = np.linspace(-furthest, furthest, CELLS - 1)
    edges = np.concatenate(([0.0], betaincinv(*shape, ndtr(deviates)), [1.0]))
    chances = np.diff(betainc(*shape, edges))
    middle = np.append(-math.inf, (deviates[1:] + deviates[:-1]) / 2.0)
    middle = np.append(middle, furthest)

    def errors_at(z: float) -> _FLOATS:
        excess = np.maximum(z + SLOPE * middle, 0.0) ** 2
        errors = np.maximum(np.exp(np.minimum(0.5 - excess, 0.0)), side.floor * share)
        return np.where(errors > _UNTESTED, CAP, errors)

    low, high = -furthest, 100.0
    for _ in range(50):
        z = (low + high) / 2.0
        low, high = (z, high) if float((chances * errors_at(z)).sum()) > share else (low, z)
    errors = errors_at(high)
    if side.upper:
        return edges[:-1], edges[1:], chances, errors
    return 1.0 - edges[1:], 1.0 - edges[:-1], chances, errors


def lower_cells(n_neg: int, r: int, share: float, above: tuple[int, int], n_pos: int) -> ShareCells:
    """Return the tested cells for a lower limit.

    ``above`` bounds the number of positives above the next negative. The number is binomial with
    the curve's height at B, which is a slope of the convex area.
    """
    low, high, _, errors = errors_of_shares(r, n_neg, share, LOWER)
    tested = errors < CAP
    spent = OF_SLOPES * errors[tested] / CAP
    below, _ = clopper_pearson(above[0], n_pos, spent)
    _, beyond = clopper_pearson(above[1], n_pos, spent)
    return ShareCells(low[tested], high[tested], (1.0 - OF_SLOPES) * errors[tested], below, beyond)


def upper_cells(classes: SortedClasses, r: int, share: float, end: float) -> ShareCells:
    """Return the tested cells for a lower limit of ``end`` less the area.

    For B above the end, the slope is at least the curve's height at a higher negative with a share
    of at most ``end``; for B below the end, at most the height at a lower negative with a share of
    at least ``end``. Given B, the distributions of these shares are known.
    """
    pos, neg = classes.pos, classes.neg
    m, n = len(pos), len(neg)
    low, high, _, errors = errors_of_shares(r, n, share, UPPER)
    tested = errors < CAP
    low, high, errors = low[tested], high[tested], errors[tested]
    hits, misses = np.zeros(len(low)), np.zeros(len(low))
    spent, share_unsure, unsure = OF_SLOPES * errors / (2.0 * CAP), _UNSURE / (2.0 * len(low)), 0.0
    for place, (higher, lower) in enumerate(_ranks_apart(r, n, share, end)):
        if higher:
            hits[place], tied = _positives_beyond(pos, neg, n - higher, share_unsure)
            unsure += share_unsure * tied
        if lower < n:
            misses[place], tied = _positives_beyond(-pos[::-1], -neg[::-1], lower, share_unsure)
            unsure += share_unsure * tied
    below, _ = clopper_pearson(misses, m, spent)
    height, _ = clopper_pearson(hits, m, spent)
    return ShareCells(low, high, (1.0 - OF_SLOPES) * errors, below, 1.0 - height, unsure)


@lru_cache(maxsize=_KEPT)
def _ranks_apart(r: int, n: int, share: float, end: float) -> list[tuple[int, int]]:
    """Return the ranks of the higher and the lower negative of each cell; 0 or n for none."""
    from scipy.special import betainc, betaincc

    low, high, _, errors = errors_of_shares(r, n, share, UPPER)
    tested = errors < CAP
    ranks = []
    for least, most, error in zip(low[tested], high[tested], errors[tested], strict=True):
        level, higher, lower = OF_SLOPES * error / (2.0 * CAP), 0, n
        if most > end:
            higher = bisect_right(
                range(r), level, key=lambda s: float(betaincc(s + 1.0, r - s, end / most))
            )
        if least < end:
            part = (end - least) / (1.0 - least)
            lower = bisect_left(
                range(r + 1, n), -level, key=lambda s: -float(betainc(s - r, n - s, part))
            ) + r + 1  # fmt: skip
        ranks.append((higher, lower))
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

    first, last = (int(np.searchsorted(pos, neg[place], side=side)) for side in ("left", "right"))
    tied, beyond = last - first, len(pos) - last
    if not tied:
        return beyond, False
    start, end = (int(np.searchsorted(neg, neg[place], side=side)) for side in ("left", "right"))
    chance = float(betaincinv(end - place, place - start + 1, unsure / 2.0))
    within = bisect_right(range(tied), unsure / 2.0, key=lambda h: float(bdtr(h, tied, chance)))
    return beyond + within, True

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import UnsoundError
from rocsolid.intervals.guarantees.checks import tail_share
from rocsolid.intervals.guarantees.cuts import MOST, CutEvidence, last_above
from rocsolid.intervals.guarantees.latent_share import (
    CAP,
    LOWER,
    UPPER,
    LimitSide,
    ShareCells,
    lower_cells,
    top_size,
    upper_cells,
)
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.weighted_area import area_interval
from rocsolid.intervals.guarantees.won_pairs import laws_of
from rocsolid.results import Alternative
from rocsolid.results.interval import CURVE, Interval
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.score_counts import mirrored
from rocsolid.weights.losses import Step
from rocsolid.weights.weight import Weight, complement

_FLOATS = NDArray[np.float64]
SOURCE = (
    "Hoeffding 1963, section 5 (blocks), with cuts for the positives and the top negatives, for "
    "every share of negatives above the next negative"
)
FEWEST = 15.0
"""Negatives expected in the region, n·β, from which this interval can be shorter than the band."""
STRAIGHT = 2.0
"""The least n·β²: below, the curve bends too much near β for tangents to follow it."""
PARTS = 8  # of the orders of tied negatives of which only some are taken
MANY = 500  # negatives of such a tie from which on all parts take seconds
RARE = 0.01


def weighted_top(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    weight: Weight,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for the area over false-positive rates up to β, or true-positive rates up to 1.

    The r largest negatives are independent draws from the negatives above the next one, so the
    evidence E of ``cuts`` from the positives and these r negatives holds for the chance A that a
    positive outranks such a negative. The share B of all negatives above the next one is unknown,
    but Beta(r+1, n−r). With g(β) the area up to β, g is convex and A = g(B)/B. A value of g(β) is
    refused if for **every** b the evidence against the largest possible A is at least 1/s(b). The
    mean of s(B) is the error of the limit. Proof: docs/theorems/weighted-areas.md.

    Of D negatives and g positives tied with the lowest of the r, T negatives are among the r, and h
    positives lie above the next negative with the chance C(T+h, h)·C(D−T−1+g−h, g−h)/C(D+g, g). The
    distribution of the wins is the mean over h, in at most ``PARTS`` parts, each by its worst h.

    >>> from rocsolid.weights import step
    >>> pos, neg = np.arange(1000) / 1000 + 0.35, np.arange(1000) / 1000
    >>> print(weighted_top(pos, neg, step(0, 0.1)))
    [0.03391, 0.04575] at 95 % (weighted-top)
    """
    return top_interval(classes_of(pos_scores, neg_scores), weight, delta, alternative)


def top_interval(
    classes: SortedClasses, weight: Weight, delta: float, alternative: Alternative
) -> Interval:
    return top_inside(classes, weight, 0.0, weight.l1_norm, delta, alternative)


def top_inside(
    classes: SortedClasses,
    weight: Weight,
    low: float,
    high: float,
    delta: float,
    alternative: Alternative,
) -> Interval:
    """Return the certified interval cut to ``low`` and ``high``.

    One value of the evidence shows whether a certified limit is nearer, and only then is it
    computed.
    """
    end = region_end(weight)
    if end is None:
        raise UnsoundError(
            "weighted-top needs the false-positive rates from 0 on, or the true-positive rates up "
            "to 1",
            where="weight",
            fix="use weighted-band, which takes any weight",
        )
    if weight.axis == "tpr":
        classes = mirrored(classes)
    share = tail_share(delta, alternative)

    def nearer(outer: float, side: LimitSide) -> float:
        refused = refusal(classes, end, share, side)
        if outer > 0.0 and not refused.possible(outer):
            return outer
        return max(outer, last_above(refused, 0.0, end))

    if alternative != "less" and len(classes.neg) > 1:
        low = nearer(low, LOWER)
    if alternative != "greater" and len(classes.neg) > 1:
        high = end - nearer(end - high, UPPER)
    return area_interval(
        low, high, delta, alternative, "weighted-top", weight.l1_norm, SOURCE, reads=CURVE
    )


def fits(weight: Weight, n_pos: int, n_neg: int) -> bool:
    """Return whether this interval is shorter, from the weight and the sizes alone.

    >>> from rocsolid.weights import step
    >>> [fits(step(*rates), 1000, 1000) for rates in ((0, 0.1), (0, 0.02), (0.1, 0.2))]
    [True, False, False]
    """
    end = region_end(weight)
    m, n = (n_pos, n_neg) if weight.axis == "fpr" else (n_neg, n_pos)
    if end is None or n * end < FEWEST or n * end * end < STRAIGHT:
        return False
    return min(m, 1.5 * n * end) <= MOST


def region_end(weight: Weight) -> float | None:
    """Return β if the weight is 1 at rates from 0 to β and 0 beyond."""
    if not isinstance(weight, Step):
        return None
    if weight.axis == "fpr":
        return weight.b if weight.a == 0.0 else None
    return complement(weight.a) if weight.b == 1.0 else None


class _TiePart(NamedTuple):
    """Some orders of tied rows, with their chance and the wins of the worst of them."""

    chance: float
    law: _FLOATS
    columns: int
    above: tuple[int, int]  # the least and the greatest number of positives above the next negative


class _Tests(NamedTuple):
    """The chance of some orders of tied rows, and the cells with the test of each."""

    chance: float
    cells: ShareCells
    evidence: Callable[[int], CutEvidence]  # by the number of the cell


@dataclass(frozen=True, slots=True, eq=False)
class Refusal:
    """A decreasing function that is not negative where an area up to ``end`` is refused.

    For an upper limit, its argument is ``end`` less the area. The evidence against an area is the
    mean over the orders of tied rows of the least E·s over the cells of B. An order counts at most
    ``CAP``, because the slopes of its cells may be wrong.
    """

    tests: Sequence[_Tests]
    end: float
    needed: float
    upper: bool

    def __call__(self, area: float) -> float:
        return self._excess(area, -math.inf)

    def possible(self, area: float) -> bool:
        """Return whether the area may be refused; a few cells usually show that it is not."""
        return self._excess(area, self.needed) >= 0.0

    def _excess(self, area: float, enough: float) -> float:
        """The excess, or more where the evidence of some cell is below ``enough``."""
        total = 0.0
        for chance, cells, evidence in self.tests:
            means = cells.largest_mean(area, self.end, upper=self.upper).tolist()
            if max(means) < 1.0:
                least = CAP
                for cell, mean in enumerate(means):
                    if mean >= 0.0:
                        least = min(least, 1.0 + evidence(cell)(mean))
                    if least < enough:
                        break
                total += chance * least
        return total - self.needed


def refusal(classes: SortedClasses, end: float, share: float, side: LimitSide) -> Refusal:
    m, n, upper = len(classes.pos), len(classes.neg), side.upper
    r = top_size(n, end, side)
    of_all = upper_cells(classes, r, share, end) if upper else None
    needed = 1.0 + (CAP * of_all.unsure if of_all else 0.0)
    tests = []
    for part in _parts(classes, r, best=upper):
        cells = of_all or lower_cells(n, r, share, part.above, m)
        law = part.law[::-1] if upper else part.law
        tests.append(_Tests(part.chance, cells, _evidence(law, part.columns, cells)))
    return Refusal(tests, end, needed, upper)


def _evidence(law: _FLOATS, columns: int, cells: ShareCells) -> Callable[[int], CutEvidence]:
    return cache(lambda cell: CutEvidence(law, columns, float(cells.errors[cell])))


def _parts(classes: SortedClasses, r: int, *, best: bool) -> list[_TiePart]:
    """Split the orders of tied rows, each part as good as its best order if ``best``."""
    neg, pos = classes.neg, classes.pos
    kept = neg[len(neg) - r :]
    # as whole numbers in the same order: twice the rank, and between for rows that tie
    places = [
        np.searchsorted(kept, each) + np.searchsorted(kept, each, side="right")
        for each in (pos, kept)
    ]
    level = int(np.searchsorted(neg, kept[0], side="right") - np.searchsorted(neg, kept[0]))
    inside = int(np.searchsorted(kept, kept[0], side="right"))
    first, last = (int(np.searchsorted(pos, kept[0], side=side)) for side in ("left", "right"))
    fewest = greatest = len(pos) - last
    if inside == level:  # the next negative has a lower score, which positives may share
        below, above = neg[len(neg) - r - 1], len(pos) - (last - first)
        fewest = above - int(np.searchsorted(pos, below, side="right"))
        greatest = above - int(np.searchsorted(pos, below))
    boards, chances, counts = [], [], []
    for least, most, chance in _above(last - first, level, inside):
        above = most if best else least
        placed = places[0].copy()
        placed[first : last - above] = 0
        board = Board.of(SortedClasses(placed, places[1]), MOST)
        if board is None:
            raise UnsoundError(
                f"weighted-top takes at most {MOST:,} rows of a class or of its top",
                where="interval",
                value="weighted-top",
                fix="use weighted-band",
            )
        boards.append(board)
        chances.append(chance)
        counts.append((fewest + least, greatest + most))
    return [
        _TiePart(chance, law, boards[0].columns, count)
        for chance, law, count in zip(chances, laws_of(boards), counts, strict=True)
    ]


def _above(pos: int, neg: int, inside: int) -> list[tuple[int, int, float]]:
    """Return how many of ``pos`` lie above the next negative, if ``inside`` of ``neg`` are kept.

    Each part contains its least number, its greatest number and its chance.

    >>> [(least, most, round(chance, 3)) for least, most, chance in _above(2, 2, 1)]
    [(0, 0, 0.167), (1, 1, 0.333), (2, 2, 0.5)]
    >>> _above(2, 2, 2)
    [(2, 2, 1.0)]
    """
    from scipy.special import gammaln

    if inside == neg or pos == 0:
        return [(pos, pos, 1.0)]
    h = np.arange(pos + 1.0)
    left, rest = neg - inside - 1.0, pos - h
    logs = gammaln(inside + h + 1) - gammaln(h + 1) - gammaln(inside + 1.0)
    logs += gammaln(left + rest + 1) - gammaln(rest + 1) - gammaln(left + 1.0)
    logs -= gammaln(neg + pos + 1.0) - gammaln(pos + 1.0) - gammaln(neg + 1.0)
    chance = np.exp(logs)
    through = np.cumsum(chance)
    if inside > MANY:  # one part, without the share RARE of the orders at its ends
        members = np.flatnonzero((through > RARE / 2) & (through - chance < 1.0 - RARE / 2))
        return [(int(members[0]), int(members[-1]), float(chance[members].sum()))]
    if pos < PARTS:
        return [(place, place, each) for place, each in enumerate(chance.tolist())]
    part = np.minimum((through - chance / 2) * PARTS, PARTS - 1).astype(np.intp)
    parts = []
    for number in np.unique(part):
        members = np.flatnonzero(part == number)
        parts.append((int(members[0]), int(members[-1]), float(chance[members].sum())))
    return parts

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError
from rocsolid.inputs.arrays import reverse
from rocsolid.intervals.guarantees.checks import tail_share
from rocsolid.intervals.guarantees.cuts import MOST, CutEvidence, last_above
from rocsolid.intervals.guarantees.latent_share import (
    CAP,
    Heights,
    RanksBetween,
    ShareCells,
    cells_of_shares,
    heights_at_start,
    heights_at_stop,
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
HIGHEST_START = 0.5
"""The largest start of a region: beyond, the curve is nearly flat, and the band is short."""
UNEVEN = 3.0  # the largest ratio of the class sizes if the region does not start at 0
LATE = 2.0 / 3.0
"""The end from which a region counts as late: the height at a late end is nearly known."""


class BetweenEnds(NamedTuple):
    """The least sizes for a region with two ends, from a table of widths in the tests."""

    width: float  # n·w²/(√(α(1−α)) + √(β(1−β)))², over the cube root of m/n if that is above 1
    start: float = 0.0  # n·α²: below, the curve bends too much near α
    highest_start: float = HIGHEST_START


EARLY_END, LATE_END = BetweenEnds(65.0, 1.0), BetweenEnds(125.0, highest_start=0.15)
PARTS = 8  # of the orders of tied negatives of which only some are taken
MOST_SPLIT = 500
"""Kept negatives of a tie up to which its orders are split; beyond, all parts take seconds."""
UNCOUNTED = 0.01
"""The share of the orders of a larger tie, at both ends, that counts as no evidence."""


def weighted_top(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    weight: Weight,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for the area over rates from α to β.

    The negatives of ranks s + 1 to r are independent draws from the negatives between the two
    negatives of ranks s and r + 1, so the evidence E of ``cuts`` from the positives and these
    negatives holds for the chance A that a positive outranks such a negative. The shares C and B of
    all negatives above the two are unknown, but C is Beta(s, n+1−s) and (B − C)/(1 − C) is Beta(r
    −s+1, n−r). With g(β) the area up to β, g is convex and A = (g(B) − g(C))/(B − C). An area is
    refused if for **every** pair of shares the evidence against the largest possible A is at least
    1/s(C, B). The mean of s(C, B) is the error of the limit. Reversed scores limit the area from
    above. Proof: docs/theorems/weighted-areas.md.

    Of D negatives and g positives tied with the lowest of ranks 1 to r, T negatives are among the
    r, and h positives lie above the next negative with the chance C(T+h, h)·C(D−T−1+g−h, g−h)/C(D
    +g, g). The distribution of the wins is the mean over h, in at most ``PARTS`` parts, each by its
    worst h, and likewise at the upper end.

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
    ends = region_ends(weight)
    if ends is None:
        raise UnsoundError(
            "weighted-top needs a region of rates",
            where="weight",
            fix="use weighted-band, which takes any weight",
        )
    if weight.axis == "tpr":
        classes = mirrored(classes)
    start, stop = ends
    share, width = tail_share(delta, alternative), stop - start
    if alternative != "less":
        low = _nearer(refusal(classes, start, stop, share), low, width)
    if alternative != "greater":
        # with reversed scores, the area is what the region lacks
        lacking = refusal(reversed_scores(classes), 1.0 - stop, 1.0 - start, share)
        high = width - _nearer(lacking, width - high, width)
    return area_interval(
        low, high, delta, alternative, "weighted-top", weight.l1_norm, SOURCE, reads=CURVE
    )


def _nearer(refused: Refusal | None, outer: float, width: float) -> float:
    """The largest refused area, or ``outer`` if ``outer`` is larger."""
    if refused is None or (outer > 0.0 and not refused.possible(outer)):
        return outer
    return max(outer, last_above(refused, 0.0, width))


def fits(weight: Weight, n_pos: int, n_neg: int) -> bool:
    """Return whether this interval is shorter, from the weight and the sizes alone.

    >>> from rocsolid.weights import step
    >>> regions = (0, 0.1), (0, 0.02), (0.1, 0.2), (0.1, 0.3), (0.3, 1)
    >>> [fits(step(*rates), 1000, 1000) for rates in regions]
    [True, False, False, True, True]
    """
    ends = region_ends(weight)
    m, n = (n_pos, n_neg) if weight.axis == "fpr" else (n_neg, n_pos)
    if ends is None:
        return False
    start, stop = ends
    width = stop - start
    enough = n * width >= FEWEST and min(m, 1.5 * n * width) <= MOST
    if start == 0.0:
        return enough and n * stop * stop >= STRAIGHT
    enough = enough and start <= HIGHEST_START and m <= UNEVEN * n
    if stop == 1.0:
        return enough
    least = LATE_END if stop > LATE else EARLY_END
    spread = math.sqrt(start * (1.0 - start)) + math.sqrt(stop * (1.0 - stop))
    sizes = n * (width / spread) ** 2 / max(m / n, 1.0) ** (1.0 / 3.0)
    enough = enough and n <= UNEVEN * m and start <= least.highest_start
    return enough and sizes >= least.width and n * start * start >= least.start


def region_ends(weight: Weight) -> tuple[float, float] | None:
    """Return the false-positive rates between which the weight is 1, if it is 0 elsewhere."""
    if not isinstance(weight, Step):
        return None
    if weight.axis == "fpr":
        return weight.a, weight.b
    return complement(weight.b), complement(weight.a)


def reversed_scores(classes: SortedClasses) -> SortedClasses:
    return SortedClasses(reverse(classes.pos)[::-1], reverse(classes.neg)[::-1])


class _TiePart(NamedTuple):
    """Some orders of tied rows, with their chance and the wins of the worst of them."""

    chance: float
    law: _FLOATS
    columns: int
    above: tuple[int, int]  # the least and the greatest number of positives above the next negative


class _Tests(NamedTuple):
    """The chance of some orders of tied rows, their heights, and the test at each level."""

    chance: float
    at_stop: Heights
    evidence: Callable[[int], CutEvidence]  # by the number of the level


@dataclass(frozen=True, slots=True, eq=False)
class Refusal:
    """A decreasing function that is not negative where an area of the region is refused.

    The evidence against an area is the mean over the orders of tied rows of the least E·s over the
    cells of the shares. An order counts at most ``CAP``, because its heights may be wrong.
    """

    region: RanksBetween
    cells: ShareCells
    of_cells: NDArray[np.intp]
    """The level of each tested cell: cells with the same error share a test."""
    at_start: Heights
    tests: tuple[_Tests, ...]

    def __call__(self, area: float) -> float:
        return self._excess(area, -math.inf)

    def possible(self, area: float) -> bool:
        """Return whether the area may be refused; a few cells usually show that it is not."""
        return self._excess(area, self._needed) >= 0.0

    @property
    def _needed(self) -> float:
        return 1.0 + CAP * self.at_start.unsure

    def _excess(self, area: float, enough: float) -> float:
        """The excess, or more where the evidence of some cell is below ``enough``."""
        total = 0.0
        for chance, at_stop, evidence in self.tests:
            means = np.full(int(self.of_cells.max(initial=-1)) + 1, -np.inf)
            largest = self.cells.largest_mean(area, self.region, self.at_start, at_stop)
            np.maximum.at(means, self.of_cells, largest)
            if means.max(initial=-np.inf) < 1.0:
                least = CAP
                for level, mean in enumerate(means.tolist()):
                    if mean >= 0.0:
                        least = min(least, 1.0 + evidence(level)(mean))
                    if least < enough:
                        break
                total += chance * least
        return total - self._needed


def refusal(classes: SortedClasses, start: float, stop: float, share: float) -> Refusal | None:
    """The tests of the areas of a region; ``None`` without a negative to test them with."""
    m, n = len(classes.pos), len(classes.neg)
    region = RanksBetween.of(start, stop, n)
    if not 0 <= region.s < region.r <= n:
        return None
    cells = cells_of_shares(n, region.s, region.r, share)
    levels, of_cells = cells.levels
    at_start = heights_at_start(classes, region, cells)
    tests = []
    for part in _parts(classes, region.s, region.r):
        at_stop = heights_at_stop(cells, part.above, m)
        tests.append(_Tests(part.chance, at_stop, _evidence(part, levels)))
    return Refusal(region, cells, of_cells, at_start, tuple(tests))


def _evidence(part: _TiePart, levels: _FLOATS) -> Callable[[int], CutEvidence]:
    return cache(lambda level: CutEvidence(part.law, part.columns, float(levels[level])))


def _parts(classes: SortedClasses, s: int, r: int) -> list[_TiePart]:
    """Split the orders of tied rows, each part as good as its worst order."""
    neg, pos = classes.neg, classes.pos
    n, size = len(neg), r - s
    kept = neg[n - r : n - s]
    # as whole numbers in the same order: twice the rank, and between for rows that tie
    places = [
        np.searchsorted(kept, each) + np.searchsorted(kept, each, side="right")
        for each in (pos, kept)
    ]
    first, last = (int(np.searchsorted(pos, kept[0], side=side)) for side in ("left", "right"))
    lowest, beyond = (int(np.searchsorted(neg, kept[0], side=side)) for side in ("left", "right"))
    fewest = greatest = len(pos) - last
    if n - r == lowest > 0:  # the next negative has a lower score, which positives may share
        below, above = neg[lowest - 1], len(pos) - (last - first)
        fewest = above - int(np.searchsorted(pos, below, side="right"))
        greatest = above - int(np.searchsorted(pos, below))
    top_first, top_last = (
        int(np.searchsorted(pos, kept[-1], side=side)) for side in ("left", "right")
    )
    top_lowest = max(int(np.searchsorted(neg, kept[-1])), n - r)
    top_level = int(np.searchsorted(neg, kept[-1], side="right")) - top_lowest
    most_parts = PARTS if s == 0 or r == n else PARTS // 2
    boards, chances, counts = [], [], []
    for least, most, chance in _above(last - first, beyond - lowest, beyond - (n - r), most_parts):
        tied = least if kept[0] == kept[-1] else top_last - top_first
        for _, remaining, of_top in _above(tied, top_level, n - s - top_lowest, most_parts):
            placed = places[0].copy()
            placed[first : last - least] = 0
            placed[top_last - tied + remaining : top_last] = 2 * size + 1
            board = Board.of(SortedClasses(placed, places[1]), MOST)
            if board is None:
                raise UnsoundError(
                    f"weighted-top takes at most {MOST:,} rows of a class or of its top",
                    where="interval",
                    value="weighted-top",
                    fix="use weighted-band",
                )
            boards.append(board)
            chances.append(chance * of_top)
            counts.append((fewest + least, greatest + most))
    return [
        _TiePart(chance, law, boards[0].columns, count)
        for chance, law, count in zip(chances, laws_of(boards), counts, strict=True)
    ]


def _above(pos: int, neg: int, inside: int, parts: int) -> list[tuple[int, int, float]]:
    """Return how many of ``pos`` lie above the next negative, if ``inside`` of ``neg`` are kept.

    By symmetry, also how many lie below the last negative that is left out at the top.

    Each part contains its least number, its greatest number and its chance.

    >>> [(least, most, round(chance, 3)) for least, most, chance in _above(2, 2, 1, PARTS)]
    [(0, 0, 0.167), (1, 1, 0.333), (2, 2, 0.5)]
    >>> _above(2, 2, 2, PARTS)
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
    if inside > MOST_SPLIT:
        ends = UNCOUNTED / 2.0
        counted = np.flatnonzero((through > ends) & (through - chance < 1.0 - ends))
        return [_range_of(counted, chance)]
    if pos < parts:
        return [(place, place, each) for place, each in enumerate(chance.tolist())]
    part = np.minimum((through - chance / 2) * parts, parts - 1).astype(np.intp)
    return [_range_of(np.flatnonzero(part == number), chance) for number in np.unique(part)]


def _range_of(members: NDArray[np.intp], chance: _FLOATS) -> tuple[int, int, float]:
    return int(members[0]), int(members[-1]), float(chance[members].sum())

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import UnsoundError
from rocsolid.intervals.guarantees.checks import tail_share
from rocsolid.intervals.guarantees.cuts import MOST, limit_of
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.weighted_area import area_interval
from rocsolid.intervals.guarantees.won_pairs import won_pairs
from rocsolid.results import Alternative
from rocsolid.results.interval import CURVE, Interval
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.score_counts import mirrored
from rocsolid.weights.losses import Step
from rocsolid.weights.weight import Weight, complement

_FLOATS = NDArray[np.float64]
SOURCE = (
    "cuts for the positives and the top negatives, a sample of the negatives above the next "
    "negative"
)
FEWEST = 30.0
"""Negatives expected in the region from which this interval is shorter than the band."""
OF_SHARE = 0.24
"""The part of a limit's error for the number of negatives in the region."""
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

    The r largest negatives are independent draws from the negatives above the next one, so ``cuts``
    of the positives and these r negatives holds for the chance A that a positive outranks such a
    negative. The share B of all negatives above it is Beta(r+1, n−r), and A = g(B)/B, with g(β) the
    area up to β, rises with B. r is the largest for which B ≤ β has probability 1−δ₂ (upper limit:
    the smallest for B ≥ β), and the limit of A fails with δ/2−δ₂ (δ−δ₂ if it is alone). Proof:
    docs/theorems/weighted-areas.md.

    Of D negatives and g positives tied with the lowest of the r, T negatives are among the r, and h
    positives lie above the next negative with the chance C(T+h, h)·C(D−T−1+g−h, g−h)/C(D+g, g). The
    distribution of the wins is the mean over h, in at most ``PARTS`` parts, each by its worst h.

    >>> from rocsolid.weights import step
    >>> pos, neg = np.arange(1000) / 1000 + 0.35, np.arange(1000) / 1000
    >>> print(weighted_top(pos, neg, step(0, 0.1)))
    [0.03388, 0.04603] at 95 % (weighted-top)
    """
    return top_interval(classes_of(pos_scores, neg_scores), weight, delta, alternative)


def top_interval(
    classes: SortedClasses, weight: Weight, delta: float, alternative: Alternative
) -> Interval:
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
    share, low, high = tail_share(delta, alternative), 0.0, 1.0
    spared, n = OF_SHARE * share, len(classes.neg)
    if alternative != "less" and (most := most_inside(n, end, spared)):
        low = limit_of(*_law(classes, most, best=False), share - spared)
    if alternative != "greater":
        law, columns = _law(classes, fewest_beyond(n, end, spared), best=True)
        high = 1.0 - limit_of(law[::-1], columns, share - spared)
    return area_interval(
        end * low, end * high, delta, alternative, "weighted-top", weight.l1_norm, SOURCE,
        reads=CURVE,
    )  # fmt: skip


def fits(weight: Weight, n_pos: int, n_neg: int) -> bool:
    """Return whether this interval is shorter, from the weight and the sizes alone.

    >>> from rocsolid.weights import step
    >>> [fits(step(*rates), 1000, 1000) for rates in ((0, 0.1), (0, 0.02), (0.1, 0.2))]
    [True, False, False]
    """
    end = region_end(weight)
    m, n = (n_pos, n_neg) if weight.axis == "fpr" else (n_neg, n_pos)
    return end is not None and n * end >= FEWEST and min(m, 1.5 * n * end) <= MOST


def region_end(weight: Weight) -> float | None:
    """Return β if the weight is 1 at rates from 0 to β and 0 beyond."""
    if not isinstance(weight, Step):
        return None
    if weight.axis == "fpr":
        return weight.b if weight.a == 0.0 else None
    return complement(weight.a) if weight.b == 1.0 else None


def most_inside(n: int, end: float, share: float) -> int:
    """Return the largest r for which P(Beta(r+1, n−r) > end) ≤ share; 0 if there is none.

    >>> most_inside(1000, 0.1, 0.006), fewest_beyond(1000, 0.1, 0.006)
    (76, 125)
    """
    from scipy.special import betaincc

    beyond = bisect_right(range(n), share, key=lambda r: float(betaincc(r + 1.0, n - r, end)))
    return max(beyond - 1, 0)


def fewest_beyond(n: int, end: float, share: float) -> int:
    """Return the smallest r for which P(Beta(r+1, n−r) < end) ≤ share; n if there is none."""
    from scipy.special import betainc

    return bisect_left(range(n), -share, key=lambda r: -float(betainc(r + 1.0, n - r, end)))


def _law(classes: SortedClasses, r: int, *, best: bool) -> tuple[_FLOATS, int]:
    """Bound the distribution of the pairs won against the top r negatives, from above if ``best``.

    Also return the number of rows of the larger class.
    """
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
    law, columns = np.zeros(0), 0
    for above, chance in _above(last - first, level, inside, best=best):
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
        columns = board.columns
        part = chance * won_pairs(board)
        law = law + part if law.size else part
    return law, columns


def _above(pos: int, neg: int, inside: int, *, best: bool) -> list[tuple[int, float]]:
    """Return how many of ``pos`` lie above the next negative, if ``inside`` of ``neg`` are kept.

    >>> [(h, round(chance, 3)) for h, chance in _above(2, 2, 1, best=False)]
    [(0, 0.167), (1, 0.333), (2, 0.5)]
    >>> _above(2, 2, 2, best=False)
    [(2, 1.0)]
    """
    from scipy.special import gammaln

    if inside == neg or pos == 0:
        return [(pos, 1.0)]
    h = np.arange(pos + 1.0)
    left, rest = neg - inside - 1.0, pos - h
    logs = gammaln(inside + h + 1) - gammaln(h + 1) - gammaln(inside + 1.0)
    logs += gammaln(left + rest + 1) - gammaln(rest + 1) - gammaln(left + 1.0)
    logs -= gammaln(neg + pos + 1.0) - gammaln(pos + 1.0) - gammaln(neg + 1.0)
    chance = np.exp(logs)
    if inside > MANY:  # one part, without the share RARE of the orders that is worse than it
        through = np.cumsum(chance)
        if best:
            end = int(np.searchsorted(through, 1.0 - RARE))
            return [(end, float(through[end]))]
        start = int(np.searchsorted(through, RARE))
        return [(start, float(chance[start:].sum()))]
    if pos < PARTS:
        return list(zip(range(pos + 1), chance.tolist(), strict=True))
    part = np.minimum((np.cumsum(chance) - chance / 2) * PARTS, PARTS - 1).astype(np.intp)
    extremes = []
    for number in np.unique(part):
        members = np.flatnonzero(part == number)
        extremes.append((int(members[-1 if best else 0]), float(chance[members].sum())))
    return extremes

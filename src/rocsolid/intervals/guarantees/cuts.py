from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import UnsoundError
from rocsolid.intervals.guarantees.checks import tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.won_pairs import won_pairs
from rocsolid.results import Alternative, Interval
from rocsolid.results.interval import PLACEMENTS
from rocsolid.summaries.binary_summary import MOST as KEPT
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.products import dot

SOURCE = (
    "Hoeffding 1963, section 5 (blocks), with binomial tests averaged over all matchings (exact "
    "distribution of their wins, by hit numbers)"
)
CLAIM = Claim("cuts", SOURCE, reads=PLACEMENTS)
MOST = 2**15
"""Rows of the smaller class beyond which `won_pairs` takes more than a fifth of a second."""
CLOSE = 1e-9  # how far a limit may lie outside the exact one
ROUNDING = 1e-9  # of E, far above what roundings add up to
_FURTHEST = 35.0  # standard deviations: further out, a size is not a normal double

_FLOATS = NDArray[np.float64]


def cuts(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return the shortest certified interval for an AUC, from the scores of both classes.

    Match the k rows of the smaller class with different rows of the larger class at random. The
    number W of won pairs is binomial with probability A. With F_q(a) the mean over **all**
    matchings of the test of size q that rejects A ≤ a for large W, and sizes q and weights w that
    depend only on k, n and δ,

        E(a) = Σ w·F_q(a)/q

    has a mean of at most 1 where A ≤ a, and falls in a: the lower limit is the a where E(a) = 1/δ.
    The upper limit exchanges wins and losses. Proof: docs/theorems/matchings.md.

    >>> pos, neg = np.arange(40, 140), np.arange(100)
    >>> print(cuts(pos, neg))
    [0.7357, 0.8845] at 95 % (cuts)
    """
    return cuts_of(None, classes_of(pos_scores, neg_scores), delta, alternative)


def cuts_of(
    board: Board | None,
    classes: SortedClasses | None,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    return CLAIM.interval(cuts_limits(_board(board, classes), delta, alternative), delta)


def cuts_inside(
    board: Board | None,
    classes: SortedClasses | None,
    low: float,
    high: float,
    delta: float,
    alternative: Alternative = "two-sided",
) -> tuple[float, float]:
    """Replace each of two limits around the AUC by the limit of cuts, if that is nearer.

    One value of E shows whether the limit of cuts is nearer.

    >>> rows = classes_of(np.arange(40, 140), np.arange(100))  # [0.7357, 0.8845]
    >>> print("%.4f %.4f" % cuts_inside(None, rows, 0.70, 0.85, 0.05))
    0.7357 0.8500
    """
    board = _board(board, classes)
    share, law = tail_share(delta, alternative), won_pairs(board)
    if alternative != "less":
        below = CutEvidence(law, board.columns, share)
        low = below.limit() if below(low) >= 0.0 else low
    if alternative != "greater":
        above = CutEvidence(law[::-1], board.columns, share)
        high = 1.0 - above.limit() if above(1.0 - high) >= 0.0 else high
    return low, high


def _board(board: Board | None, classes: SortedClasses | None) -> Board:
    if board is None and classes is not None:
        board = Board.of(classes, MOST)
    if board is None:
        rows, method = (f"{MOST:,}", "berry-esseen") if classes else (f"{KEPT:,}", "hinge")
        limit = "are slow" if classes else "need the rows in memory"
        raise UnsoundError(
            f"cuts {limit} beyond {rows} rows of the smaller class",
            where="interval",
            value="cuts",
            fix=f'use "{method}"',
        )
    return board


def cuts_limits(
    board: Board, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> tuple[float, float]:
    share, law = tail_share(delta, alternative), won_pairs(board)
    low = 0.0 if alternative == "less" else limit_of(law, board.columns, share)
    if alternative == "greater":
        return low, 1.0
    return low, 1.0 - limit_of(law[::-1], board.columns, share)


def limit_of(law: _FLOATS, n: int, share: float) -> float:
    """Return the lower limit from the distribution of the wins, for n rows of the larger class."""
    return CutEvidence(law, n, share).limit()


class CutEvidence:
    """The decreasing function E(a)·share − 1, less an allowance for rounding."""

    def __init__(self, law: _FLOATS, n: int, share: float) -> None:
        k = len(law) - 1
        self._law = law
        self._tests = size_weights(k, n, share)
        self._means = MeanTests(
            np.append(np.cumsum(law[::-1])[::-1], 0.0), [q for q, _ in self._tests]
        )
        self._share = share

    def __call__(self, a: float) -> float:
        means = self._means(a)
        evidence = sum(w * mean / q for (q, w), mean in zip(self._tests, means, strict=True))
        return evidence * self._share - 1.0 - ROUNDING

    def limit(self) -> float:
        """Return an a with E(a) ≥ 1/share, at most ``CLOSE`` below the exact limit."""
        k = len(self._law) - 1
        return last_above(self, 0.0, dot(self._law, np.arange(k + 1.0)) / k)


def last_above(above: Callable[[float], float], first: float, high: float) -> float:
    """Return where a decreasing function turns negative in [0, ``high``], less at most ``CLOSE``.

    The result is 0 if the function is negative at ``first`` ≤ ``CLOSE``. The search uses secants by
    the Illinois rule, and bisection where a secant has not halved the bracket.

    >>> round(last_above(lambda a: 0.25 - a, 0.0, 1.0), 6)
    0.25
    """
    if (at_low := above(first)) < 0.0:
        return 0.0
    if (at_high := above(high)) >= 0.0:
        return high
    low, width, kept = 0.0, math.inf, 0
    while high - low > CLOSE:
        if high - low > width / 2.0:
            middle = (low + high) / 2.0
        else:
            middle = low + (high - low) * at_low / (at_low - at_high)
        width = high - low
        middle = min(max(middle, low + CLOSE / 4), high - CLOSE / 4)
        value = above(middle)
        if value >= 0.0:
            low, at_low = middle, value
            at_high, kept = (at_high / 2.0, 1) if kept == 1 else (at_high, 1)
        else:
            high, at_high = middle, value
            at_low, kept = (at_low / 2.0, -1) if kept == -1 else (at_low, -1)
    return low


class MeanTests:
    """The means F_q(a) for some sizes q, from P(W ≥ c), c = 0 … k+1.

    >>> MeanTests(np.array([1, 0.75, 0.25, 0]), [0.25])(0.5)  # W is binomial: the size itself
    [0.25]
    """

    def __init__(self, beyond: _FLOATS, sizes: Iterable[float]) -> None:
        from scipy.special import ndtri

        self._beyond, self._rows = beyond.tolist(), len(beyond) - 2
        self._sizes = [(q, -float(ndtri(q))) for q in sizes]
        self._off = [0] * len(self._sizes)

    def __call__(self, a: float) -> list[float]:
        k, beyond, means = self._rows, self._beyond, []
        mean, deviation = k * a, math.sqrt(k * a * (1 - a))
        skew = (1 - 2 * a) / 6 if deviation else 0.0
        expected = [int(mean + z * deviation + (z * z - 1) * skew) for _, z in self._sizes]
        cuts = [min(max(c + off, 0), k) for c, off in zip(expected, self._off, strict=True)]
        chances = _at_least(k, cuts + [c + 1 for c in cuts], a)
        for place, (q, _) in enumerate(self._sizes):
            c, reached, more = cuts[place], chances[place], chances[place + len(cuts)]
            while more > q:
                c, reached, more = c + 1, more, *_at_least(k, [c + 2], a)
            while reached <= q:
                c, reached, more = c - 1, *_at_least(k, [c - 1], a), reached
            self._off[place] = c - expected[place]
            part = (q - more) / (reached - more)
            means.append(beyond[c + 1] + part * (beyond[c] - beyond[c + 1]))
        return means


def _at_least(k: int, counts: list[int], a: float) -> list[float]:
    from scipy.special import betainc

    if min(counts) > 0 and max(counts) <= k:
        chances: list[float] = betainc(counts, [k - c + 1 for c in counts], a).tolist()
        return chances
    return [float(betainc(c, k - c + 1, a)) if 0 < c <= k else float(c <= 0) for c in counts]


@lru_cache(maxsize=1024)
def size_weights(k: int, n: int, share: float) -> tuple[tuple[float, float], ...]:
    """Return the size q and the weight of each test, for class sizes k ≤ n.

    For normal scores, W has .3 to .65 of the largest variance that its mean allows if n is near k,
    and .5 to .9 if n is large. The largest size is for a score with which all matchings win the
    same number, the smaller sizes for normal scores.
    """
    from scipy.special import ndtr, ndtri

    z = -float(ndtri(share))
    beyond = z - 1.645
    places, parts = [z + 0.455 - 0.055 * beyond], [1.0]
    if n <= 2 * k:
        places += [z + 1.63 + 0.35 * beyond]
    else:
        places += [z + 2.9 + 0.45 * beyond, z + 5.4 + 2.0 * beyond]
        parts = [0.6, 0.4]
    sizes = ndtr(-np.minimum(places, _FURTHEST)).tolist()
    first = min(1.22 * sizes[0] / share, 0.9)
    return tuple(zip(sizes, [first, *((1.0 - first) * part for part in parts)], strict=True))

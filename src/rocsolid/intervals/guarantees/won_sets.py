from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
_COUNTS = NDArray[np.intp]
_TOGETHER = 32  # rows prepared at once, after which values are scaled
_LEAST = 1e-14  # of the largest value: orders of tied rows that are rarer are dropped
MOST_WORK = 2**24
"""Values beyond which the orders of tied rows take more than some tenths of a second."""


def counts_of(classes: SortedClasses) -> ScoreCounts:
    """Count the positives and negatives with each score.

    >>> counts = counts_of(SortedClasses(np.array([1, 2]), np.array([0, 1, 1])))
    >>> counts.pos, counts.neg
    (array([0, 1, 1]), array([1, 2, 0]))
    """
    scores = np.union1d(classes.pos, classes.neg)
    pos, neg = (
        np.bincount(np.searchsorted(scores, each), minlength=len(scores))
        for each in (classes.pos, classes.neg)
    )
    return ScoreCounts(scores, pos, neg)


def share_won(table: ScoreCounts, q: int) -> float:
    """Return the share of all sets that the positive wins.

    >>> table = ScoreCounts(np.arange(2), np.array([0, 1]), np.array([2, 1]))
    >>> round(share_won(table, 2), 9)  # one of the three pairs without a tie, two with one
    0.666666667
    """
    m, n = int(table.pos.sum()), int(table.neg.sum())
    held = np.flatnonzero(table.pos)
    below = (np.cumsum(table.neg) - table.neg)[held] / n
    through = below + (table.neg[held] + 1.0) / n
    # the mean of C(x, q) over x from below to through is a difference of C(·, q+1)
    difference = _falling(through, q + 1, 1.0 / n) - _falling(below, q + 1, 1.0 / n)
    rows = table.pos[held] / (table.neg[held] + 1.0) * (n / (q + 1.0))
    return dot(rows, difference) / m / float(_falling(np.array(1.0), q, 1.0 / n))


def won_sets(
    table: ScoreCounts, q: int, *, of_negatives: bool, most: int, scale: float
) -> tuple[_FLOATS, float]:
    """Return P_j·scale^j over a factor, j = 0 … ``most``, and the factor's logarithm.

    A set is a positive and q negatives. A set is won if its highest row is the positive (a
    negative, for sets ``of_negatives``). j!·P_j is the chance that j random disjoint sets are all
    won. Rows that can be the highest of a won set are processed in ascending order; with c
    negatives and p positives below the row, R_j, the number of ways to choose j won sets, is a
    generalised rook number:

        R_j ← R_j + C(c−q(j−1), q)·R_{j−1}                       at a positive,
        R_j ← R_j + C(c−q(j−1), q−1)·(p−(j−1))·R_{j−1}           at a negative.

    P_j is R_j over the number of ways to choose j sets one after another from all rows. Rows with
    one score are processed in random order or, if that would take long, with the average number of
    others below each, which makes P_j smaller (Esary, Proschan and Walkup 1967;
    docs/theorems/weighted-areas.md); C(x, q) is x(x−1)…(x−q+1)/q! for real x ≥ q−1 and 0 below.

    >>> one = ScoreCounts(np.arange(3), np.array([0, 0, 1]), np.array([1, 1, 0]))
    >>> won_sets(one, 2, of_negatives=False, most=1, scale=1.0)
    (array([1., 1.]), 0.0)
    """
    walk = _Walk.start(table, q, of_negatives, most, scale)
    passed_pos, passed_neg = (np.cumsum(each) - each for each in (table.pos, table.neg))
    tops, others = (table.neg, table.pos) if of_negatives else (table.pos, table.neg)
    starts = np.cumsum(tops) - tops
    place = np.arange(int(tops.sum())) - np.repeat(starts, tops)  # among the tops of its score
    c, p = (np.repeat(each * 1.0, tops) for each in (passed_neg, passed_pos))
    if of_negatives:
        c += place
    tied = np.flatnonzero((tops > 0) & (others > 0))
    if _work(tops[tied], others[tied]) * most > MOST_WORK:
        before = p if of_negatives else c
        before += np.repeat(others / (tops + 1.0), tops) * (place + 1.0)
        tied = tied[:0]
    done = 0
    for level in tied:
        walk.rows(c[done : starts[level]], p[done : starts[level]])
        walk.ties(
            int(passed_neg[level]), int(passed_pos[level]),
            int(table.pos[level]), int(table.neg[level]),
        )  # fmt: skip
        done = int(starts[level] + tops[level])
    walk.rows(c[done:], p[done:])
    return walk.value, walk.log_factor


def _work(tops: _COUNTS, others: _COUNTS) -> float:
    """Estimate the number of array rows that `_Walk.ties` processes at all rows together."""
    rows = tops + others
    spread = 8.0 * np.sqrt(tops / rows * others / 4.0) + 2.0
    return float((rows * np.minimum(np.minimum(tops, others) + 1.0, spread)).sum())


@dataclass
class _Walk:
    q: int
    of_negatives: bool
    rate: _FLOATS  # ways to choose one more set come to a chance by this, times the scale
    value: _FLOATS
    end: int = 0  # sets that can have been won so far
    log_factor: float = 0.0

    @classmethod
    def start(
        cls, table: ScoreCounts, q: int, of_negatives: bool, most: int, scale: float
    ) -> _Walk:
        m, n, j = int(table.pos.sum()), int(table.neg.sum()), np.arange(float(most))
        value = np.zeros(most + 1)
        value[0] = 1.0
        of_one = q if of_negatives else 1  # q! over what the ways lack
        return cls(q, of_negatives, scale * of_one / ((m - j) * _falling(n - q * j, q)), value)

    def rows(self, c: _FLOATS, p: _FLOATS) -> None:
        """Add rows that can be the highest of a set, each above c negatives and p positives."""
        for start in range(0, len(c), _TOGETHER):
            chunk = slice(start, start + _TOGETHER)
            count = len(c[chunk])
            end = min(self.end + count, len(self.rate))
            ways = self._ways(c[chunk], p[chunk], end)
            for row in range(count):
                self.value[1 : end + 1] += ways[row] * self.value[:end]
            self.end = end
            self._scale()

    def ties(self, c: int, p: int, pos: int, neg: int) -> None:
        """Add rows of one score in random order, with c negatives and p positives below them."""
        lines, first = self.value[None], 0
        for step in range(pos + neg):
            passed = first + np.arange(len(lines))
            end = min(self.end + step + 1, len(self.rate))
            won = lines.copy()
            won[:, 1 : end + 1] += self._ways(c + step - passed, p + passed, end) * lines[:, :end]
            chance = ((pos - passed) / (pos + neg - step))[:, None]  # that a positive is next
            at_pos, at_neg = (lines, won) if self.of_negatives else (won, lines)
            moved = np.zeros((len(lines) + 1, lines.shape[1]))
            np.multiply(at_pos, chance, out=moved[1:])
            moved[:-1] += at_neg * (1.0 - chance)
            largest = moved.max(axis=1)
            kept = np.flatnonzero(largest > _LEAST * largest.max())
            lines, first = moved[kept[0] : kept[-1] + 1], first + int(kept[0])
            if step % _TOGETHER == 0:
                self.log_factor += math.log(largest.max())
                lines = lines / largest.max()
        self.value = lines[pos - first].copy()
        self.end = min(self.end + (neg if self.of_negatives else pos), len(self.rate))
        self._scale()

    def _ways(self, c: NDArray[np.number], p: NDArray[np.number], end: int) -> _FLOATS:
        """Return one array row per row, for j < ``end`` sets won so far, times the rate."""
        j, others = np.arange(float(end)), self.q - self.of_negatives
        free = c[:, None] - self.q * j
        ways = np.maximum(free - (others - 1), 0.0)
        for taken in range(others - 1):
            ways *= free - taken
        if self.of_negatives:
            ways *= np.maximum(p[:, None] - j, 0.0)
        ways *= self.rate[:end]
        return np.asarray(ways)

    def _scale(self) -> None:
        largest = float(self.value.max())
        self.value /= largest
        self.log_factor += math.log(largest)


def _falling(x: _FLOATS, count: int, step: float = 1.0) -> _FLOATS:
    product = x * 1.0
    for taken in range(1, count):
        product = product * (x - taken * step)
    return product

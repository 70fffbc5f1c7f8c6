"""The squared hinge over all pairs of unequal grades within queries, without forming a pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rocsolid.theory.learners.ranking.level import Level, Reach
from rocsolid.theory.learners.ranking.linear import Times

_FLOATS = NDArray[np.float64]
_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SquaredHinge:
    """Σ (1 − z_i + z_j)₊² over the pairs of a query in which document i has the higher grade.

    ``levels`` has an entry for each grade above the lowest: the documents of this grade against
    those of all lower ones. An evaluation sorts each level once, and every sum over pairs is then a
    difference of two prefix sums, so it takes O(L·N log N) for L + 1 grades and N documents
    (Joachims 2006, and Lee and Lin 2014 for the squared hinge). Only the order of the grades within
    a query counts, so L + 1 is the largest number of different grades that one query has.
    ``n_grades`` holds that number for each query; a query with one grade has no pair.

    >>> hinge = SquaredHinge.of(np.array([3.0, 1.0, 1.0]), np.zeros(3, np.int64))
    >>> loss, gradient, _ = hinge.at(np.array([0.5, 0.25, -1.0]))
    >>> loss, gradient.round(6).tolist(), hinge.pairs
    (0.5625, [-1.5, 1.5, 0.0], 2)
    """

    levels: tuple[Level, ...]
    query: _INTS
    size: _INTS
    n_grades: _INTS

    @classmethod
    def of(cls, grade: _FLOATS, query: _INTS) -> SquaredHinge:
        """From each document's grade and the number of its query, 0 and up with none left out."""
        size = np.bincount(query)
        distinct, number = np.unique(grade, return_inverse=True)
        pairs, place = np.unique(query * len(distinct) + number, return_inverse=True)
        n_grades = np.bincount(pairs // len(distinct))
        rank = place - (np.cumsum(n_grades) - n_grades)[query]  # of the grade in its query
        levels = tuple(Level.of(rank, query, high) for high in range(1, int(n_grades.max())))
        return cls(levels, query, size, n_grades)

    @property
    def pairs(self) -> int:
        """The number of pairs of unequal grades within queries."""
        return sum(level.pairs for level in self.levels)

    def at(self, scores: _FLOATS) -> tuple[float, _FLOATS, Times]:
        """The loss, its gradient by score, and the product of its second derivative and a vector.

        With N, S the count and the sum of the scores of the lower documents within reach of z_i
        (z_j > z_i − 1), and P, T those of the higher ones within reach of z_j (z_i < z_j + 1):
        ∂/∂z = 2[(N + P)z − (N − P) − (S + T)].
        """
        # only differences within a query count, and small numbers keep more digits of them
        mean = np.bincount(self.query, scores) / self.size
        z = scores - mean[self.query]
        loss, gradient = 0.0, np.zeros(len(z))
        reaches = tuple(level.reach(z) for level in self.levels)
        for reach in reaches:
            high, low = z[reach.high], z[reach.low]
            short = 1.0 - high  # a pair loses (short + z_j)²
            total = reach.sum_low(low)
            parts = short * (reach.count_low * short + 2.0 * total) + reach.sum_low(low**2)
            loss += float(parts.sum())
            gradient[reach.high] -= 2.0 * (reach.count_low * short + total)
            gradient[reach.low] += 2.0 * (reach.count_high * (1.0 + low) - reach.sum_high(high))
        return loss, gradient, partial(_curvature, reaches)


def _curvature(reaches: tuple[Reach, ...], u: _FLOATS) -> _FLOATS:
    """The second derivative by score times u: 2[(N + P)u − U].

    U sums u over the other documents of the pairs that lose now. Where a pair is just 1 apart the
    derivative jumps, and this is one of its sides.
    """
    found = np.zeros(len(u))
    for reach in reaches:
        high, low = u[reach.high], u[reach.low]
        found[reach.high] += 2.0 * (reach.count_low * high - reach.sum_low(low))
        found[reach.low] += 2.0 * (reach.count_high * low - reach.sum_high(high))
    return found

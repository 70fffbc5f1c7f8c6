"""The documents of one grade against those of lower grades, and which of them are within reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.groups import stable_order

_FLOATS = NDArray[np.float64]
_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Rows of documents of one grade (``high``) and of lower ones (``low``), with their queries.

    Documents whose query has none of the other kind are left out. ``start_high[q]`` counts the high
    documents of the queries before q, and the last entry all of them.
    """

    high: _INTS
    low: _INTS
    query: _INTS  # of the high documents, then of the low ones
    start_high: _INTS
    start_low: _INTS

    @classmethod
    def of(cls, grade: _INTS, query: _INTS, high_grade: int) -> Level:
        size = int(query.max()) + 1
        high, low = np.flatnonzero(grade == high_grade), np.flatnonzero(grade < high_grade)
        highs, lows = (np.bincount(query[rows], minlength=size) for rows in (high, low))
        paired = (highs > 0) & (lows > 0)
        high, low = high[paired[query[high]]], low[paired[query[low]]]
        both = np.concatenate([query[high], query[low]])
        starts = (np.concatenate([[0], np.cumsum(n * paired)]) for n in (highs, lows))
        return cls(high, low, both, *starts)

    @property
    def pairs(self) -> int:
        """The number of pairs of a high and a low document of a query."""
        return int(np.diff(self.start_high) @ np.diff(self.start_low))

    def reach(self, z: _FLOATS) -> Reach:
        """The pairs with z_high < z_low + 1: one sort of both kinds on a line."""
        n_high = len(self.high)
        order = np.argsort(np.concatenate([z[self.high] - 1.0, z[self.low]]))
        order = order[stable_order(self.query[order])]
        is_high = order < n_high
        high, low = order[is_high], order[~is_high]
        passed = np.cumsum(is_high, dtype=np.int64)  # high ones up to here on the line
        here = np.arange(1, len(order) + 1)
        return Reach(
            high=self.high[high],
            low=self.low[low - n_high],
            first_low=(here - passed)[is_high],
            stop_low=self.start_low[self.query[high] + 1],
            first_high=self.start_high[self.query[low]],
            stop_high=passed[~is_high],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The rows of high and of low documents in order of score, and the ranges within reach of each.

    The k-th high document reaches the low ones from ``first_low[k]`` to ``stop_low[k]`` (not
    included) in their order, and so for the low ones.
    """

    high: _INTS
    low: _INTS
    first_low: _INTS
    stop_low: _INTS
    first_high: _INTS
    stop_high: _INTS

    @property
    def count_low(self) -> _INTS:
        """For each high document the number of low ones within reach."""
        return self.stop_low - self.first_low

    @property
    def count_high(self) -> _INTS:
        """For each low document the number of high ones within reach."""
        return self.stop_high - self.first_high

    def sum_low(self, values: _FLOATS) -> _FLOATS:
        """For each high document the sum of the values of the low ones within reach."""
        # summed from above, so that what is out of reach of all leaves no rounding errors
        total = np.zeros(len(values) + 1)
        np.cumsum(values[::-1], out=total[-2::-1])
        found: _FLOATS = total[self.first_low] - total[self.stop_low]
        return found

    def sum_high(self, values: _FLOATS) -> _FLOATS:
        """For each low document the sum of the values of the high ones within reach."""
        total = np.zeros(len(values) + 1)
        np.cumsum(values, out=total[1:])
        found: _FLOATS = total[self.stop_high] - total[self.first_high]
        return found

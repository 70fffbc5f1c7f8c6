"""Weak rankers that ask whether one feature is above a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

AS_GOOD = 1e-12
"""Values of r this near to each other are equal except for rounding; the first of them is taken."""

_BLOCK = 256  # rows of a feature that are summed up at once


@dataclass(frozen=True, slots=True)
class ThresholdRanker:
    """h(x) = 1 where the feature is above the threshold, else 0; ``missing`` where it is NaN.

    With the threshold −∞ it asks whether there is a value at all.

    >>> ThresholdRanker(0, 2.0, 1.0).values(np.array([1.0, 2.0, 3.0, np.nan]))
    array([0., 0., 1., 1.])
    """

    feature: int
    threshold: float
    missing: float

    def values(self, column: Floats) -> Floats:
        """The weak ranker on one column, that of ``feature``."""
        above = (column > self.threshold).astype(np.float64)
        if self.missing:
            above[np.isnan(column)] = self.missing
        return above


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """The largest |Σ u| looked at; where blocks begin, and what no sum inside each exceeds."""

    known: float
    begin: Floats
    bound: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Feature:
    """One feature's rows from its largest value down, and where a value ends."""

    order: NDArray[np.intp]
    ends: NDArray[np.intp] | None  # last places of runs of one value; None where all differ
    missing: NDArray[np.intp]

    @classmethod
    def sorted(cls, column: Floats) -> _Feature:
        absent = np.isnan(column)
        rows = np.flatnonzero(~absent)
        down = rows[np.argsort(-column[rows])]
        values = column[down]
        ends = np.flatnonzero(np.append(values[1:] != values[:-1], True)) if len(values) else rows
        return cls(down, None if len(ends) == len(down) else ends, np.flatnonzero(absent))

    def reach(self, u: Floats, room: Floats, absent: float) -> _Reach:
        """How large |Σ u| gets, exactly at the ends of blocks of rows and bounded inside them.

        Inside a block a sum lies above that at its start by no more than the positive u of the
        block add up to, and below it by no more than the negative ones.
        """
        blocks = len(self.order) // _BLOCK
        if self.ends is not None or not blocks:
            none = np.empty(0)
            return _Reach(_largest(self.sums(u, room), absent), none, none)
        part = room[: len(self.order)]
        np.take(u, self.order, out=part, mode="clip")
        body, tail = part[: blocks * _BLOCK].reshape(blocks, _BLOCK), part[blocks * _BLOCK :]
        total = body.sum(axis=1)
        end = np.cumsum(total)
        known = _largest(np.concatenate([end, end[-1] + np.cumsum(tail)]), absent)
        size = np.abs(body, out=body).sum(axis=1)
        begin = end - total
        high, low = begin + (size + total) / 2, begin - (size - total) / 2
        return _Reach(known, begin, np.maximum(high + max(absent, 0.0), -low - min(absent, 0.0)))

    def inside(self, block: NDArray[np.intp], begin: Floats, u: Floats, absent: float) -> float:
        """The largest |Σ u| over the rows of some blocks, given the sums where they begin."""
        rows = self.order[: len(begin) * _BLOCK].reshape(-1, _BLOCK)[block]
        return _largest(begin[block, None] + np.cumsum(u[rows], axis=1), absent)

    def sums(self, u: Floats, room: Floats) -> Floats:
        """Σ u over the rows at or above each distinct value, from the largest value down."""
        part = room[: len(self.order)]
        np.take(u, self.order, out=part, mode="clip")  # "clip" as "raise" would need a copy
        np.cumsum(part, out=part)
        return part if self.ends is None else part[self.ends]


class ThresholdRankers:
    """All weak rankers 1[x > θ] of a matrix; its columns are sorted once.

    θ is any value of the feature in these rows but its largest, or −∞ where values are missing,
    and a missing value counts as 0 or as 1, whichever ranks better.
    """

    def __init__(self, features: Floats) -> None:
        self._columns = features
        self._sorted = [_Feature.sorted(column) for column in features.T]

    def best(self, u: Floats) -> tuple[ThresholdRanker, float]:
        """The weak ranker h with the largest |r|, r = Σᵢ uᵢ·h(xᵢ), and its r.

        u is what Freund et al. (2003) call the potential: the weights of the positives, and those
        of the negatives with a minus. It sums to 0. One pass over each column, and a second over
        those blocks of it that may hold the largest.
        """
        room = np.empty(len(u))
        absent = [float(u[f.missing].sum()) for f in self._sorted]
        reaches = [f.reach(u, room, gone) for f, gone in zip(self._sorted, absent, strict=True)]
        most = np.array([reach.known for reach in reaches])
        for at, reach in enumerate(reaches):
            near = np.flatnonzero(reach.bound >= most.max() - 2 * AS_GOOD)
            if len(near):
                inside = self._sorted[at].inside(near, reach.begin, u, absent[at])
                most[at] = max(most[at], inside)
        at = int(np.argmax(most >= most.max() - AS_GOOD))
        return self._at(at, u, absent[at])

    def _at(self, at: int, u: Floats, absent: float) -> tuple[ThresholdRanker, float]:
        """The first threshold of a feature, from the top, that is as good as its best."""
        feature = self._sorted[at]
        sums = feature.sums(u, np.empty(len(u)))
        most = _largest(sums, absent)
        for missing in (0.0, 1.0):
            r = sums + missing * absent
            good = np.abs(r) >= most - AS_GOOD
            if good.any():
                place = int(np.argmax(good))
                return ThresholdRanker(at, self._below(at, place), missing), float(r[place])
        # a feature without any value: h is 0 everywhere
        return ThresholdRanker(at, -np.inf, 0.0), 0.0

    def _below(self, at: int, place: int) -> float:
        """The next smaller value: above it are the rows of the first distinct values."""
        feature = self._sorted[at]
        ends = feature.ends
        start = place + 1 if ends is None else int(ends[place]) + 1
        if start >= len(feature.order):
            return -np.inf
        return float(self._columns[feature.order[start], at])

    def values(self, ranker: ThresholdRanker) -> Floats:
        """A weak ranker on every row."""
        return ranker.values(self._columns[:, ranker.feature])


def _largest(sums: Floats, absent: float) -> float:
    """The largest |Σ| with the missing rows counted as 0 or as 1."""
    if not sums.size:
        return 0.0
    low, high = float(sums.min()), float(sums.max())
    return max(high, -low, high + absent, -(low + absent))

"""Labelings with a given average precision: exact search, for short lists."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.evidence import Release
from rocsolid.leaks.lattice import SearchOutcome, System, pairs
from rocsolid.leaks.query_bits import subset_sums

_CHUNK = 1 << 15
_MARGIN = 1e-12  # for float64 sums of at most 60 terms; closer cases use fractions


class PrecisionSearch:
    """A search for average precision by two half lists, for each number of positives above the cut.

    With c_g positives among the N_g rows down to score g, C_g of them from the cut on and k above
    it, n₁·AP = (part above) + Σ c_g·C_g/N_g + k·Σ c_g/N_g. For given k the right side is a sum of
    two numbers, one for each half.

    >>> release = Release([4, 3, 2, 1], "5/6", measure="average-precision")
    >>> search = PrecisionSearch([release], np.zeros(4, bool), np.zeros(4, bool))
    >>> search.find(2, System(np.ones((1, 4), np.int64), (2,), (2,)), 100).labelings
    (array([ True, False,  True, False]),)
    """

    def __init__(
        self, releases: list[Release], labels: NDArray[np.bool_], is_known: NDArray[np.bool_]
    ) -> None:
        self._releases = releases
        self._labels, self._is_known = labels, is_known
        ranks = releases[0].ranks
        self._order = np.argsort(-ranks, kind="stable")
        falling = ranks[self._order]
        ends = np.append(np.flatnonzero(np.diff(falling)) + 1, len(falling))
        unknown = np.cumsum(~is_known[self._order])
        # the cut with the shortest longer list of subsets
        longer = np.maximum(unknown[ends - 1], unknown[-1] - unknown[ends - 1])
        self._cut = int(ends[np.argmin(longer)])
        self._lists = 2 ** int(unknown[self._cut - 1]) + 2 ** int(
            unknown[-1] - unknown[self._cut - 1]
        )
        self._ends = ends.tolist()
        self._halves: tuple[_Half, _Half] | None = None

    def find(self, n_pos: int, question: System, work: int) -> SearchOutcome:
        """Find the labelings with ``n_pos`` positives that fit the releases and the linear rows."""
        spent = 0
        if self._halves is None:
            if self._lists > work:
                return SearchOutcome((), False, 0)
            spent = self._lists
            self._halves = self._half(0, self._cut), self._half(self._cut, len(self._labels))
        top, bottom = self._halves
        value, reach = _target(self._releases[0])
        kept: list[NDArray[np.bool_]] = []
        count, ones = 0, np.zeros(len(self._labels), dtype=np.int64)
        for k in range(n_pos + 1):
            upper, lower = top.of_size(k), bottom.of_size(n_pos - k)
            sums = bottom.own[lower] + k * bottom.shift[lower]
            order = np.argsort(sums, kind="stable")
            sums, lower = sums[order], lower[order]
            low = n_pos * (value - reach - _MARGIN) - top.own[upper]
            high = n_pos * (value + reach + _MARGIN) - top.own[upper]
            begin = np.searchsorted(sums, low, "left")
            end = np.searchsorted(sums, high, "right")
            total = int((end - begin).sum())
            spent += total
            if spent > work:
                return SearchOutcome(tuple(kept), False, spent)
            for first in range(0, total, _CHUNK):
                up, down = pairs(begin, end, first, min(first + _CHUNK, total))
                y = np.empty((len(up), len(self._labels)), dtype=bool)
                y[:, self._order[: self._cut]] = top.labelings(upper[up])
                y[:, self._order[self._cut :]] = bottom.labelings(lower[down])
                y = y[question.fits(y[:, ~self._is_known])]
                for release in self._releases:
                    y = y[fits(release, y)]
                count += len(y)
                ones += y.sum(axis=0)
                kept += list(y[: 2 - len(kept)])
        free = ~self._is_known
        return SearchOutcome(
            tuple(y[free] for y in kept), True, spent, count, tuple(ones[free].tolist())
        )

    def _half(self, begin: int, end: int) -> _Half:
        rows = self._order[begin:end]
        unknown = np.flatnonzero(~self._is_known[rows])
        base = int((self._labels[rows].astype(np.int64) << np.arange(end - begin)).sum())
        codes = base + subset_sums(np.int64(1) << unknown.astype(np.int64))
        return _Half(codes, begin, [e for e in self._ends if begin < e <= end])


class _Half:
    """The labelings of the rows from ``begin`` on, as bits, with their parts of n₁·AP."""

    def __init__(self, codes: NDArray[np.int64], begin: int, ends: list[int]) -> None:
        self.codes = codes
        self.width = ends[-1] - begin if ends else 0
        self.own = np.zeros(len(codes))
        self.shift = np.zeros(len(codes))
        self.size = np.zeros(len(codes), dtype=np.int64)
        place = begin
        for end in ends:
            mask = np.int64((1 << (end - place)) - 1) << np.int64(place - begin)
            group = np.bitwise_count(codes & mask).astype(np.int64)
            self.size += group
            self.own += group * self.size / end
            self.shift += group / end
            place = end

    def of_size(self, size: int) -> NDArray[np.intp]:
        return np.flatnonzero(self.size == size)

    def labelings(self, which: NDArray[np.intp]) -> NDArray[np.bool_]:
        return (self.codes[which][:, None] >> np.arange(self.width) & 1).astype(bool)


def fits(release: Release, y: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask of labelings (one per row) with the released average precision."""
    value, reach = _target(release)
    off = np.abs(_values(release.ranks, y) - value) - reach
    inside = off < 0
    for row in np.flatnonzero(np.abs(off) <= _MARGIN):
        inside[row] = release.fits(y[row])
    return np.asarray(inside)


def _values(ranks: NDArray[np.int64], y: NDArray[np.bool_]) -> NDArray[np.float64]:
    order = np.argsort(-ranks, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(ranks[order])) + 1, len(ranks))
    hits = np.cumsum(y[:, order], axis=1)[:, ends - 1]
    steps = np.diff(hits, axis=1, prepend=0)
    return np.asarray((steps * hits / ends).sum(axis=1) / np.maximum(hits[:, -1], 1))


def _target(release: Release) -> tuple[float, float]:
    value, half_unit = release.number
    return float(value), float(half_unit + Fraction(release.tolerance))

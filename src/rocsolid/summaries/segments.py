"""Blocks of streamed rows, and stretches of keys with partly known pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.summaries.moments import exact_dot
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.summaries.score_keys import KeyCells, Keys, KnownPairs, ScoreType

ROWS = 1 << 19
"""Rows in a block, which takes some tens of MB with its sort."""

Block = tuple[NDArray[np.bool_], NDArray[Any]]


class ScoreBuffer:
    """Cuts a stream of rows into blocks of ``ROWS``, for batches of any size.

    >>> buffer = ScoreBuffer("float64")
    >>> list(buffer.add(np.array([True]), np.array([7.0])))
    []
    >>> buffer.waiting
    (array([ True]), array([7.]))
    """

    __slots__ = ("_count", "_positive", "_score")

    def __init__(self, kind: ScoreType) -> None:
        self._count = 0
        self._positive = np.empty(0, dtype=np.bool_)
        self._score = np.empty(0, dtype=kind)

    def add(self, positive: NDArray[np.bool_], score: NDArray[Any]) -> Iterator[Block]:
        start = 0
        while start < len(score):
            if not self._count and len(score) - start >= ROWS:  # without waiting rows, no copy
                yield positive[start : start + ROWS], score[start : start + ROWS]
                start += ROWS
                continue
            if not len(self._score):
                self._positive = np.empty(ROWS, dtype=np.bool_)
                self._score = np.empty(ROWS, dtype=self._score.dtype)
            taken = min(ROWS - self._count, len(score) - start)
            self._positive[self._count : self._count + taken] = positive[start : start + taken]
            self._score[self._count : self._count + taken] = score[start : start + taken]
            self._count += taken
            start += taken
            if self._count == ROWS:
                self._count = 0
                yield self._positive, self._score

    @property
    def waiting(self) -> Block:
        return self._positive[: self._count], self._score[: self._count]

    def drain(self) -> Block:
        waiting = self.waiting
        self._count = 0
        return waiting


ROW_BYTES = 16  # a key, and its copy during the sort

_Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class KeyStretches:
    """Stretches that partition all keys, with the most rows of each class in each.

    Stretch i begins at the key ``start[i]`` and ends before ``start[i + 1]``. The order within
    ``resolved`` stretches is known: ``inside`` is their number of doubled wins.
    """

    start: Keys
    pos: _Counts
    neg: _Counts
    resolved: NDArray[np.bool_]
    inside: int = 0

    @classmethod
    def of(cls, cells: KeyCells) -> KeyStretches:
        """The stretches between the ends of cells; the rows of a cell may be in each part of it.

        If no cells are nested, a stretch is a cell or has no rows.

        >>> low, level = np.array([0, 4], dtype=np.uint64), np.array([2, 0], dtype=np.uint8)
        >>> found = KeyStretches.of(KeyCells(low, level, np.array([2, 1]), np.array([3, 1])))
        >>> found.start.tolist(), found.pos.tolist(), found.resolved.tolist()
        ([0, 4, 5], [2, 1, 0], [False, True, True])
        """
        last = cells.last
        inner = last < np.uint64(2**64 - 1)  # cells with a larger key
        behind = last[inner] + np.uint64(1)
        start = np.unique(np.concatenate([np.zeros(1, dtype=np.uint64), cells.low, behind]))
        begins, ends = np.searchsorted(start, cells.low), np.searchsorted(start, behind)

        def covering(counts: _Counts) -> _Counts:
            change = np.zeros(len(start), dtype=np.int64)
            np.add.at(change, begins, counts)
            np.subtract.at(change, ends, counts[inner])
            return np.cumsum(change)

        pos, neg = covering(cells.pos), covering(cells.neg)
        return cls(start, pos, neg, _single(start) | (pos == 0) | (neg == 0))

    def chosen(self, memory: int, rows: int) -> NDArray[np.bool_]:
        """The stretches to resolve next: the most unknown pairs for each stored row.

        The rows of the stretches fit into ``memory`` bytes; ``rows`` is the number of all rows.
        """
        if rows * ROW_BYTES <= memory:
            return ~self.resolved
        most = self.pos + self.neg
        small = np.flatnonzero(~self.resolved & (most * ROW_BYTES <= memory))
        gain = self.pos[small] / most[small] * self.neg[small]
        order = small[np.argsort(-gain, kind="stable")]
        chosen = np.zeros(len(self.start), dtype=np.bool_)
        chosen[order[np.cumsum(most[order]) * ROW_BYTES <= memory]] = True
        if not chosen.any() and not self.resolved.all():
            raise InputError(
                "the rows of no bucket fit into this memory",
                where="memory",
                value=memory,
                fix=f"give at least {int(most[~self.resolved].min()) * ROW_BYTES:,} bytes",
            )
        return chosen

    def counted(
        self, pos: _Counts, neg: _Counts, chosen: NDArray[np.bool_], kept: SortedClasses
    ) -> KeyStretches:
        """The stretches after a pass over all rows, with exact counts and the stored rows."""
        inside = self.inside
        if len(kept.pos) and len(kept.neg):
            # all wins among the stored rows minus those between different stretches
            between = _wins_between(np.where(chosen, pos, 0), np.where(chosen, neg, 0))
            inside += Placements.from_sorted(kept).doubled_wins - 2 * between
        # a tie of one score is exact from its counts, without stored rows
        known = self.resolved | chosen | (pos == 0) | (neg == 0)
        return KeyStretches(self.start, pos, neg, known, inside)

    def pairs(self) -> KnownPairs:
        m, n = int(self.pos.sum()), int(self.neg.sum())
        ties = np.where(_single(self.start), self.neg, 0)
        unknown = np.where(self.resolved, 0, self.neg)
        doubled = 2 * _wins_between(self.pos, self.neg) + exact_dot(self.pos, ties, m * n)
        return KnownPairs(m, n, doubled + self.inside, exact_dot(self.pos, unknown, m * n))


def _single(start: Keys) -> NDArray[np.bool_]:
    """Whether each stretch is a single score; the last may end after the largest key."""
    single = np.empty(len(start), dtype=np.bool_)
    single[:-1] = start[1:] - start[:-1] == 1
    single[-1] = start[-1] == np.uint64(2**64 - 1)
    return single


def _wins_between(pos: _Counts, neg: _Counts) -> int:
    """The pairs of a positive and a negative in a lower stretch."""
    lower = np.cumsum(neg) - neg
    return exact_dot(pos, lower, int(pos.sum()) * int(neg.sum()))

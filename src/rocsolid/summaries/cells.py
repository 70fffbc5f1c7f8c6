"""Counts of positives and negatives in dyadic cells of scores: what a sketch keeps of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.exact_dot import exact_dot
from rocsolid.summaries.runs import run_begins
from rocsolid.summaries.score_counts import total
from rocsolid.summaries.score_keys import Keys

LEVELS = 64
_OFFSETS = np.array([(1 << level) - 1 for level in range(LEVELS + 1)], dtype=np.uint64)

_Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class KnownPairs:
    """What is known of all pairs of a positive and a negative.

    Pairs in the right order count twice in ``doubled_wins``, tied ones once; ``unknown`` pairs may
    be in any order.
    """

    n_pos: int
    n_neg: int
    doubled_wins: int
    unknown: int


@dataclass(frozen=True, slots=True, eq=False)
class KeyCells:
    """How many positives and negatives lie in cells of keys, each counted in one cell only.

    A cell of level l holds the 2^l keys that agree in all but their last l bits; ``low`` is the
    smallest. Two cells are nested or apart, whatever data they come from, so that ``+`` of two
    tables is again such a table. A cell of level 0 is one score. The table ascends by ``low``, an
    outer cell before those inside it.

    >>> cells = KeyCells.of(np.array([2, 3], dtype=np.uint64), np.array([2], dtype=np.uint64))
    >>> cells.low.tolist(), cells.pos.tolist(), cells.neg.tolist()
    ([2, 3], [1, 1], [1, 0])
    >>> cells.pairs()
    KnownPairs(n_pos=2, n_neg=1, doubled_wins=3, unknown=0)
    """

    low: Keys
    level: NDArray[np.uint8]
    pos: _Counts
    neg: _Counts

    @classmethod
    def empty(cls) -> KeyCells:
        none = np.zeros(0, dtype=np.int64)
        return cls(none.astype(np.uint64), none.astype(np.uint8), none, none)

    @classmethod
    def of(cls, pos: Keys, neg: Keys) -> KeyCells:
        """One cell of level 0 for each distinct key; the keys of each class ascend."""
        return _of_class(pos, True) + _of_class(neg, False)

    def __len__(self) -> int:
        return len(self.low)

    def __add__(self, other: KeyCells) -> KeyCells:
        return combined(
            np.concatenate([self.low, other.low]),
            np.concatenate([self.level, other.level]),
            np.concatenate([self.pos, other.pos]),
            np.concatenate([self.neg, other.neg]),
        )

    @property
    def last(self) -> Keys:
        """The largest key of each cell."""
        return self.low | _OFFSETS[self.level]

    @property
    def n_pos(self) -> int:
        return int(total(self.pos))

    @property
    def n_neg(self) -> int:
        return int(total(self.neg))

    def below(self, counts: _Counts) -> tuple[_Counts, _Counts]:
        """For a row of each cell: the doubled number of ``counts`` below it, and how many may be.

        ``counts`` is one of the two columns. Rows of cells that end before this one begins are
        below. Those of the same single score are tied, and count once. Those of nested cells may be
        below, tied or above, and are the second array.
        """
        last = self.last
        by_end = np.argsort(last, kind="stable")
        ended = _from_zero(counts[by_end])[np.searchsorted(last[by_end], self.low)]
        begun = _from_zero(counts)[np.searchsorted(self.low, last, side="right")]
        tied = np.where(self.level == 0, counts, 0)
        return 2 * ended + tied, begun - ended - tied

    def pairs(self) -> KnownPairs:
        """How many pairs are in order, tied, or unknown, exactly.

        Of two cells apart, every score of one is below every score of the other. So only pairs in
        nested cells are unknown: Σ P_b·N_b over the cells b where none contains another, less what
        is tied for certain in cells of a single score.
        """
        m, n = self.n_pos, self.n_neg
        doubled, unknown = self.below(self.neg)
        bound = 2 * m * n
        return KnownPairs(
            m, n, exact_dot(self.pos, doubled, bound), exact_dot(self.pos, unknown, bound)
        )


def combined(low: Keys, level: NDArray[np.uint8], pos: _Counts, neg: _Counts) -> KeyCells:
    """The table of these cells in any order; counts of a cell that occurs twice are added up."""
    order = np.argsort(low, kind="stable")  # fast, as the cells are mostly one or two sorted runs
    same = ~run_begins(low[order])
    if (level[order[1:]] > level[order[:-1]])[same[1:]].any():
        tied = order[some := np.flatnonzero(same | np.append(same[1:], False))]
        order[some] = tied[np.lexsort((LEVELS - level[tied], low[tied]))]
    low, level = low[order], level[order]
    pos, neg = pos[order], neg[order]
    starts = np.flatnonzero(run_begins(low) | run_begins(level))
    if len(starts) < len(low):
        low, level = low[starts], level[starts]
        pos, neg = np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)
    return KeyCells(low, level, pos, neg)


def cell_low(key: Keys, level: NDArray[np.uint8]) -> Keys:
    """The smallest key of the cell of this level that holds the key.

    >>> cell_low(np.array([13], dtype=np.uint64), np.array([2], dtype=np.uint8))
    array([12], dtype=uint64)
    """
    low: Keys = key & ~_OFFSETS[level]
    return low


def _of_class(key: Keys, positive: bool) -> KeyCells:
    starts = np.flatnonzero(run_begins(key))
    count = np.diff(starts, append=len(key)).astype(np.int64, copy=False)
    none, level = np.zeros_like(count), np.zeros(len(starts), dtype=np.uint8)
    pos, neg = (count, none) if positive else (none, count)
    return KeyCells(key[starts], level, pos, neg)


def _from_zero(counts: _Counts) -> NDArray[Any]:
    sums = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums

"""Rows of many groups, laid out group after group, without a loop over the groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.groups import stable_order

# Groups up to this size are worked on side by side as the rows of a matrix; a larger one is work
# enough to be handled alone.
ALONE = 4096
_CELLS = 1 << 17  # cells of one matrix: in cache

_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The rows ordered by group: group g holds ``order[start[g] : start[g] + size[g]]``.

    ``omitted`` counts the rows of each group that were left out before, as their score is missing.

    >>> groups = Groups.of(np.array([1, 0, 1]), 2)
    >>> groups.rows(1)
    array([0, 2])
    """

    order: NDArray[np.intp]
    start: _INT
    size: _INT
    omitted: _INT

    @classmethod
    def of(cls, code: _INT, count: int, left_out: _INT | None = None) -> Groups:
        """From each row's group number, 0 to count − 1, and those of the rows left out."""
        size = np.bincount(code, minlength=count)
        gone = np.bincount([] if left_out is None else left_out, minlength=count)
        return cls(stable_order(code), np.cumsum(size) - size, size, gone.astype(np.int64))

    def __len__(self) -> int:
        return len(self.size)

    def rows(self, group: int) -> NDArray[np.intp]:
        """The rows of one group, in their original order."""
        return self.order[self.start[group] : self.start[group] + self.size[group]]

    def matrices(self) -> Iterator[tuple[_INT, NDArray[np.intp], NDArray[np.bool_]]]:
        """Small groups of like size, the matrix of their rows, and which of its cells are real.

        A shorter group is padded with repeats of its last row, marked as not real.
        """
        small = np.flatnonzero((self.size > 0) & (self.size <= ALONE))
        small = small[np.argsort(self.size[small], kind="stable")]
        ascending = self.size[small]
        first = 0
        while first < len(small):
            # as many groups as fill the matrix, none more than a quarter shorter than the longest
            shortest = int(ascending[first])
            alike = np.searchsorted(ascending, max(shortest + 1, shortest * 4 // 3), side="right")
            last = min(int(alike), first + max(1, _CELLS // shortest))
            some = small[first:last]
            size, column = self.size[some][:, None], np.arange(int(ascending[last - 1]))
            rows = self.order[self.start[some][:, None] + np.minimum(column, size - 1)]
            yield some, rows, column < size
            first = last

    def large(self) -> Iterator[int]:
        """The groups that ``matrices`` leaves out for their size."""
        yield from np.flatnonzero(self.size > ALONE).tolist()

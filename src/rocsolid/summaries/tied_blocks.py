"""Blocks of equal scores in ranked lists, and what is the same for all documents of a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]
_Cell = TypeVar("_Cell", bound=np.generic)


_FEW = 16  # levels of a gain: up to so many it is faster to compare with each in turn


@dataclass(frozen=True, slots=True, eq=False)
class TiedBlocks:
    """The blocks of a matrix of ranked lists, row after row; a document without a tie is one too.

    Block b begins at ``start[b]`` of the flattened matrix and holds ``size[b]`` documents.

    >>> blocks = TiedBlocks.of(np.array([[True, False, True], [True, True, False]]))
    >>> blocks.start, blocks.size
    (array([0, 2, 3, 4]), array([2, 1, 1, 2]))
    """

    start: _INT
    size: _INT
    shape: tuple[int, int]

    @classmethod
    def of(cls, starts: NDArray[np.bool_]) -> TiedBlocks:
        """From the cells where a new block begins; the first cell of each row must be one."""
        start = np.flatnonzero(starts)
        return cls(start, np.diff(np.append(start, starts.size)), (len(starts), starts.shape[1]))

    @property
    def rank_before(self) -> _INT:
        """The number of documents above each block."""
        return self.start % self.shape[1]

    @property
    def block(self) -> _INT:
        """The number of the block that each cell belongs to."""
        return np.repeat(np.arange(len(self.start)), self.size).reshape(self.shape)

    @property
    def row(self) -> _INT:
        """The list that each block belongs to."""
        return self.start // self.shape[1]

    def totals(self, matrix: _FLOATS) -> _FLOATS:
        """The sum of the cells of each block."""
        totals: _FLOATS = np.add.reduceat(matrix.ravel(), self.start)
        return totals

    def spread(self, per_block: NDArray[np.float64] | _INT) -> _FLOATS:
        """A matrix that holds each block's number in all its cells."""
        return np.repeat(per_block.astype(np.float64), self.size).reshape(self.shape)

    def means(self, matrix: _FLOATS) -> _FLOATS:
        """The matrix with each cell replaced by the mean of its block.

        >>> blocks = TiedBlocks.of(np.array([[True, False, True]]))
        >>> blocks.means(np.array([[1.0, 0.0, 3.0]]))
        array([[0.5, 0.5, 3. ]])
        """
        # taken from the block's first cell on, so that the mean of equal numbers is that number
        first = matrix.ravel()[self.start]
        return self.spread(first + self.totals(matrix - self.spread(first)) / self.size)

    def within(self, rows: NDArray[np.intp]) -> TiedBlocks:
        """The blocks of some of the lists.

        >>> blocks = TiedBlocks.of(np.array([[True, False], [True, True]]))
        >>> blocks.within(np.array([1])).size
        array([1, 1])
        """
        starts = np.zeros(self.shape, dtype=np.bool_)
        starts.ravel()[self.start] = True
        return TiedBlocks.of(starts[rows])

    def sorted_within(self, matrix: _FLOATS) -> _FLOATS:
        """The matrix with the cells of each block in ascending order.

        >>> blocks = TiedBlocks.of(np.array([[True, False, True]]))
        >>> blocks.sorted_within(np.array([[2.0, 1.0, 0.0]]))
        array([[1., 2., 0.]])
        """
        # (block, value) as one integer, so that a plain sort does it
        levels = np.unique(matrix)
        block = self.block * len(levels)
        key = block.copy()
        if len(levels) > _FEW:
            key += np.searchsorted(levels, matrix)
        else:
            for level in levels[1:]:
                key += matrix >= level
        key.sort(axis=1)  # which leaves every block where it was
        ordered: _FLOATS = levels[key - block]
        return ordered

    def turned(self, matrix: NDArray[_Cell]) -> NDArray[_Cell]:
        """The matrix with the order within each block reversed.

        >>> blocks = TiedBlocks.of(np.array([[True, False, True]]))
        >>> blocks.turned(np.array([[1.0, 2.0, 0.0]]))
        array([[2., 1., 0.]])
        """
        ends = np.repeat(2 * self.start + self.size - 1, self.size)
        return matrix.ravel()[ends - np.arange(matrix.size)].reshape(self.shape)

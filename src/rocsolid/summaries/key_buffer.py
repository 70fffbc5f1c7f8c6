"""Rows that wait until there are enough of them to be worth a sort."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.score_keys import Keys

ROWS = 1 << 18
"""Rows handled at once: a block of them with all that its sort needs takes some tens of MB."""

Block = tuple[NDArray[np.bool_], Keys]


class KeyBuffer:
    """Cuts a stream of rows into blocks of ``ROWS``, however it was cut into batches before.

    >>> buffer = KeyBuffer()
    >>> list(buffer.add(np.array([True]), np.array([7], dtype=np.uint64)))
    []
    >>> buffer.waiting
    (array([ True]), array([7], dtype=uint64))
    """

    __slots__ = ("_count", "_key", "_positive")

    def __init__(self) -> None:
        self._count = 0
        self._positive = np.empty(0, dtype=np.bool_)
        self._key = np.empty(0, dtype=np.uint64)

    def add(self, positive: NDArray[np.bool_], key: Keys) -> Iterator[Block]:
        """Every block that these rows complete."""
        start = 0
        while start < len(key):
            if not self._count and len(key) - start >= ROWS:  # nothing waits: no copy is needed
                yield positive[start : start + ROWS], key[start : start + ROWS]
                start += ROWS
                continue
            if not len(self._key):
                self._positive = np.empty(ROWS, dtype=np.bool_)
                self._key = np.empty(ROWS, dtype=np.uint64)
            taken = min(ROWS - self._count, len(key) - start)
            self._positive[self._count : self._count + taken] = positive[start : start + taken]
            self._key[self._count : self._count + taken] = key[start : start + taken]
            self._count += taken
            start += taken
            if self._count == ROWS:
                self._count = 0
                yield self._positive, self._key

    @property
    def waiting(self) -> Block:
        """The rows of the block that is not complete yet."""
        return self._positive[: self._count], self._key[: self._count]

    def drain(self) -> Block:
        """The rows that wait, which then wait no more."""
        waiting = self.waiting
        self._count = 0
        return waiting

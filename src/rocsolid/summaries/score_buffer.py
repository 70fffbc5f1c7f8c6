"""Rows that wait until there are enough of them to be worth a sort."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.score_keys import ScoreType

ROWS = 1 << 19
"""Rows handled at once: a block of them with all that its sort needs takes some tens of MB."""

Block = tuple[NDArray[np.bool_], NDArray[Any]]


class ScoreBuffer:
    """Cuts a stream of rows into blocks of ``ROWS``, however it was cut into batches before.

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
        """Every block that these rows complete."""
        start = 0
        while start < len(score):
            if not self._count and len(score) - start >= ROWS:  # nothing waits: no copy is needed
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
        """The rows of the block that is not complete yet."""
        return self._positive[: self._count], self._score[: self._count]

    def drain(self) -> Block:
        """The rows that wait, which then wait no more."""
        waiting = self.waiting
        self._count = 0
        return waiting

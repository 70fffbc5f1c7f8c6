"""The ROC curve as a walk: up for a positive, right for a negative, from the best score down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]


def bends(fpr: _FLOATS, tpr: _FLOATS) -> NDArray[np.bool_]:
    """The ends, and every corner where the direction changes."""
    keep = np.ones(len(fpr), dtype=bool)
    right, up = np.diff(fpr), np.diff(tpr)
    keep[1:-1] = right[:-1] * up[1:] != right[1:] * up[:-1]
    return keep


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """How far up and how far right each distinct score moves, highest score first.

    Iterating yields the moves in words: rows of one class go one step at a time; equal scores of
    both classes go at once, along a diagonal. The walk is every label in the order of the scores:
    publishing it publishes the labels.

    >>> print(Path(np.array([1, 0, 2]), np.array([0, 1, 1])))
    up, right, diagonal (2 up, 1 right)
    """

    up: NDArray[np.int64]
    right: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of moves: a row of one class is one, a diagonal is one."""
        mixed = (self.up > 0) & (self.right > 0)
        return int(np.where(mixed, 1, self.up + self.right).sum())

    def __iter__(self) -> Iterator[str]:
        for up, right in zip(self.up.tolist(), self.right.tolist(), strict=True):
            if up and right:
                yield f"diagonal ({up} up, {right} right)"
            else:
                yield from ["up"] * up + ["right"] * right

    def __str__(self) -> str:
        return ", ".join(self)

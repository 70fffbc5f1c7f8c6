"""Several releases together: integer rows that the unknown labels must satisfy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.evidence import Line


@dataclass(frozen=True)
class System:
    """low ≤ weights·y ≤ high for y ∈ {0, 1}^f, row by row: integers of at most 2^52 in all."""

    weights: NDArray[np.int64]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def free(self) -> int:
        """The number of unknown labels."""
        return int(self.weights.shape[1])

    def fits(self, y: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of the labelings (one a row) satisfy every row."""
        sums = y.astype(np.int64) @ self.weights.T
        low, high = np.array(self.low, np.int64), np.array(self.high, np.int64)
        return np.asarray(((low <= sums) & (sums <= high)).all(axis=1))


def system(
    lines: Sequence[Line], labels: NDArray[np.bool_], is_known: NDArray[np.bool_]
) -> System | None:
    """Take out the known labels, divide by common factors, drop rows that say nothing.

    None where a row cannot be met at all.

    >>> system([Line(np.array([2, 4, 6]), 5, 7)], np.zeros(3, bool), np.zeros(3, bool))
    System(weights=array([[1, 2, 3]]), low=(3,), high=(3,))
    """
    rows, low, high = [], [], []
    for line in lines:
        weights = line.weights[~is_known]
        taken = int(line.weights[labels].sum())
        factor = int(np.gcd.reduce(weights)) if len(weights) else 0
        factor = factor or 1
        weights = weights // factor
        least = -((taken - line.low) // factor)
        most = (line.high - taken) // factor
        smallest, largest = int(weights[weights < 0].sum()), int(weights[weights > 0].sum())
        least, most = max(least, smallest), min(most, largest)
        if least > most:
            return None
        if (least, most) != (smallest, largest):
            rows.append(weights)
            low.append(least)
            high.append(most)
    free = int((~is_known).sum())
    return System(np.array(rows, np.int64).reshape(len(rows), free), tuple(low), tuple(high))

"""The rows whose labels can be guessed most surely."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class ExposedRow(NamedTuple):
    """A row, its likelier label, and how likely that is."""

    row: int
    label: int
    probability: float


def most_exposed(
    probability: NDArray[np.float64], known: Collection[int], k: int
) -> list[ExposedRow]:
    """The ``k`` rows, those of known label left out, with P(y = 1) farthest from ½.

    >>> most_exposed(np.array([0.5, 0.9, 0.05, 1.0]), {3}, 2)
    [ExposedRow(row=2, label=0, probability=0.95), ExposedRow(row=1, label=1, probability=0.9)]
    """
    sure = np.maximum(probability, 1 - probability)
    sure[list(known)] = -1.0
    rows = np.argsort(-sure, kind="stable")[: max(0, min(k, len(sure) - len(known)))]
    return [ExposedRow(int(row), int(probability[row] > 0.5), float(sure[row])) for row in rows]

"""Weights in units of a power of two for each class, so that their squares fit into a float."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.score_counts import ScoreCounts

_POWER = 1000  # both powers of a number up to this are floats themselves


@dataclass(frozen=True, slots=True)
class Scale:
    """What weights of each class are multiplied by; the largest comes near 1, or near enough.

    A power of two loses nothing, and no AUC, variance or area depends on the unit of the weights of
    a class: only squares of very large or small ones would overflow or vanish.

    >>> scale = Scale.of(3e300, 5.0)
    >>> scale.neg, scale.pos * 3e300 < 1
    (0.125, True)
    """

    pos: float = 1.0
    neg: float = 1.0

    @classmethod
    def of(cls, most_pos: float, most_neg: float) -> Scale:
        """From the largest weight of each class."""
        return cls(_unit(most_pos), _unit(most_neg))

    def down(self, weight: NDArray[np.float64], positive: NDArray[np.bool_]) -> NDArray[np.float64]:
        scaled: NDArray[np.float64] = weight * np.where(positive, self.pos, self.neg)
        return scaled

    def of_kinds(
        self,
        pos: NDArray[np.int64],
        neg: NDArray[np.int64],
        weight: NDArray[np.float64],
        power: int = 1,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What the rows of either class of kinds with these counts weigh together."""
        # a weight of the other class may be too large for the unit of this one
        of_pos, of_neg = np.where(pos > 0, weight, 0.0), np.where(neg > 0, weight, 0.0)
        return pos * (of_pos * self.pos) ** power, neg * (of_neg * self.neg) ** power

    def up(self, table: ScoreCounts) -> ScoreCounts:
        """The table with the weights as they came."""
        return ScoreCounts(table.score, table.pos / self.pos, table.neg / self.neg)


AS_IT_CAME = Scale()
"""Weights in their own unit."""


def _unit(most: float) -> float:
    return math.ldexp(1.0, -max(min(math.frexp(most)[1], _POWER), -_POWER))

"""The scores of each class in ascending order: one sort a class, then everything streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.side_by_side import side_by_side


@dataclass(frozen=True, slots=True, eq=False)
class SortedClasses:
    """The positives' scores and the negatives' scores, each ascending."""

    pos: NDArray[Any]
    neg: NDArray[Any]

    @classmethod
    def from_arrays(cls, positive: NDArray[np.bool_], score: NDArray[Any]) -> SortedClasses:
        """Split by class and sort.

        >>> SortedClasses.from_arrays(np.array([True, False, True]), np.array([3, 2, 1])).pos
        array([1, 3])
        """
        pos, neg = side_by_side(
            lambda: _ascending(positive, score), lambda: _ascending(~positive, score), len(score)
        )
        return cls(pos, neg)

    def smaller_placements(self) -> NDArray[np.float64]:
        """For each row of the smaller class the share of the larger one on its right side.

        That is V10 where the positives are fewer (or as many), else V01; ties count half.

        >>> SortedClasses(np.array([1, 2]), np.array([0, 1, 1])).smaller_placements()
        array([0.66666667, 1.        ])
        """
        fewer_pos = len(self.pos) <= len(self.neg)
        small, big = (self.pos, self.neg) if fewer_pos else (self.neg, self.pos)
        below = (big.searchsorted(small) + big.searchsorted(small, side="right")) / (2 * len(big))
        return below if fewer_pos else 1.0 - below


def _ascending(member: NDArray[np.bool_], score: NDArray[Any]) -> NDArray[Any]:
    some = np.compress(member, score)  # twice as fast as boolean indexing here
    some.sort()
    return some

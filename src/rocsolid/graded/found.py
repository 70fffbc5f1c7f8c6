"""How many relevant documents a list holds down to a rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.graded.ranked_gains import RankedGains


def found_by(lists: RankedGains, rank: NDArray[np.int64]) -> NDArray[np.float64]:
    """The expected number of relevant documents among the first ``rank`` of each list.

    >>> lists = RankedGains(np.array([[1.0, 0.0, 1.0]]), np.array([3]), np.array([[1.0, 0.0, 1.0]]))
    >>> [float(found_by(lists, np.array([rank]))[0]) for rank in (0, 1, 3, 10)]
    [0.0, 1.0, 2.0, 2.0]
    """
    through = np.cumsum(lists.mean_gain, axis=1)
    at = np.minimum(rank, lists.width)
    found: NDArray[np.float64] = through[np.arange(len(lists)), np.maximum(at, 1) - 1]
    return np.where(at > 0, found, 0.0)

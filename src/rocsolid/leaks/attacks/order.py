"""Rankings as orders of the rows, the top one first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def scores_of(order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Scores that rank the rows so.

    >>> scores_of(np.array([2, 0, 1]))
    array([2, 1, 3])
    """
    scores = np.empty(len(order), dtype=np.intp)
    scores[order] = np.arange(len(order), 0, -1)
    return scores

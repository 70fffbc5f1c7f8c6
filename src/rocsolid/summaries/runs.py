"""Runs of equal scores: where they begin, and which run each row belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def run_begins(ascending: NDArray[Any]) -> NDArray[np.bool_]:
    """Which rows begin a new value; 0.0 and -0.0 are one value.

    >>> run_begins(np.array([1, 1, 2]))
    array([ True, False,  True])
    """
    new = np.empty(len(ascending), dtype=bool)
    new[:1] = True
    np.not_equal(ascending[1:], ascending[:-1], out=new[1:])
    return new


def distinct_scores(score: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The distinct scores, ascending, and the number of each row's score among them.

    >>> distinct_scores(np.array([3, 1, 3]))
    (array([1, 3]), array([1, 0, 1]))
    """
    # the fast sort may leave ties in any order; numbers of runs do not depend on it
    order = np.argsort(score)
    ascending = score[order]
    new = run_begins(ascending)
    run = np.empty(len(score), dtype=np.intp)
    run[order] = np.cumsum(new) - 1
    return ascending[new], run

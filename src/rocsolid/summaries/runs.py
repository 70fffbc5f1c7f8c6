"""Runs of equal scores: where they begin, and which run each row belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_MANY = 1 << 15  # from here on a sort of integers gains more than it takes to make them


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
    order = ascending_order(score)
    ascending = score[order]
    new = run_begins(ascending)
    run = np.empty(len(score), dtype=np.intp)
    run[order] = np.cumsum(new) - 1
    return ascending[new], run


def ascending_order(score: NDArray[Any]) -> NDArray[np.intp]:
    """What sorts the scores; ties may be left in any order."""
    by_prefix = score.dtype == np.float64 and len(score) >= _MANY
    return _order_by_prefix(score) if by_prefix else np.argsort(score)


def _order_by_prefix(score: NDArray[np.float64]) -> NDArray[np.intp]:
    """What sorts many floats: each one's leading bits and its row make one integer to sort.

    Sorting integers in place takes half as long as `argsort`. Only floats that share their leading
    bits may be left out of order; where any are, those are sorted again.
    """
    low = (1 << len(score).bit_length()) - 1
    bits = (score + 0.0).view(np.int64)  # -0.0 becomes 0.0
    key = bits ^ ((bits >> 63) & np.int64(2**63 - 1))  # negative floats fall as their bits grow
    key &= ~np.int64(low)
    key |= np.arange(len(score))
    key.sort()
    order = key & low
    ascending = score[order]
    if (ascending[1:] < ascending[:-1]).any():
        key >>= low.bit_length()
        same = key[1:] == key[:-1]
        shared = np.flatnonzero(np.append(same, False) | np.append(False, same))
        rows = order[shared]
        order[shared] = rows[np.argsort(score[rows])]
    return order

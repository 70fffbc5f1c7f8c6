"""How likely a reader who goes down the list is still reading: for measures of the first find."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.graded.ranked_gains import RankedGains

_FLOATS = NDArray[np.float64]


def survival(lists: RankedGains) -> _FLOATS:
    """P(still reading after each rank), where a document stops the reader with its ``gain``.

    Averaged exactly over the orders of tied documents. Without ties it is the running product of
    q = 1−gain. Within a block of b tied documents that the reader enters, P(still reading after j
    of them) is the mean of the product of q over all sets of j documents, e_j(q)/C(b, j) with e_j
    the elementary symmetric polynomial.

    >>> from rocsolid.summaries.tied_blocks import TiedBlocks
    >>> gain = np.array([[0.0, 1.0, 1.0]])
    >>> tied = TiedBlocks.of(np.array([[True, False, True]]))
    >>> survival(RankedGains(gain, np.array([3]), gain, tied))
    array([[0.5, 0. , 0. ]])
    """
    q: _FLOATS = 1.0 - lists.gain
    tied = lists.tied
    if tied is None:
        return np.asarray(np.cumprod(q, axis=1), dtype=np.float64)
    flat = q.ravel()
    within = flat.copy()
    for size in np.unique(tied.size[tied.size > 1]).tolist():
        starts = tied.start[tied.size == size]
        cells = starts[:, None] + np.arange(size)
        within[cells] = _mean_products(flat[cells])
    # The reader enters a block after surviving all of those above it. What is left after a block is
    # read off its last cell: multiplied anew it could differ by its last bit, and a list that is
    # padded to more columns would then count a stop in the padding.
    through = within[tied.start + tied.size - 1]
    before = _products_before(through, tied.row)
    return tied.spread(before) * within.reshape(q.shape)


def _mean_products(q: _FLOATS) -> _FLOATS:
    """For each row, the mean product over all sets of 1, 2, …, b of its b numbers.

    Adding a number q to n others turns the means p_j of products of j into
    ((n+1−j)·p_j + j·q·p_{j−1})/(n+1): sums of positive terms, so nothing cancels.
    """
    rows, size = q.shape
    means: _FLOATS = np.zeros((rows, size + 1))
    means[:, 0] = 1.0
    for n in range(size):
        j = np.arange(1, n + 2)
        means[:, 1 : n + 2] = (
            (n + 1 - j) * means[:, 1 : n + 2] + j * q[:, n : n + 1] * means[:, : n + 1]
        ) / (n + 1)
    return means[:, 1:]


def _products_before(through: _FLOATS, row: NDArray[np.int64]) -> _FLOATS:
    """The product of ``through`` over the blocks above each one in the same row."""
    begins = np.flatnonzero(np.diff(row, prepend=-1))
    place = np.arange(len(row)) - np.repeat(begins, np.diff(begins, append=len(row)))
    matrix: _FLOATS = np.ones((int(row[-1]) + 1, int(place.max()) + 2))
    matrix[row, place + 1] = through
    return np.asarray(np.cumprod(matrix, axis=1)[row, place], dtype=np.float64)

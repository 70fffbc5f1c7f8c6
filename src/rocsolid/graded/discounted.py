"""Discounted cumulative gain of ranked lists, up to a cut-off that may differ between lists."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts import Discount
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.graded.ranked_gains import RankedGains

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]


def discounted(gain: _FLOATS, discount: Discount, last: _INT) -> _FLOATS:
    """Σ gain·D(r) over the ranks r = 1, …, ``last`` ≥ 1 of each row (Järvelin, Kekäläinen 2002).

    The sum runs in the order of the ranks, whatever the matrix: a list has the same value to the
    last bit among any other lists, and so has its ideal if both are the same.

    >>> from rocsolid.discounts import zipf
    >>> discounted(np.array([[2.0, 3.0, 9.0]]), zipf(), np.array([2]))
    array([3.5])
    """
    last = np.minimum(last, gain.shape[1])
    width = int(last.max())
    values = discount.values(width)
    if len(gain) == 1:  # NumPy would sum a single column in another order
        sums: _FLOATS = np.cumsum(gain[:, :width] * values, axis=1)[:, -1]
        return sums
    # lists as columns: adding row to row is both the order of the ranks and the fastest there is
    terms = np.multiply(gain[:, :width].T, values[:, None], order="C")
    if int(last.min()) < width:
        terms[np.arange(width)[:, None] >= last] = 0.0
    return np.asarray(np.add.reduce(terms, axis=0))


def ranks_read(cutoff: Cutoff, lists: RankedGains) -> _INT:
    """The cut-off of each list as requested: beyond the list where the list is shorter.

    An empty list is read to rank 1, so that its ideal is not empty as well.

    >>> from rocsolid.discounts import frac
    >>> empty = RankedGains(np.zeros((1, 3)), np.array([0]), np.ones((1, 3)))
    >>> ranks_read(Cutoff(10), empty), ranks_read(Cutoff(), empty), ranks_read(frac(0.5), empty)
    (array([10]), array([3]), array([1]))
    """
    if cutoff.rule is None:
        return np.full(len(lists), lists.width)
    if isinstance(cutoff.rule, int):
        return np.full(len(lists), cutoff.rule)
    lengths, which = np.unique(lists.length, return_inverse=True)
    found = [cutoff.asked(int(n)) if n else 1 for n in lengths]
    return np.asarray(found, dtype=np.int64)[which]

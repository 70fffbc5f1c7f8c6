"""How many bits the labels hold before anything is released."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.gaussian import log2_comb
from rocsolid.leaks.units import subset_bits


def label_bits(
    free: int | NDArray[np.int64], known_positives: int, sizes: Collection[int]
) -> float:
    """log₂ of the number of labelings of ``free`` unknown rows, by what is known of them.

    ``sizes`` are the possible numbers of positives, the ``known_positives`` among them. Where rows
    share labels, ``free`` is how many rows each unit of unknown label has.

    >>> label_bits(4, 0, [2]), label_bits(3, 1, [1, 2, 3, 4])
    (2.584962500721156, 3.0)
    >>> label_bits(np.array([2, 2, 3]), 0, [2, 5])
    2.0
    """
    if isinstance(free, np.ndarray):
        return subset_bits(free, [size - known_positives for size in sizes])
    choices = [size - known_positives for size in sizes]
    bits = np.array([log2_comb(free, k) for k in choices if 0 <= k <= free])
    return float(np.logaddexp2.reduce(bits)) if len(bits) else -math.inf

"""How many bits the labels hold before anything is released."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from rocsolid.leaks.gaussian import log2_comb


def label_bits(free: int, known_positives: int, sizes: Collection[int]) -> float:
    """log₂ of the number of labelings of ``free`` unknown rows, by what is known of them.

    ``sizes`` are the possible numbers of positives, the ``known_positives`` among them.

    >>> label_bits(4, 0, [2]), label_bits(3, 1, [1, 2, 3, 4])
    (2.584962500721156, 3.0)
    """
    choices = [size - known_positives for size in sizes]
    bits = np.array([log2_comb(free, k) for k in choices if 0 <= k <= free])
    return float(np.logaddexp2.reduce(bits)) if len(bits) else -math.inf

"""Sums of products of counts, exact whatever their size."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_BITS = 21  # two factors and a million rows stay below 2⁶³
_ROWS = 1 << 20


def exact_products(columns: NDArray[np.int64]) -> NDArray[np.object_]:
    """XᵀX of a matrix of integers of 0 or more, as Python integers of any size.

    >>> exact_products(np.array([[2**62, 1], [0, 1]])).tolist()
    [[21267647932558653966460912964485513216, 4611686018427387904], [4611686018427387904, 2]]
    """
    size = columns.shape[1]
    total = np.zeros((size, size), dtype=object)
    for start in range(0, len(columns), _ROWS):
        part = columns[start : start + _ROWS]
        bits = int(part.max()).bit_length()
        digits = [part >> at & ((1 << _BITS) - 1) for at in range(0, bits, _BITS)]
        for i, high in enumerate(digits):
            for j, low in enumerate(digits):
                product = (high.T @ low).astype(object)
                total += product * (1 << _BITS * (i + j))
    return total


_INT64 = 1 << 63


def exact_dot(a: NDArray[Any], b: NDArray[Any], bound: int) -> int:
    """Σ ab of counts as a Python integer; in int64 where ``bound``, a limit of the sum, fits.

    >>> exact_dot(np.array([2**62, 1]), np.array([4, 1]), 2**64 + 1)
    18446744073709551617
    """
    if bound >= _INT64:
        a, b = a.astype(object), b.astype(object)
    return int(np.dot(a, b))

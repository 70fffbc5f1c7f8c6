"""Sums of products of counts, exact whatever their size."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_INT64 = 1 << 63


def exact_dot(a: NDArray[Any], b: NDArray[Any], bound: int) -> int:
    """Σ ab of counts as a Python integer; in int64 where ``bound``, a limit of the sum, fits.

    >>> exact_dot(np.array([2**62, 1]), np.array([4, 1]), 2**64 + 1)
    18446744073709551617
    """
    if bound >= _INT64:
        a, b = a.astype(object), b.astype(object)
    return int(np.dot(a, b))

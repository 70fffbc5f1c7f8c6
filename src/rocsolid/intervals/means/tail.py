from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

FEW = 10.0
"""Queries that must carry the tail before a calibrated interval stands without a warning."""

SAME = 1e-12  # values that differ by less, relative to their size, differ by rounding


def in_tail(rows: ArrayLike) -> NDArray[np.float64]:
    """Return n·p, where p is the rarer share of a yes/no measure as skewed as these values.

    A yes/no measure with shares p ≤ ½ and 1 − p has the skewness g = (1−2p)/√(p(1−p)), so p = ½(1 −
    |g|/√(4+g²)). For other values g is that of the sample. Symmetric values have n/2, a single
    outlier among many queries counts as about one, and equal values have none. The last axis runs
    over queries.

    >>> in_tail([0, 0, 0, 0, 0, 0, 0, 1, 1, 1]).round(6).item()
    3.0
    >>> in_tail([0.1, 0.2, 0.3, 0.4]).round(6).item()
    2.0
    """
    values = np.asarray(rows, dtype=np.float64)
    centred = values - values.mean(axis=-1, keepdims=True)
    second = (centred**2).mean(axis=-1)
    third = (centred**3).mean(axis=-1)
    same = constant(values)
    skewness = np.abs(third) / np.where(same, 1.0, second) ** 1.5
    carried = values.shape[-1] * (1.0 - skewness / np.sqrt(4.0 + skewness**2)) / 2.0
    return np.where(same, 0.0, carried)


def constant(rows: NDArray[np.float64], size: ArrayLike | None = None) -> NDArray[np.bool_]:
    """Return whether the values of each row are the same up to rounding.

    Rounding is relative to ``size``, the largest value that they come from (by default their own).

    >>> constant(np.array([[0.1, 0.1 + 1e-16], [0.1, 0.2]]))
    array([ True, False])
    """
    largest = np.abs(rows).max(axis=-1) if size is None else np.asarray(size)
    return np.asarray(np.ptp(rows, axis=-1) <= SAME * largest)

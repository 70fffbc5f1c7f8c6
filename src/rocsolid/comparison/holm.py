"""Holm's steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def holm_steps(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Holm 1979: the smallest times the number of pairs, the next times one less, and so on.

    Keeps the chance of any false finding below the level whatever the dependence. An unknown
    p-value (NaN) stays unknown and is not counted as a pair.

    >>> holm_steps(np.array([0.03, 0.01, np.nan]))
    array([0.03, 0.02,  nan])
    """
    out = np.full(p_values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known])]
    steps = p_values[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return out

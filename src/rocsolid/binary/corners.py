"""The corners of a curve from its table, and which of them are bends."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]


def cumulative_shares(counts: NDArray[Any]) -> _FLOATS:
    """Cumulative shares from the highest score down, from exactly 0 to exactly 1."""
    total = np.cumsum(counts[::-1])
    return np.concatenate([[0.0], total / total[-1]])


def bends(fpr: _FLOATS, tpr: _FLOATS) -> NDArray[np.bool_]:
    """The ends, and every corner where the direction changes."""
    keep = np.ones(len(fpr), dtype=bool)
    right, up = np.diff(fpr), np.diff(tpr)
    keep[1:-1] = right[:-1] * up[1:] != right[1:] * up[:-1]
    return keep

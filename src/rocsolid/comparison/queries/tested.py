"""What a test of all pairs gives back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TestedPairs:
    """One test of every pair, in `Systems.pairs` order.

    ``low`` and ``high`` belong to one pair at a time. They, the statistic and the p-value are NaN
    where the test does not hold.
    """

    statistic: _FLOATS
    df: _FLOATS | None
    p_value: _FLOATS
    low: _FLOATS
    high: _FLOATS
    method: str
    assumptions: tuple[str, ...]
    source: str

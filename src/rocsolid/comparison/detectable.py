"""The true difference that a test would find with a given power."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]


def least_detectable(reach: _FLOATS, std_error: _FLOATS, df: _FLOATS, power: float) -> _FLOATS:
    """SE·ν̂ with P(T ≥ reach/SE) = power, T Student's t with non-centrality ν̂ and df.

    ``reach`` is the difference that has to be found for a significant difference, and so depends on
    the test and the adjustment. The standard error is taken as known; the other side of a
    two-sided test is left out, which matters to no digit at a power of a half or more. NaN where
    the difference never varies.

    >>> print(least_detectable(np.array([0.02]), np.array([0.01]), np.array([49.0]), 0.8).round(4))
    [0.0285]
    """
    from scipy.special import nctdtrinc

    varies = (std_error > 0.0) & np.isfinite(reach)
    error = np.where(varies, std_error, np.nan)
    return np.asarray(error * nctdtrinc(df, 1.0 - power, reach / error))

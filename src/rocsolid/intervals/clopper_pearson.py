from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

_FLOATS = NDArray[np.float64]
SOURCE = "Clopper and Pearson, Biometrika 26 (1934), 404-413"


def clopper_pearson(hits: ArrayLike, rows: ArrayLike, share: ArrayLike) -> tuple[_FLOATS, _FLOATS]:
    """Return limits for p from a Bin(rows, p) count, each wrong with probability at most ``share``.

    At the lower limit, counts of at least ``hits`` have probability ``share``; at the upper limit,
    counts of at most ``hits`` do (Clopper and Pearson 1934). Without rows the limits are 0 and 1.

    >>> low, high = clopper_pearson([0, 5, 10], 10, 0.025)
    >>> low.round(4), high.round(4)
    (array([0.    , 0.1871, 0.6915]), array([0.3085, 0.8129, 1.    ]))
    """
    return lower_limit(hits, rows, share), upper_limit(hits, rows, share)


def lower_limit(hits: ArrayLike, rows: ArrayLike, share: ArrayLike) -> _FLOATS:
    from scipy.special import betaincinv

    hits, rows, share = np.broadcast_arrays(*(np.asarray(x, float) for x in (hits, rows, share)))
    low, inside = np.zeros(hits.shape), hits > 0
    low[inside] = betaincinv(hits[inside], rows[inside] - hits[inside] + 1, share[inside])
    return low


def upper_limit(hits: ArrayLike, rows: ArrayLike, share: ArrayLike) -> _FLOATS:
    from scipy.special import betaincinv

    hits, rows, share = np.broadcast_arrays(*(np.asarray(x, float) for x in (hits, rows, share)))
    high, inside = np.ones(hits.shape), hits < rows
    high[inside] = betaincinv(hits[inside] + 1, rows[inside] - hits[inside], 1.0 - share[inside])
    return high

"""How often each unit is drawn when as many are drawn, with replacement, as there are."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.poisson import poisson_counts

_SPARE = 4.0
"""Standard deviations by which the Poisson total stays below the number of draws."""


def multinomial_counts(draw: np.random.Generator, units: int, columns: int) -> NDArray[np.uint8]:
    """A column for each resample of ``units`` draws from ``units`` equally likely units.

    Independent Poisson counts, given their total S, are S draws with replacement. So Poisson
    counts with a mean a little below 1, topped up by n − S single draws, are n draws, whatever S
    was; a column with S > n is made anew, which depends on S alone. This is exact, and several
    times faster than to draw and count n numbers. A count never reaches 256: its chance is below
    1/255! wherever more than 255 units are drawn.

    >>> from rocsolid.summaries.stream import stream
    >>> multinomial_counts(stream(0), 4, 3).sum(axis=0).tolist()
    [4, 4, 4]
    """
    mean = max(0.0, 1.0 - _SPARE / math.sqrt(units))
    counts = poisson_counts(draw, mean, (units, columns))
    total = column_sums(counts)
    while (over := np.flatnonzero(total > units)).size:
        anew = poisson_counts(draw, mean, (units, len(over)))
        counts[:, over], total[over] = anew, column_sums(anew)
    column = np.repeat(np.arange(columns), units - total)
    row = draw.integers(0, units, size=len(column))
    one = np.uint8(1)  # of another type it would take the slow way
    np.add.at(counts.reshape(-1), row * columns + column, one)
    return counts


def column_sums(counts: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The sums over the rows, by way of 16-bit sums of 256 rows, which cannot overflow.

    >>> column_sums(np.array([[255, 1], [255, 2]], dtype=np.uint8))
    array([510,   3])
    """
    whole = len(counts) // 256 * 256
    short = counts[:whole].reshape(-1, 256, counts.shape[1]).sum(axis=1, dtype=np.uint16)
    rest = counts[whole:].sum(axis=0, dtype=np.int64)
    return np.asarray(short.sum(axis=0, dtype=np.int64) + rest)

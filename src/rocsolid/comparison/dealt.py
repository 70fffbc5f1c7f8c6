"""The largest gap between means when each query's values are dealt to the systems at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.means.tail import SAME
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_CELLS = 1 << 21


def largest_gaps(matrix: _FLOATS, resamples: int, seed: int) -> _FLOATS:
    """The difference of the best and the worst mean: as found, then in each of B resamples.

    Carterette, ACM Transactions on Information Systems 30 (2012), 4, section 4.3: within every
    query, so paired, the values are dealt to the systems at random. If all systems are alike on
    every query, the first number is exchangeable with the others; a p-value is the share of them
    that reach a pair's difference. B resamples drawn with a seed give (b+1)/(B+1).
    """
    values = matrix.T
    gaps = np.empty(resamples + 1)
    gaps[0] = np.ptp(matrix.mean(axis=1))
    many = max(1, _CELLS // values.size)
    for start in range(1, resamples + 1, many):
        stop = min(start + many, resamples + 1)
        dealt = np.repeat(values[None], stop - start, axis=0)
        stream(seed, 2, start).permuted(dealt, axis=2, out=dealt)
        gaps[start:stop] = np.ptp(dealt.mean(axis=1), axis=1)
    return gaps


def p_values(gaps: _FLOATS, differences: _FLOATS, largest: float) -> _FLOATS:
    """For each difference the share of gaps that reach it; ``largest`` is that of any value."""
    ordered = np.sort(gaps)
    below = np.searchsorted(ordered, np.abs(differences) - SAME * largest)
    return np.asarray((gaps.size - below) / gaps.size)

"""Independent Poisson counts from single random bytes, many at a time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_CHUNK = 1 << 18  # counts made at once: in cache
_CELLS = 256
_NEGLIGIBLE = 1e-18


def poisson_counts(
    draw: np.random.Generator, mean: float, shape: tuple[int, int]
) -> NDArray[np.uint8]:
    """Counts with P(k) = e^-μ μ^k / k!, for a mean of at most 1.

    The distribution is split into two parts (the mixture of Walker, ACM Transactions on
    Mathematical Software 3 (1977), 253-256): each count k owns ⌊256 P(k)⌋ of the 256 values of a
    random byte, and the few values left over ask for a draw, with 53 bits, from what the rounding
    left of each probability. So a byte a count is enough and no probability is rounded to 1/256.

    >>> from rocsolid.summaries.stream import stream
    >>> counts = poisson_counts(stream(0), 1.0, (1000, 1000))
    >>> print(f"{counts.mean():.3f} {counts.var():.3f}")
    0.998 0.997
    """
    owned, left = _split(mean)
    starts = np.cumsum(owned)
    known = int(starts[-1])  # bytes from here on ask for the second draw
    starts = starts[: int(np.count_nonzero(owned)) - 1]
    size = shape[0] * shape[1]
    out = np.zeros(size, dtype=np.uint8)
    for begin in range(0, size, _CHUNK):
        counts = out[begin : begin + _CHUNK]
        words = draw.integers(0, 1 << 64, size=-(-len(counts) // 8), dtype=np.uint64)
        byte = words.view(np.uint8)[: len(counts)]
        for start in starts.tolist():
            counts += byte >= start
        if known < _CELLS:
            at = np.flatnonzero(byte >= known)
            counts[at] = np.searchsorted(left, draw.random(len(at)), side="right")
    return out.reshape(shape)


def _split(mean: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """How many bytes each count owns, and the cumulative distribution of what is left over.

    >>> _split(0.0)[0].tolist()
    [256]
    """
    chances = [math.exp(-mean)]
    while chances[-1] > _NEGLIGIBLE and mean > 0.0:
        chances.append(chances[-1] * mean / len(chances))
    cells = _CELLS * np.array(chances)
    owned = np.floor(cells).astype(np.int64)
    left = np.cumsum(cells - owned)
    # the last count takes what is above: no draw from [0, 1) reaches past it
    return owned, left[:-1] / left[-1] if left[-1] > 0.0 else left[:-1]

"""Growing numbers of whole queries, in random orders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.asymptotics.distinguishing.at_size import AtSize, at_sizes
from rocsolid.summaries.stream import stream

_RATIO = 2.0**0.5


def grid(largest: int, smallest: int = 10) -> tuple[int, ...]:
    """Two sizes for every doubling, of two digits, up to the largest itself, with its half.

    >>> grid(300)
    (10, 14, 20, 28, 40, 57, 80, 110, 150, 160, 230, 300)
    >>> grid(7)
    (3, 7)
    """
    found = {largest, max(1, largest // 2)}
    size = float(smallest)
    while size < largest:
        digits = 10 ** max(0, int(np.log10(size)) - 1)
        found.add(round(size / digits) * digits)
        size *= _RATIO
    return tuple(sorted(n for n in found if n <= largest))


_F = NDArray[np.float64]


def query_splits(gaps: Sequence[_F], orders: int, seed: int) -> list[tuple[AtSize, ...]]:
    """For each measure, how often the mean over n of the queries has the sign of that over all.

    ``gaps`` has the differences of the queries, by measure. Two samples without a common query take
    the first n and the n after them, up to half of the queries. A single query cannot be split.

    >>> points = query_splits([np.array([0.3, 0.1, 0.2, -0.1, 0.2, 0.1])], orders=200, seed=0)
    >>> [(point.n, round(point.agrees.value, 2)) for point in points[0]]
    [(1, 0.84), (2, 0.85), (3, 1.0), (4, 1.0), (6, 1.0)]
    """
    count = len(gaps[0])
    if count < 2:
        return [() for _ in gaps]
    sizes = grid(count, 1)
    order = np.tile(np.arange(count), (orders, 1))
    order = stream(seed, 1).permuted(order, axis=1)
    overlap = np.array(sizes) / count
    paired = [2 * n <= count for n in sizes]
    ends = np.array(sizes)
    twice = np.minimum(2 * ends, count)
    found = []
    for gap in gaps:
        total = np.zeros((orders, count + 1))
        np.cumsum(gap[order], axis=1, out=total[:, 1:])
        here = (total[:, ends] / ends).T
        there = ((total[:, twice] - total[:, ends]) / ends).T
        found.append(at_sizes(sizes, overlap, here, (here, there), paired, float(gap.mean())))
    return found

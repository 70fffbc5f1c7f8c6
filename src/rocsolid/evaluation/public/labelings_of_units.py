"""Every labeling of a few units: each unit's rows share its label."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

_FEW = 300


def number_of_labelings(sizes: NDArray[np.intp], n_pos: int, most: int) -> int:
    """How many sets of units have ``n_pos`` rows together; ``most`` + 1 stands for all above.

    Unlike units beyond a few hundred are taken to have more sets than anybody tries.

    >>> number_of_labelings(np.array([1, 1, 2]), 2, 10)
    2
    """
    if (sizes == 1).all():
        small = min(n_pos, len(sizes) - n_pos)
        return min(most + 1, math.comb(len(sizes), small)) if small < _FEW else most + 1
    if len(sizes) > _FEW:
        return most + 1
    ways: Counter[int] = Counter({0: 1})
    for size in sizes.tolist():
        for rows, count in list(ways.items()):  # a copy: no unit is counted twice
            if rows + size <= n_pos:
                ways[rows + size] = min(most + 1, ways[rows + size] + count)
    return ways[n_pos]


def labelings_of_units(sizes: NDArray[np.intp], n_pos: int) -> NDArray[np.bool_]:
    """All of them, one a row, a column for each unit.

    >>> labelings_of_units(np.array([1, 1, 2]), 2).astype(int)
    array([[0, 0, 1],
           [1, 1, 0]])
    """
    reached = [{0}]  # what the units from the last one on can add up to
    for size in sizes[::-1].tolist():
        reached.append(reached[-1] | {rows + size for rows in reached[-1]})
    chosen = np.zeros((1, 0), dtype=bool)
    rows = np.zeros(1, dtype=np.int64)
    for at, size in enumerate(sizes.tolist()):
        possible = np.array(sorted(reached[len(sizes) - at - 1]))
        without, with_it = (np.isin(n_pos - rows - add, possible) for add in (0, size))
        chosen = np.concatenate(
            [
                np.column_stack((chosen[kept], np.full(int(kept.sum()), label)))
                for label, kept in ((False, without), (True, with_it))
            ]
        )
        rows = np.concatenate((rows[without], rows[with_it] + size))
    return chosen

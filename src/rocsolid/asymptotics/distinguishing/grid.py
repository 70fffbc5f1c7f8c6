"""The sizes that are looked at."""

from __future__ import annotations

import numpy as np

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

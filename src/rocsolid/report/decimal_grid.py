"""Numbers of a few significant digits, numbered in ascending order."""

from __future__ import annotations

import math
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_EXACT = 22  # powers of ten up to this one are exact, so that one operation rounds correctly


@dataclass(frozen=True, slots=True)
class DecimalGrid:
    """The numbers m · 10^e with ``digits`` digits in m, for e from ``lowest`` on, and zero.

    Zero has the key 0; the other keys count the numbers upwards and downwards from zero.

    >>> grid = DecimalGrid(2, -2)
    >>> grid.value(np.array([0, 1, 90, 91, -1])).tolist()
    [0.0, 0.1, 0.99, 1.0, -0.1]
    >>> grid.below(np.array([0.123, 0.05, -0.123])).tolist() == [3, 0, -4]
    True
    """

    digits: int
    lowest: int

    @classmethod
    def of(cls, values: FloatArray, digits: int) -> Self:
        """A grid that is fine enough for the smallest of the values."""
        sizes = np.abs(values[values != 0.0])
        least = float(sizes.min()) if sizes.size else 1.0
        return cls(digits, math.floor(math.log10(least)) - digits)

    @property
    def _first(self) -> int:
        return int(10 ** (self.digits - 1))

    def value(self, keys: IntArray) -> FloatArray:
        """The numbers with these keys, rounded correctly."""
        decade, place = np.divmod(np.abs(keys) - 1, 9 * self._first)
        size, power = (place + self._first).astype(np.float64), decade + self.lowest
        ten = 10.0 ** np.clip(np.abs(power), 0, _EXACT)
        values = np.where(power < 0, size / ten, size * ten)
        for i in np.flatnonzero((np.abs(power) > _EXACT) & (keys != 0)).tolist():
            values[i] = float(f"{place[i] + self._first}e{power[i]}")
        return np.where(keys == 0, 0.0, np.copysign(values, keys))

    def below(self, values: FloatArray) -> IntArray:
        """The key of the largest number up to each value."""
        sizes = np.maximum(np.abs(values), float(f"1e{self.lowest + self.digits - 1}"))
        power = np.floor(np.log10(sizes)).astype(np.int64) - self.digits + 1
        place = np.floor(sizes / 10.0 ** power.astype(np.float64)).astype(np.int64)
        keys = (power - self.lowest) * 9 * self._first + place - self._first + 1
        keys = np.where(np.abs(values) < sizes, 0, np.where(values < 0.0, -keys, keys))
        while (over := self.value(keys) > values).any():
            keys = keys - over
        while (under := self.value(keys + 1) <= values).any():
            keys = keys + under
        return keys

    def falling(self, values: FloatArray) -> tuple[IntArray, IntArray]:
        """The keys of descending values, each once, and where the last value of each key is.

        >>> DecimalGrid(1, -2).falling(np.array([0.37, 0.33, 0.2, 0.11]))
        (array([12, 11, 10]), array([1, 2, 3]))
        """
        ends = self.below(values[[0, -1]])
        if ends[0] - ends[1] < len(values):
            keys = np.arange(ends[0], ends[1] - 1, -1)
            last = np.searchsorted(-values, -self.value(keys), side="right") - 1
            kept = np.flatnonzero(np.diff(last, prepend=-1))
            return keys[kept], last[kept]
        keys = self.below(values)
        last = np.flatnonzero(np.append(np.diff(keys) != 0, True))
        return keys[last], last

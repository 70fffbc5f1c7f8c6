"""A numbered side of a drawing, in equal steps or in equal ratios."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rocsolid.report.data import FloatArray


@dataclass(frozen=True, slots=True)
class Axis:
    """From ``low`` to ``high``; with ``log`` equal ratios are equally far apart."""

    low: float
    high: float
    log: bool = False

    @classmethod
    def around(cls, values: Iterable[float], *, log: bool = False) -> Axis:
        """The smallest axis that holds all the values, with a little room unless it is ``log``.

        >>> Axis.around([0.0, 1.0])
        Axis(low=-0.04, high=1.04, log=False)
        """
        numbers = list(values)
        low, high = min(numbers), max(numbers)
        if log:
            return cls(low, high if high > low else 2 * low, log=True)
        room = 0.04 * (high - low) or 0.5
        return cls(low - room, high + room)

    def share(self, values: FloatArray) -> FloatArray:
        """Where the values lie, from 0 at ``low`` to 1 at ``high``."""
        if self.log:
            span = math.log(self.high / self.low)
            return np.asarray(np.log(values / self.low) / span, dtype=np.float64)
        return np.asarray((values - self.low) / (self.high - self.low), dtype=np.float64)

    def ticks(self, most: int = 8) -> list[float]:
        """Round numbers on the axis, at most ``most`` of them.

        >>> Axis(20.0, 100_000.0, log=True).ticks()
        [30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0, 30000.0, 100000.0]
        >>> Axis(0.02, 0.9, log=True).ticks(), Axis(-8.7, 1.2).ticks()
        ([0.02, 0.05, 0.1, 0.2, 0.5], [-8.0, -6.0, -4.0, -2.0, 0.0])
        """
        return self._ratios(most) if self.log else self._steps(most)

    def _steps(self, most: int) -> list[float]:
        power = 10.0 ** math.floor(math.log10((self.high - self.low) / most))
        for size in (1.0, 2.0, 2.5, 5.0, 10.0, 20.0):
            step = size * power
            first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
            if last - first < most:
                break
        return [round(i * step, 12) + 0.0 for i in range(first, last + 1)]

    def _ratios(self, most: int) -> list[float]:
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        found: list[float] = []
        for digits in ((1, 2, 5), (1, 3), (1,)):
            marks = [float(f"{digit}e{decade}") for decade in decades for digit in digits]
            found = [m for m in marks if self.low * 0.999 <= m <= self.high * 1.001]
            if len(found) <= most:
                break
        return found

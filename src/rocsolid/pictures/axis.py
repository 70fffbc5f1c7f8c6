"""A numbered side of a picture, in equal steps or in equal ratios, or a row for each result."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tick:
    """A place with words; of a row, ``value`` stands at its other end."""

    at: float
    text: str
    value: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """From ``low`` to ``high``, which may be the smaller one; with ``log`` in equal ratios.

    Without ``named`` ticks round numbers are labelled. ``rows`` says that each tick names a row;
    ``bare`` that the ticks have no lines.
    """

    low: float
    high: float
    log: bool = False
    title: str = ""
    named: tuple[Tick, ...] = ()
    rows: bool = False
    bare: bool = False

    @classmethod
    def around(cls, values: Iterable[float], *, log: bool = False, title: str = "") -> Axis:
        """The smallest scale that holds all the values, with a little room unless it is ``log``.

        >>> Axis.around([0.0, 1.0]).low
        -0.04
        """
        numbers = [value for value in values if math.isfinite(value)]
        low, high = min(numbers), max(numbers)
        if log:
            return cls(low, high if high > low else 2 * low, log=True, title=title)
        room = 0.04 * (high - low) or 0.5
        return cls(low - room, high + room, title=title)

    def share(self, values: FloatArray) -> FloatArray:
        """Where the values lie, from 0 at ``low`` to 1 at ``high``."""
        if self.log:
            span = math.log(self.high / self.low)
            return np.asarray(np.log(values / self.low) / span, dtype=np.float64)
        return np.asarray((values - self.low) / (self.high - self.low), dtype=np.float64)

    def at(self, value: float) -> float:
        """Where one value lies."""
        return float(self.share(np.array(value)))

    def value(self, share: float) -> float:
        """What stands at that share of the way from ``low`` to ``high``."""
        if self.log:
            return self.low * math.exp(share * math.log(self.high / self.low))
        return self.low + share * (self.high - self.low)

    def ticks(self, most: int = 8) -> list[float]:
        """Round numbers on the scale, at most ``most`` of them.

        >>> Axis(20.0, 100_000.0, log=True).ticks()
        [30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0, 30000.0, 100000.0]
        >>> Axis(0.02, 0.9, log=True).ticks(), Axis(-8.7, 1.2).ticks(), Axis(1, 0).ticks(5)
        ([0.02, 0.05, 0.1, 0.2, 0.5], [-8.0, -6.0, -4.0, -2.0, 0.0], [0.0, 0.25, 0.5, 0.75, 1.0])
        """
        low, high = sorted((self.low, self.high))
        return _ratios(low, high, most) if self.log else _steps(low, high, most)


def _steps(low: float, high: float, most: int) -> list[float]:
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    for size in (1.0, 2.0, 2.5, 5.0, 10.0, 20.0):
        step = size * power
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            break
    return [round(i * step, 12) + 0.0 for i in range(first, last + 1)]


def _ratios(low: float, high: float, most: int) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    numbers: list[float] = []
    for digits in ((1, 2, 5), (1, 3), (1,)):
        numbers = [float(f"{digit}e{decade}") for decade in decades for digit in digits]
        numbers = [each for each in numbers if low * 0.999 <= each <= high * 1.001]
        if len(numbers) <= most:
            break
    return numbers

"""What every estimate can be asked, whatever it is an estimate of."""

from __future__ import annotations

from rocsolid.results.interval import Interval


class Valued:
    """A value with an interval, whose parts it names as its own."""

    __slots__ = ()

    value: float
    interval: Interval

    @property
    def low(self) -> float:
        return self.interval.low

    @property
    def high(self) -> float:
        return self.interval.high

    @property
    def level(self) -> float:
        return self.interval.level

    @property
    def method(self) -> str:
        return self.interval.method

    def __float__(self) -> float:
        return self.value

"""What every estimate has, whatever it estimates."""

from __future__ import annotations

from rocsolid.results.interval import Certified, Interval
from rocsolid.results.kinds import IntervalLevel
from rocsolid.results.numeric import Numeric

SHORTER = "Where the certified interval is the shorter one, use it: it promises more."


class WithLimits:
    """A result with an interval, whose parts are attributes of the result too."""

    __slots__ = ()

    interval: Interval

    @property
    def low(self) -> float:
        """The lower limit of the interval requested."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper limit."""
        return self.interval.high

    @property
    def level(self) -> IntervalLevel:
        return self.interval.level


class Valued(WithLimits, Numeric):
    """A value with an interval."""

    __slots__ = ()

    value: float
    certified: Certified

    @property
    def method(self) -> str:
        """The method of the interval; "none" where there is none."""
        return self.interval.method

    @property
    def certified_is_shorter(self) -> bool:
        """Whether the guarantee costs nothing here, as it may with few rows."""
        found = self.certified
        return (
            found is not None
            and self.interval.method != "none"
            and found.width < self.interval.width
        )

    def __float__(self) -> float:
        return self.value

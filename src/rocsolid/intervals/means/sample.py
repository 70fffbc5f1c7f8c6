"""The values of one system, on their own scale and as shares of the measure's range."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.query_values import Range, check_range, query_values
from rocsolid.intervals.means.t import Limits
from rocsolid.intervals.means.tail import constant, in_tail
from rocsolid.results import Interval
from rocsolid.results.reads import Reads


@dataclass(frozen=True, slots=True, eq=False)
class MeanSample:
    """One value per query, with the ends of the measure's range (infinite where there are none)."""

    values: NDArray[np.float64]
    low: float
    high: float

    @classmethod
    def of(cls, values: object, range: Range) -> MeanSample:
        """Validated values.

        >>> MeanSample.of([0, 2, 4], range=(0, 4)).share
        0.5
        """
        return cls(query_values(values, range=range), *check_range(range))

    @property
    def size(self) -> int:
        return int(self.values.size)

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def std_error(self) -> float:
        """s/√n; zero where all values are the same except for rounding, NaN from one query."""
        if self.size == 1:
            return math.nan
        if constant(self.values):
            return 0.0
        return float(self.values.std(ddof=1)) / math.sqrt(self.size)

    @property
    def in_tail(self) -> float:
        return float(in_tail(self.values))

    @property
    def bounded(self) -> bool:
        return self.low > -math.inf

    @property
    def shares(self) -> NDArray[np.float64]:
        """The values with the range carried to [0, 1]."""
        return (self.values - self.low) / (self.high - self.low)

    @property
    def share(self) -> float:
        return (self.mean - self.low) / (self.high - self.low)

    def unscaled(self, limits: Limits) -> Limits:
        """Limits for a mean of shares as limits for the mean itself."""
        span = self.high - self.low
        return self.low + span * limits[0], self.low + span * limits[1]

    def interval(
        self, limits: Limits, level: float, method: str, *, certified: bool,
        assumptions: tuple[str, ...], source: str, reads: Reads,
    ) -> Interval:  # fmt: skip
        """Limits cut to the range of the measure, where nothing is lost, with what they rest on."""
        low, high = (float(np.squeeze(end)) for end in limits)
        return Interval(
            max(low, self.low),
            min(high, self.high),
            level,
            method,
            certified=certified,
            assumptions=assumptions,
            source=source,
            range=(self.low, self.high),
            reads=reads,
        )

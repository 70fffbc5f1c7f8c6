from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsFloat

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.checks import IID, Deviation
from rocsolid.results import Interval
from rocsolid.results.interval import ROWS, Reads


@dataclass(frozen=True, slots=True)
class Claim:
    """A method that fails with probability at most δ, whatever the distribution.

    >>> print(Claim("hinge", "Hoeffding 1963").interval((0.61, 0.83), delta=0.05))
    [0.6100, 0.8300] at 95 % (hinge)
    """

    method: str
    source: str
    assumptions: tuple[str, ...] = IID
    reads: Reads = ROWS
    range: tuple[float, float] = (0.0, 1.0)
    certified: bool = True

    def interval(
        self, limits: Iterable[SupportsFloat], delta: float, *, drawn: str = ""
    ) -> Interval:
        low, high = map(float, limits)
        return Interval(
            low, high, 1 - delta, self.method, self.certified, self.assumptions, self.source,
            self.range, drawn, self.reads,
        )  # fmt: skip

    def deviation(self, epsilon: SupportsFloat, delta: float) -> Deviation:
        return Deviation(
            float(epsilon), self.method, delta, self.certified, self.assumptions, self.source
        )

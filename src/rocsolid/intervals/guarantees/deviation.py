"""How far an estimate can be from the truth: a number that names its method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.checks import check_value
from rocsolid.intervals.guarantees.sides import Limits
from rocsolid.results import percent
from rocsolid.results.plain import one_line


@dataclass(frozen=True, slots=True)
class Deviation:
    """ε with P(|Â−A| > ε) ≤ δ, and what that rests on; ``float()`` takes it.

    >>> d = Deviation(0.12, "hoeffding-blocks", 0.05, certified=True)
    >>> float(d), d.vacuous
    (0.12, False)
    >>> print(d)
    ±0.1200 at 95 % (hoeffding-blocks)
    """

    value: float
    method: str
    delta: float
    certified: bool = False
    assumptions: tuple[str, ...] = ()
    source: str = ""

    @property
    def vacuous(self) -> bool:
        """Whether it says no more than that an AUC lies between 0 and 1."""
        return self.value >= 1

    def __float__(self) -> float:
        return self.value

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"±{self.value:.4f} at {percent(1 - self.delta)} ({self.method})"
        return text + ", vacuous" if self.vacuous else text


def deviation_at(limits: Callable[[NDArray[np.float64]], Limits], auc: float) -> float:
    """The distance from an AUC to the farther of its limits."""
    at = np.array([check_value(auc)])
    low, high = limits(at)
    return float(max((at - low)[0], (high - at)[0]))

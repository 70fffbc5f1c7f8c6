"""Wilson's score interval for a proportion, and its use for two of them together."""

from __future__ import annotations

import math
from typing import NamedTuple

from rocsolid.intervals.calibrated.tails import quantile

SOURCE = "Wilson, Journal of the American Statistical Association 22 (1927), 209-212"
SOURCE_OF_TWO = (
    "Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10; Donner and Zou, Statistical "
    "Methods in Medical Research 21 (2012), 347-359 (ratios)"
)


class Proportion(NamedTuple):
    """An estimated proportion with its limits."""

    value: float
    low: float
    high: float

    @property
    def complement(self) -> Proportion:
        return Proportion(1.0 - self.value, 1.0 - self.high, 1.0 - self.low)


def wilson(hits: float, rows: float, level: float) -> Proportion:
    """Every p with (p̂ − p)² ≤ z²p(1−p)/rows: close to its level on average; no width is 0.

    >>> wilson(0, 10, 0.95)
    Proportion(value=0.0, low=0.0, high=0.2775...)
    """
    z2 = quantile(level, "two-sided") ** 2
    p = hits / rows
    centre = (p + z2 / (2 * rows)) / (1 + z2 / rows)
    half = math.sqrt(z2 * (p * (1 - p) / rows + z2 / (4 * rows**2))) / (1 + z2 / rows)
    # at 0 and at all rows the limit is exactly the end
    low = 0.0 if hits == 0 else centre - half
    return Proportion(p, low, 1.0 if hits == rows else centre + half)


def sum_limits(a: float, first: Proportion, b: float, second: Proportion) -> tuple[float, float]:
    """Limits for a·p₁ + b·p₂, a ≥ 0, of independent proportions: squares of distances add up.

    Newcombe 1998, method 10, which recovers each variance from the distance to the limit on the
    side in question.

    >>> low, high = sum_limits(1, wilson(56, 70, 0.95), -1, wilson(48, 80, 0.95))
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    value = a * first.value + b * second.value
    down, up = (second.low, second.high) if b >= 0 else (second.high, second.low)
    low = value - math.hypot(a * (first.value - first.low), b * (second.value - down))
    return low, value + math.hypot(a * (first.high - first.value), b * (up - second.value))


def ratio_limits(first: Proportion, second: Proportion) -> tuple[float, float]:
    """Limits for p₁/p₂: the ratios r for which the limits of p₁ − r·p₂ enclose 0.

    Donner and Zou 2012. The upper limit is infinite where p₂ may be 0.

    >>> low, high = ratio_limits(wilson(30, 40, 0.95), wilson(10, 100, 0.95))
    >>> round(low, 2), round(high, 2)
    (4.1, 13.75)
    >>> ratio_limits(wilson(0, 40, 0.95), wilson(0, 100, 0.95))
    (0.0, inf)
    """
    product = first.value * second.value
    down = (2 * first.value - first.low) * first.low, (2 * second.value - second.high) * second.high
    up = (2 * first.value - first.high) * first.high, (2 * second.value - second.low) * second.low
    # r²·x − 2r·p₁p₂ + y = 0 with (y, x) of each side; the roots without a difference of like terms
    low = _root(product, *down, smaller=True)
    return low, _root(product, *up, smaller=False)


def _root(product: float, constant: float, square: float, *, smaller: bool) -> float:
    """The root that the limits of p₁ − r·p₂ pass through as r leaves p₁/p₂ on one side."""
    root = math.sqrt(max(product**2 - constant * square, 0.0))
    if smaller:
        return constant / (product + root) if constant > 0.0 else 0.0
    return (product + root) / square if square > 0.0 else math.inf

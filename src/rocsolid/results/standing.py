"""How each name of a comparison stands to the highest: ahead, behind, or not told apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from rocsolid.remarks.remark import doubted
from rocsolid.results.comparison import Comparison, Difference
from rocsolid.results.interval import certificates_wanted

State = Literal["better", "worse", "open", ""]
"""What was shown; nothing where no test of equality was requested."""


@dataclass(frozen=True, slots=True)
class Standing:
    """``name`` less the highest, with limits for this pair alone, and what was shown of it.

    With a margin "better" means equivalent within it.
    """

    name: str
    difference: float
    limits: tuple[float, float] | None
    certified: tuple[float, float] | None
    state: State
    decimals: int = 4


def highest(comparison: Comparison) -> str:
    """The name with the highest value, the first of equal ones."""
    values = {name: one.value for name, one in comparison.estimates.items()}
    return max(values, key=lambda name: values[name])


def standings(comparison: Comparison) -> tuple[Standing, ...]:
    """All others against the highest, the highest of them first.

    >>> from rocsolid.comparison import compare
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> [(one.name, round(one.difference, 4), one.state)
    ...  for one in standings(compare(y, {"a": a, "b": b}))]
    [('a', -0.1111, 'open')]
    """
    best = highest(comparison)
    proven = doubted(comparison.warnings) and certificates_wanted(comparison.settings)
    alike = {(one.a, one.b): one.shown for one in comparison.equivalence}
    ahead = []
    for pair in comparison.pairs:
        if best not in (pair.a, pair.b):
            continue
        name, sign = (pair.b, -1) if pair.a == best else (pair.a, 1)
        certified = _turned(pair.proven, sign)
        if alike:
            state: State = "better" if alike[pair.a, pair.b] else "open"
        elif not comparison.groups:
            state = ""
        else:
            state = _state(pair, sign, certified if proven else None, 1.0 - comparison.level)
        limits = _turned((pair.low, pair.high), sign)
        ahead.append(
            Standing(name, sign * pair.difference, limits, certified, state,
                     pair.interval.decimals)
        )  # fmt: skip
    return tuple(sorted(ahead, key=lambda one: -one.difference))


def _state(
    pair: Difference, sign: int, certified: tuple[float, float] | None, alpha: float
) -> State:
    """By the certified limits where those decide, else by the adjusted test."""
    if certified is not None:
        low, high = certified
        return "worse" if high < 0.0 else "better" if low > 0.0 else "open"
    if not pair.p_adjusted < alpha or pair.difference == 0.0:
        return "open"
    return "better" if sign * pair.difference > 0.0 else "worse"


def _turned(limits: tuple[float, float] | None, sign: int) -> tuple[float, float] | None:
    if limits is None or any(map(math.isnan, limits)):
        return None
    low, high = limits
    return (low, high) if sign > 0 else (-high, -low)

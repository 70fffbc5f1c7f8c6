"""Compare each name of a comparison with the highest: ahead, behind, or undecided.

Classes of comparisons are in a higher layer.
"""

from __future__ import annotations

import math
from typing import Any, Literal

from rocsolid.dataclass import dataclass
from rocsolid.remarks.remark import doubted, doubts

State = Literal["better", "worse", "open", ""]
"""The decision; empty if no test of equality was requested."""


@dataclass(frozen=True, slots=True)
class AgainstBest:
    """The estimate of ``name`` minus the highest estimate, with its limits.

    The limits hold jointly for all pairs where such limits are known; otherwise they are for this
    pair ``alone``. ``state`` is the decision, which ``proven`` leaves to the certified limits; with
    a margin, "better" means equivalent within the margin.
    """

    name: str
    difference: float
    limits: tuple[float, float] | None
    certified: tuple[float, float] | None
    state: State
    decimals: int = 4
    alone: bool = False
    proven: bool = False

    @property
    def deciding(self) -> tuple[tuple[float, float] | None, str]:
        """The limits that agree with the decision, and a word about them, which may be empty."""
        if self.proven:
            return self.certified, "certified"
        return self.limits, "for this pair alone" if self.alone else ""


def highest(comparison: Any) -> str:
    """The name with the highest value; the first of equal names."""
    values = {name: rival.value for name, rival in comparison.estimates.items()}
    return str(max(values, key=lambda name: values[name]))


def standings(comparison: Any) -> tuple[AgainstBest, ...]:
    """All other names compared with the highest, in falling order of value.

    >>> from rocsolid.comparison import compare
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> [(rival.name, round(rival.difference, 4), rival.state)
    ...  for rival in standings(compare(y, {"a": a, "b": b}))]
    [('a', -0.1111, 'open')]
    """
    best = highest(comparison)
    wanted = comparison.settings.get("certified", True)
    proven = wanted and doubted(comparison.warnings)
    undecided = wanted and not proven and bool(doubts(comparison.warnings))
    alike = {(rival.a, rival.b): rival for rival in comparison.equivalence}
    adjusts = len(comparison.pairs) > 1 and comparison.settings.get("adjust") != "none"
    ahead = []
    for pair in comparison.pairs:
        if best not in (pair.a, pair.b):
            continue
        name, sign = (pair.b, -1) if pair.a == best else (pair.a, 1)
        certified = _turned(pair.proven, sign)
        shown = getattr(pair, "simultaneous", None) or pair.interval
        limits = None if shown.vacuous else _turned((shown.low, shown.high), sign)
        if alike:
            both = alike[pair.a, pair.b]
            limits = _turned((both.low, both.high), sign)  # of both rival-sided tests
            state: State = "better" if both.shown else "open"
        elif undecided:
            state = "open"
        elif not comparison.groups or pair.interval.method.startswith("none"):
            state = ""  # a test of whole curves does not say which is better
        else:
            state = _state(pair, sign, certified if proven else None, 1.0 - comparison.level)
        ahead.append(
            AgainstBest(
                name, sign * pair.difference, limits, certified, state, pair.interval.decimals,
                shown is pair.interval and adjusts, bool(proven and certified and not alike),
            )
        )  # fmt: skip
    return tuple(sorted(ahead, key=lambda rival: -rival.difference))


def _state(pair: Any, sign: int, certified: tuple[float, float] | None, alpha: float) -> State:
    """Decide by the certified limits if these decide, else by the adjusted test."""
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

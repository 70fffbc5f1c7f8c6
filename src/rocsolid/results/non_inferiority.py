"""Whether a score is not worse than another, or as good, by a margin: decided in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid.results.interval import percent
from rocsolid.results.p_value import p_equals
from rocsolid.results.plain import one_line, written
from rocsolid.results.telling import nearest, signed, telling

REGULATORY = 0.025
"""The one-sided error that regulators of medicines and devices usually allow."""

_MOST = 120  # decisions that are spelled out, two of a pair


@dataclass(frozen=True, slots=True)
class NonInferiority:
    """The decision for one pair: ``shown`` is whether the adjusted p-value is below ``alpha``.

    ``low`` is the one-sided lower limit of a − b for this pair alone. Where no difference varies
    there is no p-value, and the limit is certified: it decides, if the pair stands ``alone``.
    """

    a: str
    b: str
    margin: float
    alpha: float
    low: float
    p_adjusted: float
    decimals: int = 4
    alone: bool = False
    p_at_floor: bool = False

    @property
    def shown(self) -> bool:
        if math.isnan(self.p_adjusted):
            return self.alone and self.low > -self.margin
        return self.p_adjusted < self.alpha

    __repr__ = one_line

    def __str__(self) -> str:
        verdict = "is not inferior" if self.shown else "is not shown to be non-inferior"
        low = telling(self.low, -self.margin, self.decimals, signed)
        return (
            f"{self.a} {verdict} to {self.b} at margin {self.margin} (one-sided "
            f"{percent(self.alpha)}): lower limit of {self.a} − {self.b} {low}, against "
            f"{-self.margin}; {_p_equals(self)}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {**written(self, "a b margin one_sided_alpha=alpha shown"), "words": str(self)}


@dataclass(frozen=True, slots=True)
class Equivalence:
    """The decision that a − b lies within ± margin: two one-sided tests, each at ``alpha``.

    Both limits of a − b are one-sided at ``alpha``, so that they make an interval of level
    1 − 2·alpha. The p-value is the larger one of the two tests (Schuirmann 1987); without one the
    limits decide, as in `NonInferiority`.
    """

    a: str
    b: str
    margin: float
    alpha: float
    low: float
    high: float
    p_adjusted: float
    decimals: int = 4
    alone: bool = False
    p_at_floor: bool = False

    @property
    def shown(self) -> bool:
        if math.isnan(self.p_adjusted):
            return self.alone and -self.margin < self.low and self.high < self.margin
        return self.p_adjusted < self.alpha

    __repr__ = one_line

    def __str__(self) -> str:
        verdict = "are equivalent" if self.shown else "are not shown to be equivalent"
        low = telling(self.low, -self.margin, self.decimals, signed)
        high = telling(self.high, self.margin, self.decimals, signed)
        return (
            f"{self.a} and {self.b} {verdict} within {self.margin} (two one-sided tests, "
            f"{percent(self.alpha)} each): {percent(1.0 - 2.0 * self.alpha)} interval of "
            f"{self.a} − {self.b} {low} to {high}; {_p_equals(self)}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        names = "a b margin one_sided_alpha=alpha low high p_adjusted shown"
        return {**written(self, names), "words": str(self)}


def _p_equals(one: NonInferiority | Equivalence) -> str:
    """The p-value with digits that show on which side of the level it lies."""
    if math.isnan(one.p_adjusted) and one.alone:
        return "there is no p-value, so the limit decides"
    if one.p_adjusted >= min(1e-4, one.alpha) and not one.p_at_floor:
        return f"adjusted p = {telling(one.p_adjusted, one.alpha, 4, nearest)}"
    return f"adjusted {p_equals(one.p_adjusted, floor=one.p_at_floor)}"


def _summed(decisions: Sequence[NonInferiority | Equivalence]) -> str:
    shown = {NonInferiority: 0, Equivalence: 0}
    for one in decisions:
        shown[type(one)] += one.shown
    first = decisions[0]
    return (
        f"Of {len(decisions) // len(shown):,} pairs {shown[NonInferiority]:,} are shown not to be "
        f"inferior at margin {first.margin} (one-sided {percent(first.alpha)}), and "
        f"{shown[Equivalence]:,} to be equivalent within it."
    )


def in_words(decisions: Sequence[NonInferiority | Equivalence]) -> list[str]:
    """A sentence for each pair, and one on the level where it is not what regulators require.

    Many pairs are summed up: each decision stands in the result and its JSON.
    """
    said = [str(one) for one in decisions] if len(decisions) <= _MOST else [_summed(decisions)]
    if decisions and decisions[0].alpha > REGULATORY + 1e-9:
        said.append(
            f"Regulators usually require one-sided {percent(REGULATORY)}: level="
            f"{1.0 - REGULATORY:g}."
        )
    return said

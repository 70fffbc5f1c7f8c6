"""Whether a score is not worse than another, or as good, by a margin: decided in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from rocsolid.results.interval import percent
from rocsolid.results.kinds import FloatOrNaN, PValue, ZeroToOne
from rocsolid.results.p_value import p_equals
from rocsolid.results.plain import Plain, one_line
from rocsolid.results.telling import nearest, signed, telling

REGULATORY = 0.025
"""The one-sided error that regulators of medicines and devices usually allow."""

_MOST = 120  # decisions that are spelled out, two of a pair


class PairDecision:
    """What was decided about a pair, as a sentence."""

    __slots__ = ()

    @property
    def words(self) -> str:
        """The decision as a sentence."""
        return str(self)


@dataclass(frozen=True, slots=True)
class NonInferiority(Plain, PairDecision):
    """Whether a is worse than b by less than the margin, decided at ``alpha``.

    ``low`` is the one-sided lower limit of a − b for this pair alone. Where no difference varies
    there is no p-value, and the limit is certified: it decides, if the pair stands ``alone``.
    """

    a: Annotated[str, "The one that may be worse."]
    b: Annotated[str, "The other one."]
    margin: Annotated[float, "The loss that would not matter."]
    alpha: Annotated[ZeroToOne, "1 less the level; regulators usually require 0.025."]
    low: float
    p_adjusted: float
    decimals: int = 4
    alone: bool = False
    p_at_floor: bool = False
    _json = "a b margin one_sided_alpha=alpha shown words"

    @property
    def shown(self) -> bool:
        """Whether the adjusted p-value is below it."""
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


@dataclass(frozen=True, slots=True)
class Equivalence(Plain, PairDecision):
    """Whether a and b differ by less than the margin: two one-sided tests, each at ``alpha``.

    Both limits of a − b are one-sided at ``alpha``, so that they make an interval of level
    1 − 2·alpha. The p-value is the larger one of the two tests (Schuirmann 1987); without one the
    limits decide, as in `NonInferiority`.
    """

    a: Annotated[str, "The first of the pair."]
    b: Annotated[str, "The second."]
    margin: Annotated[float, "The difference that would not matter."]
    alpha: Annotated[ZeroToOne, "1 less the level: the error of each of the two tests."]
    low: Annotated[
        FloatOrNaN,
        "The one-sided lower limit of a − b for this pair alone; null where nothing bounds it.",
    ]
    high: Annotated[FloatOrNaN, "The one-sided upper limit."]
    p_adjusted: Annotated[
        PValue,
        "The larger p-value of the two tests, adjusted for all pairs; null where one does not "
        "hold.",
    ]
    decimals: int = 4
    alone: bool = False
    p_at_floor: bool = False
    _json = "a b margin one_sided_alpha=alpha low high p_adjusted shown words"

    @property
    def shown(self) -> bool:
        """Whether the adjusted p-value is below it."""
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


def _p_equals(decision: NonInferiority | Equivalence) -> str:
    """The p-value with digits that show on which side of the level it lies."""
    if math.isnan(decision.p_adjusted) and decision.alone:
        return "there is no p-value, so the limit decides"
    if decision.p_adjusted >= min(1e-4, decision.alpha) and not decision.p_at_floor:
        return f"adjusted p = {telling(decision.p_adjusted, decision.alpha, 4, nearest)}"
    return f"adjusted {p_equals(decision.p_adjusted, floor=decision.p_at_floor)}"


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
    sentences = [str(one) for one in decisions] if len(decisions) <= _MOST else [_summed(decisions)]
    if decisions and decisions[0].alpha > REGULATORY + 1e-9:
        sentences.append(
            f"Regulators usually require one-sided {percent(REGULATORY)}: level="
            f"{1.0 - REGULATORY:g}."
        )
    return sentences

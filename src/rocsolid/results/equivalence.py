"""Formatting of p-values, and decisions on equivalence and non-inferiority."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Annotated

from rocsolid.dataclass import dataclass
from rocsolid.results.interval import percent
from rocsolid.results.json_schema import FloatOrNaN, PValue, ZeroToOne
from rocsolid.results.plain import Plain, one_line

_LEAST = 1e-4


def at_floor(p: float, draws: int | None) -> bool:
    """Whether a p-value counted among so many draws is the smallest possible one, 1/(draws + 1).

    The true p-value may be far smaller. A formula, and all exchanges together, make no draws.

    >>> at_floor(1 / 2001, 2000), at_floor(2 / 2001, 2000)
    (True, False)
    """
    return bool(draws) and p * (1.0 + (draws or 0)) <= 1.0 + 1e-9


def p_text(p: float, *, floor: bool = False) -> str:
    """A p-value for a table; at the ``floor`` of its draws it is an upper limit.

    >>> p_text(0.03217), p_text(3.2e-7), p_text(float("nan")), p_text(1 / 2001, floor=True)
    ('0.0322', '<0.0001', 'unknown', '≤0.0005')
    """
    if math.isnan(p):
        return "unknown"
    if p < _LEAST:
        return "<0.0001"
    return f"≤{_upwards(p)}" if floor else f"{p:.4f}"


def p_equals(p: float, digits: str = ".4f", *, floor: bool = False) -> str:
    """A p-value in a sentence.

    >>> p_equals(0.03217), p_equals(0.03217, ".2g"), p_equals(3.2e-7), p_equals(float("nan"))
    ('p = 0.0322', 'p = 0.032', 'p < 0.0001', 'p unknown')
    >>> p_equals(1 / 501, floor=True)
    'p ≤ 0.0020'
    """
    if math.isnan(p):
        return "p unknown"
    if p < _LEAST:
        return "p < 0.0001"
    return f"p ≤ {_upwards(p)}" if floor else f"p = {p:{digits}}"


def _upwards(p: float) -> str:
    return f"{math.ceil(p * 1e4 - 1e-9) / 1e4:.4f}"


_MOST = 17  # digits of a double


def nearest(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def signed(value: float, decimals: int) -> str:
    """Format a difference with its sign."""
    return f"{value:+.{decimals}f}"


def telling(
    value: float, bar: float, decimals: int, rounded: Callable[[float, int], str] = nearest
) -> str:
    """Format a number so that it is on the same side of ``bar`` as the number itself.

    >>> telling(0.89996, 0.9, 3), telling(0.9104, 0.9, 3)
    ('0.89996', '0.910')
    >>> telling(0.00004, 0.0, 3, signed), telling(0.0, 0.0, 3, signed)
    ('+0.00004', '+0.000')
    """
    text = rounded(value, decimals)
    while decimals < _MOST and _side(float(text), bar) != _side(value, bar):
        decimals += 1
        text = rounded(value, decimals)
    return text


def _side(value: float, bar: float) -> int:
    return int(value > bar) - int(value < bar)


REGULATORY = 0.025
"""The one-sided error that regulators of medicines and devices usually allow."""

_NON_INFERIORITY_MOST = 120  # decisions that are spelled out, two of a pair


class PairDecision:
    __slots__ = ()

    @property
    def words(self) -> str:
        """The decision as a sentence."""
        return str(self)


@dataclass(frozen=True, slots=True)
class NonInferiority(Plain, PairDecision):
    """Whether a is worse than b by less than the margin, decided at ``alpha``.

    ``low`` is the one-sided lower limit of a − b for this pair alone. If no difference varies, the
    certified limit decides instead of a p-value, but only for a pair that is ``alone``.
    """

    a: Annotated[str, "The score that may be worse."]
    b: Annotated[str, "The other score."]
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
        """Whether the adjusted p-value is below ``alpha``."""
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

    The limits of a − b form an interval of level 1 − 2·alpha. The p-value is the larger p-value of
    the two tests (Schuirmann 1987); without a p-value the limits decide, as in `NonInferiority`.
    """

    a: Annotated[str, "The first score of the pair."]
    b: Annotated[str, "The second score of the pair."]
    margin: Annotated[float, "The difference that would not matter."]
    alpha: Annotated[ZeroToOne, "1 less the level: the error of each of the two tests."]
    low: Annotated[
        FloatOrNaN, "The one-sided lower limit of a − b for this pair alone; null without a bound."
    ]
    high: Annotated[FloatOrNaN, "The one-sided upper limit."]
    p_adjusted: Annotated[
        PValue,
        "The larger p-value of the two tests, adjusted for all pairs; null if a test is not "
        "possible.",
    ]
    decimals: int = 4
    alone: bool = False
    p_at_floor: bool = False
    _json = "a b margin one_sided_alpha=alpha low high p_adjusted shown words"

    @property
    def shown(self) -> bool:
        """Whether the adjusted p-value is below ``alpha``."""
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
    """Format the p-value with enough digits to show whether it is below the level."""
    if math.isnan(decision.p_adjusted) and decision.alone:
        return "there is no p-value, so the limit decides"
    if decision.p_adjusted >= min(1e-4, decision.alpha) and not decision.p_at_floor:
        return f"adjusted p = {telling(decision.p_adjusted, decision.alpha, 4, nearest)}"
    return f"adjusted {p_equals(decision.p_adjusted, floor=decision.p_at_floor)}"


def _summed(decisions: Sequence[NonInferiority | Equivalence]) -> str:
    shown = {NonInferiority: 0, Equivalence: 0}
    for decision in decisions:
        shown[type(decision)] += decision.shown
    first = decisions[0]
    return (
        f"{shown[NonInferiority]:,} of {len(decisions) // len(shown):,} pairs are shown to be "
        f"non-inferior at margin {first.margin} (one-sided {percent(first.alpha)}), and "
        f"{shown[Equivalence]:,} to be equivalent within it."
    )


def in_words(decisions: Sequence[NonInferiority | Equivalence]) -> list[str]:
    """A sentence for each pair, and a note on the level if regulators require another.

    Many pairs are summarised.
    """
    sentences = (
        [str(decision) for decision in decisions]
        if len(decisions) <= _NON_INFERIORITY_MOST
        else [_summed(decisions)]
    )
    if decisions and decisions[0].alpha > REGULATORY + 1e-9:
        sentences.append(
            f"Regulators usually require one-sided {percent(REGULATORY)}, which is a level of "
            f"{1.0 - REGULATORY:g}."
        )
    return sentences

"""Whether one score is worse than another by less than a margin, decided in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid.results.interval import percent
from rocsolid.results.one_line import one_line
from rocsolid.results.plain import written
from rocsolid.results.telling import nearest, signed, telling

REGULATORY = 0.025
"""The one-sided error that regulators of medicines and devices usually allow."""


@dataclass(frozen=True, slots=True)
class NonInferiority:
    """The decision for one pair: ``shown`` is whether the adjusted p-value is below ``alpha``.

    ``low`` is the one-sided lower limit of a − b for this pair alone.
    """

    a: str
    b: str
    margin: float
    alpha: float
    low: float
    p_adjusted: float
    decimals: int = 4

    @property
    def shown(self) -> bool:
        return self.p_adjusted < self.alpha

    __repr__ = one_line

    def __str__(self) -> str:
        verdict = "is not inferior" if self.shown else "is not shown to be non-inferior"
        low = telling(self.low, -self.margin, self.decimals, signed)
        p = "unknown"
        if not math.isnan(self.p_adjusted):
            p = telling(self.p_adjusted, self.alpha, 4, _p)
        return (
            f"{self.a} {verdict} to {self.b} at margin {self.margin} (one-sided "
            f"{percent(self.alpha)}): lower limit of {self.a} − {self.b} {low}, against "
            f"{-self.margin}; adjusted p = {p}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {**written(self, "a b margin one_sided_alpha=alpha shown"), "words": str(self)}


def _p(value: float, decimals: int) -> str:
    return nearest(value, decimals) if value >= 1e-4 else f"{value:.1e}"


def in_words(decisions: Sequence[NonInferiority]) -> list[str]:
    """A sentence for each pair, and one on the level where it is not what regulators ask for."""
    said = [str(one) for one in decisions]
    if decisions and decisions[0].alpha > REGULATORY + 1e-9:
        said.append(
            f"Regulators usually ask for one-sided {percent(REGULATORY)}: level="
            f"{1.0 - REGULATORY:g}."
        )
    return said

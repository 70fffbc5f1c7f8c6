"""A ruling: one rule of a policy in one segment, decided."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from rocsolid.answer.entry import segment_text
from rocsolid.results import Interval
from rocsolid.results.kinds import FloatOrNaN, Rank, SegmentOrAll, holds
from rocsolid.results.plain import Plain, one_line

Verdict = Literal["pass", "fail", "undecided"]
ORDER: tuple[Verdict, ...] = ("fail", "undecided", "pass")


@dataclass(frozen=True, slots=True)
class Ruling(Plain):
    """One rule in one segment: decided, by which limits, and what would decide it.

    ``interval`` is one of the limits with its method.
    """

    rule: Annotated[Rank, "The number of the rule in the policy."]
    text: Annotated[str, "The rule in words."]
    by: Annotated[dict[str, Any] | None, SegmentOrAll]
    verdict: Annotated[Verdict, "What was decided."]
    value: Annotated[
        FloatOrNaN, "The estimate, the difference, or the fact; null where there is none."
    ]
    low: Annotated[FloatOrNaN, "The one-sided lower limit that was used; null where none was."]
    high: Annotated[FloatOrNaN, "The one-sided upper limit that was used; null where none was."]
    needed: Annotated[str, "What the limits had to show."]
    why: Annotated[str, "The ruling as a sentence."]
    more: Annotated[
        int | None,
        holds(minimum=1),
        "How many more rows or queries would probably decide; null where nothing is open, or no "
        "number would.",
    ] = None
    shown: str = ""
    interval: Interval | None = None
    _json = "rule text verdict value low high needed why more_rows=more by method"

    @property
    def method(self) -> str | None:
        """The method of a limit; null where none was used."""
        return None if self.interval is None else self.interval.method

    @property
    def segment(self) -> str:
        return segment_text(self.by).lstrip(", ")

    @property
    def name(self) -> str:
        """The rule in words, with its segment."""
        return f"{self.text} [{self.segment}]" if self.by else self.text

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.verdict.upper()} rule {self.rule}: {self.name}: {self.why}"


def number(value: float, decimals: int = 4) -> str:
    """A value for people; none where nothing was found."""
    return "" if math.isnan(value) else f"{value:.{decimals}f}"

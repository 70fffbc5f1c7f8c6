"""The lowest value of all segments, with a certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from rocsolid.results.interval import Interval, percent
from rocsolid.results.kinds import ScoreName, SegmentKey, holds
from rocsolid.results.plain import Plain, one_line, plain_segment

_NAMED = 5


@dataclass(frozen=True, slots=True)
class LowestSegment(Plain):
    """Certified limits for the lowest true value of all ``segments``, whichever has it.

    They follow from certified intervals that hold for all segments together (Bonferroni).
    ``may_be`` are the segments that those leave open as the lowest; the others are not.
    """

    score: ScoreName
    measure: Annotated[str, "The measure."]
    segments: Annotated[int, holds(minimum=2), "How many segments."]
    limits: Annotated[
        Interval, "Certified limits, from intervals of all segments that hold together."
    ]
    may_be: Annotated[
        tuple[Mapping[str, Any], ...],
        tuple[SegmentKey, ...],
        "The segments that may be the lowest, column to value.",
    ]

    def to_dict(self) -> dict[str, Any]:
        # named explicitly: a dataclass with slots breaks the short form of super()
        return {**Plain.to_dict(self), "may_be": [plain_segment(by) for by in self.may_be]}

    __repr__ = one_line

    def __str__(self) -> str:
        limits, decimals = self.limits, self.limits.decimals
        name = self.score if self.measure == "auc" else f"{self.score}, {self.measure}"
        text = f"{name}: the lowest of {self.segments:,} segments is certified to be"
        high, level = f"{limits.high:.{decimals}f}", percent(limits.level)
        if limits.low <= limits.range[0]:
            return f"{text} at most {high} ({level}); its lower limit is vacuous."
        each = [", ".join(str(value) for value in by.values()) for by in self.may_be]
        may_be = " or ".join(each[:_NAMED])
        if len(each) > _NAMED:
            may_be += f" or {len(each) - _NAMED:,} more"
        if len(each) == self.segments:
            may_be = "any of them"
        return f"{text} {limits.low:.{decimals}f} to {high} ({level}); it may be {may_be}."


def lowest_segment(
    score: str, measure: str, level: float, by: Sequence[Mapping[str, Any]],
    together: Sequence[Interval | None],
) -> LowestSegment | None:  # fmt: skip
    """From certified intervals that hold ``together``; ``None`` where a segment has none.

    >>> two = Interval(0.6, 0.7, 0.975, "hinge"), Interval(0.8, 0.9, 0.975, "hinge")
    >>> print(lowest_segment("s", "auc", 0.95, [{"site": "a"}, {"site": "b"}], two))
    s: the lowest of 2 segments is certified to be 0.6000 to 0.7000 (95 %); it may be a.
    """
    sure = [one for one in together if one is not None]
    if len(sure) < max(len(together), 2):
        return None
    lowest = min(sure, key=lambda one: one.low)
    limits = replace(lowest, high=min(one.high for one in sure), level=level)
    may_be = (key for key, one in zip(by, sure, strict=True) if one.low <= limits.high)
    return LowestSegment(score, measure, len(sure), limits, tuple(may_be))

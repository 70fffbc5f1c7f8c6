"""Evidence that segments differ, and a certified interval for the lowest segment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NotRequired, TypedDict

from rocsolid.dataclass import dataclass
from rocsolid.remarks.tables import SegmentsUntested
from rocsolid.results.equivalence import at_floor, p_equals
from rocsolid.results.interval import Interval, percent
from rocsolid.results.json_schema import (
    AtFloor,
    Count,
    IntervalLevel,
    ScoreName,
    SegmentKey,
    SegmentOrAll,
    ZeroToOne,
    holds,
)
from rocsolid.results.plain import Plain, each_once, one_line, plain_segment

_NAMED = 5


def segment_name(by: Mapping[str, Any] | None) -> str:
    """The values of a segment, without the names of the columns.

    >>> segment_name({"site": "a", "year": 2024})
    'a, 2024'
    """
    return ", ".join(str(value) for value in (by or {}).values())


@dataclass(frozen=True, slots=True)
class LowestSegment(Plain):
    """Certified limits for the lowest true value among all ``segments``, whichever has it.

    The limits follow from certified intervals that hold jointly (Bonferroni). ``may_be`` are the
    segments that can still be the lowest.
    """

    score: ScoreName
    measure: Annotated[str, "The measure."]
    segments: Annotated[int, holds(minimum=2), "How many segments."]
    limits: Annotated[
        Interval, "Certified limits, from intervals that hold jointly for all segments."
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
        text = f"{name}: the certified interval for the lowest of {self.segments:,} segments is"
        high, level = f"{limits.high:.{decimals}f}", percent(limits.level)
        if limits.low <= limits.range[0]:
            return f"{text} at most {high} ({level}); it has no lower limit."
        each = list(map(segment_name, self.may_be))
        may_be = " or ".join(each[:_NAMED])
        if len(each) > _NAMED:
            may_be += f" or {len(each) - _NAMED:,} more"
        if len(each) == self.segments:
            may_be = "any of them"
        return f"{text} {limits.low:.{decimals}f} to {high} ({level}); {may_be} may be the lowest."


def lowest_segment(
    score: str, measure: str, level: float, by: Sequence[Mapping[str, Any]],
    together: Sequence[Interval | None],
) -> LowestSegment | None:  # fmt: skip
    """Compute the limits from joint certified intervals; ``None`` if a segment has none.

    >>> two = Interval(0.6, 0.7, 0.975, "hinge"), Interval(0.8, 0.9, 0.975, "hinge")
    >>> print(lowest_segment("s", "auc", 0.95, [{"site": "a"}, {"site": "b"}], two))
    s: the certified interval for the lowest of 2 segments is 0.6000 to 0.7000 (95 %); a may be the
    lowest.
    """
    sure = [interval for interval in together if interval is not None]
    if len(sure) < max(len(together), 2):
        return None
    lowest = min(sure, key=lambda interval: interval.low)
    limits = replace(lowest, high=min(interval.high for interval in sure), level=level)
    may_be = (key for key, interval in zip(by, sure, strict=True) if interval.low <= limits.high)
    return LowestSegment(score, measure, len(sure), limits, tuple(may_be))


class SegmentCounts(TypedDict):
    """The numbers of positives, negatives or queries in a segment."""

    n_pos: NotRequired[Annotated[Count, "Its positives; null for queries."]]
    n_neg: NotRequired[Annotated[Count, "Its negatives; null for queries."]]
    n_queries: NotRequired[Annotated[Count, "Its queries; null for rows."]]


@dataclass(frozen=True, slots=True)
class SegmentValue(Plain):
    """One segment compared with all others."""

    by: Annotated[Mapping[str, Any], SegmentOrAll]
    value: Annotated[float, "The value."]
    shrunken: Annotated[
        float,
        (
            "The value moved towards the mean of all segments, farther if fewer rows support it "
            "(empirical Bayes)."
        ),
    ]
    std_error: Annotated[float, "The standard error, smoothed over all segments."]
    apart: Annotated[float, "The value minus the mean of the other segments."]
    p_value: Annotated[ZeroToOne, "The p-value of a test against the other segments."]
    p_adjusted: Annotated[
        ZeroToOne,
        ("The p-value adjusted for all segments (Holm); two segments share one hypothesis."),
    ]
    units: Annotated[
        float,
        "The sample size behind the variance: 1/(1/positives + 1/negatives), reduced for "
        "clusters, or the number of queries.",
    ]
    counts: Annotated[Mapping[str, int], SegmentCounts]
    _json = "by value shrunken std_error apart p_value p_adjusted units *counts"

    @property
    def name(self) -> str:
        return segment_name(self.by)

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.name} ({self.value:.4f}, shrunk to {self.shrunken:.4f})"


@dataclass(frozen=True, slots=True)
class SegmentEvidence(Plain):
    """A test of whether all segments have the same value, and the segments by evidence."""

    score: ScoreName
    measure: Annotated[str, "The measure."]
    statistic: Annotated[
        float,
        "Q, the weighted sum of squares around the mean; for two segments the squared t of "
        "their difference.",
    ]
    p_value: Annotated[ZeroToOne, "The p-value of the test that all segments have one value."]
    draws: Annotated[
        Count, "The number of draws behind the p-value; 0 for a formula, such as for two segments."
    ]
    spread: Annotated[float, "The standard deviation of the true values."]
    mean: Annotated[float, "The common mean of the segments."]
    typical: Annotated[
        float, ("The standard error of a segment, times the square root of its units.")
    ]
    level: Annotated[IntervalLevel, "The level at which segments count as different."]
    shared: Annotated[Count, "Clusters with rows in several segments."]
    segments: Annotated[tuple[SegmentValue, ...], "The segments, sorted by evidence."]
    _json = (
        "score measure statistic p_value draws p_at_floor spread mean typical level shared segments"
    )

    @property
    def p_at_floor(self) -> AtFloor:
        return self.draws > 0 and at_floor(self.p_value, self.draws)

    @property
    def name(self) -> str:
        return named(self.score, self.measure)

    @property
    def differ(self) -> tuple[SegmentValue, ...]:
        """The segments that differ from the rest, with all tests joint."""
        return tuple(each for each in self.segments if each.p_adjusted < 1.0 - self.level)

    __repr__ = one_line

    def __str__(self) -> str:
        differ = self.p_value < 1.0 - self.level
        verdict = "differ significantly" if differ else "do not differ significantly"
        clusters = "a cluster" if self.shared == 1 else f"{self.shared:,} clusters"
        sharing = f", which share {clusters}," if self.shared else ""
        p = p_equals(self.p_value, floor=self.p_at_floor)
        text = f"{self.name}: {len(self.segments):,} segments{sharing} {verdict}"
        if len(self.segments) == 2:
            values = ", ".join(f"{segment.name} {segment.value:.4f}" for segment in self.segments)
            return f"{text} ({p}): {values}."
        text += f" (heterogeneity, {p}); standard deviation of the true values {self.spread:.4f}"
        if not self.differ:
            return f"{text}; no segment differs from the rest after adjustment."
        more = f" and {len(self.differ) - _NAMED} more" if len(self.differ) > _NAMED else ""
        names = ", ".join(str(segment) for segment in self.differ[:_NAMED])
        return f"{text}; different from the rest after adjustment: {names}{more}."


@dataclass(frozen=True, slots=True)
class Untested:
    """The reason why a score's segments are not tested; ``name`` as in `SegmentEvidence`."""

    name: str
    reason: str


def named(score: str, measure: str) -> str:
    """The score, and the measure unless it is the AUC."""
    return score if measure == "auc" else f"{score}, {measure}"


def evidence_sentences(tests: Iterable[SegmentEvidence | Untested]) -> tuple[str, ...]:
    """A sentence for each test, then each reason for a missing test, once.

    >>> evidence_sentences([Untested("a", "nobody knows"), Untested("b", "nobody knows")])
    ('a; b: the segments are not tested for differences: nobody knows.',)
    """
    each = list(tests)
    untested = (
        (test.name, SegmentsUntested(test.reason)) for test in each if isinstance(test, Untested)
    )
    tested = (str(test) for test in each if isinstance(test, SegmentEvidence))
    return *tested, *each_once(untested)

"""Whether segments differ, and which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rocsolid.remarks.tables import SegmentsUntested
from rocsolid.results.each_once import each_once
from rocsolid.results.p_value import at_floor, p_equals
from rocsolid.results.plain import Plain, one_line, plain_segment

_NAMED = 5


@dataclass(frozen=True, slots=True)
class SegmentStanding(Plain):
    """One segment beside all others.

    ``shrunken`` is the value moved to the mean of all segments, the farther the less it rests on
    (empirical Bayes). ``apart`` is the value less the mean of the other segments. ``counts`` has
    its ``n_pos`` and ``n_neg``, or its ``n_queries``; ``units`` is what its variance goes by:
    1/(1/positives + 1/negatives), fewer where rows have clusters, or the queries.
    """

    by: Mapping[str, Any]
    value: float
    shrunken: float
    std_error: float
    apart: float
    p_value: float
    p_adjusted: float
    units: float
    counts: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        # named explicitly: a dataclass with slots breaks the short form of super()
        found = {**Plain.to_dict(self), "by": plain_segment(self.by)}
        counts = found.pop("counts")
        return {**found, **counts}

    @property
    def name(self) -> str:
        return ", ".join(str(value) for value in self.by.values())

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.name} ({self.value:.4f}, shrunk to {self.shrunken:.4f})"


@dataclass(frozen=True, slots=True)
class SegmentEvidence(Plain):
    """The test that all segments have one value, and the segments, the most evidence first.

    ``p_value`` was counted among so many ``draws``; none means that a formula gives it, as for the
    difference of two segments. ``spread`` is the standard deviation of their true values, ``mean``
    what they have in common, and ``typical`` over the root of its ``units`` the standard error that
    is typical of a segment. ``shared`` clusters have rows in several segments.
    """

    score: str
    measure: str
    statistic: float
    p_value: float
    draws: int
    spread: float
    mean: float
    typical: float
    level: float
    shared: int
    segments: tuple[SegmentStanding, ...]
    _json = (
        "score measure statistic p_value draws p_at_floor spread mean typical level shared segments"
    )

    @property
    def p_at_floor(self) -> bool:
        """Whether no draw was as extreme, so that the p-value is no more than a limit."""
        return self.draws > 0 and at_floor(self.p_value, self.draws)

    @property
    def name(self) -> str:
        return named(self.score, self.measure)

    @property
    def differ(self) -> tuple[SegmentStanding, ...]:
        """Those that differ from the rest, all tests together."""
        return tuple(one for one in self.segments if one.p_adjusted < 1.0 - self.level)

    __repr__ = one_line

    def __str__(self) -> str:
        differ = self.p_value < 1.0 - self.level
        verdict = "differ significantly" if differ else "do not differ significantly"
        clusters = "a cluster" if self.shared == 1 else f"{self.shared:,} clusters"
        sharing = f", which share {clusters}," if self.shared else ""
        p = p_equals(self.p_value, floor=self.p_at_floor)
        text = f"{self.name}: {len(self.segments):,} segments{sharing} {verdict}"
        if len(self.segments) == 2:
            values = ", ".join(f"{one.name} {one.value:.4f}" for one in self.segments)
            return f"{text} ({p}): {values}."
        text += f" (heterogeneity, {p}); standard deviation of the true values {self.spread:.4f}"
        if not self.differ:
            return f"{text}; no segment differs from the rest after adjustment."
        more = f" and {len(self.differ) - _NAMED} more" if len(self.differ) > _NAMED else ""
        names = ", ".join(str(one) for one in self.differ[:_NAMED])
        return f"{text}; different from the rest after adjustment: {names}{more}."


@dataclass(frozen=True, slots=True)
class Untested:
    """Why it is not tested whether the segments of a score differ; ``name`` is as in evidence."""

    name: str
    reason: str


def named(score: str, measure: str) -> str:
    """The score, and the measure where it is not the AUC."""
    return score if measure == "auc" else f"{score}, {measure}"


def said_of(found: Iterable[SegmentEvidence | Untested]) -> tuple[str, ...]:
    """A sentence for each test, then each reason why there is none, once.

    >>> said_of([Untested("a", "nobody knows"), Untested("b", "nobody knows")])
    ('a; b: whether segments differ is not tested: nobody knows.',)
    """
    each = list(found)
    untested = (
        (one.name, SegmentsUntested(one.reason)) for one in each if isinstance(one, Untested)
    )
    tested = (str(one) for one in each if isinstance(one, SegmentEvidence))
    return *tested, *each_once(untested)

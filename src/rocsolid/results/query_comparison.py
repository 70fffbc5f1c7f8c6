"""Systems compared over queries: what pairs and families add to a comparison of scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from rocsolid.results.comparison import Comparison, Difference
from rocsolid.results.interval import Interval, percent
from rocsolid.results.kinds import FloatOrNaN
from rocsolid.results.plain import one_line


@dataclass(frozen=True, slots=True)
class QueryDifference(Difference):
    """A difference of two systems, with its interval among all pairs and what the test can see.

    ``simultaneous`` holds together with those of all other pairs at the level; ``None`` where none
    is known. ``least_detectable`` is the true difference that the test would find with the power
    requested, given how much this pair varies over queries. ``in_tail`` counts the queries that
    carry the longer tail of the differences.
    """

    simultaneous: Annotated[
        Interval | None,
        "An interval that holds together with those of all other pairs; null where none is known.",
    ]
    least_detectable: Annotated[
        FloatOrNaN, "The least true difference that would be found with the power requested."
    ]
    in_tail: Annotated[FloatOrNaN, "The queries that carry the longer tail of the differences."]
    _json = f"{Difference._json} simultaneous least_detectable in_tail"


@dataclass(frozen=True, slots=True, eq=False)
class QueryComparison(Comparison):
    """Systems compared by the mean of a measure over queries.

    ``estimates`` holds each system's mean; the pairs are `QueryDifference`. The rest is as in a
    `Comparison`.
    """

    compared: Annotated[Literal["systems"], "What the names stand for."]
    estimates: Mapping[str, Any]
    pairs: Annotated[tuple[QueryDifference, ...], "Every pair."]
    _json = f"{Comparison._json} least_detectable"

    @property
    def drawn(self) -> str:
        settings = self.settings
        count = f"{settings['resamples']:,}"
        parts = [
            *([f"{count} vectors of signs"] if settings["exact"] is False else []),
            *([f"{count} shuffles of the systems"] if settings["adjust"] == "tukey" else []),
            *([f"{count} draws of the queries"] if self._redrawn else []),
        ]
        tests = f"{' and '.join(parts)}, seed {settings['seed']}" if parts else ""
        return "; ".join(filter(None, [tests, super(QueryComparison, self).drawn]))

    @property
    def _redrawn(self) -> bool:
        return self.settings["adjust"] == "max-t" and len(self.pairs) > 1

    @property
    def least_detectable(self) -> tuple[FloatOrNaN, FloatOrNaN]:
        """The smallest and the largest of the pairs; NaN where no pair has one."""
        known = [p.least_detectable for p in self.pairs if not math.isnan(p.least_detectable)]
        return (min(known), max(known)) if known else (math.nan, math.nan)

    __repr__ = one_line

    def told_apart(self) -> list[str]:
        """What does not differ, the ranks, and the least difference that would have been found."""
        return [*super(QueryComparison, self).told_apart(), *self.detectable()]

    def detectable(self) -> list[str]:
        """The least difference that would have been found; nothing where none is known."""
        low, high = self.least_detectable
        if math.isnan(low):
            return []
        null = self.settings["null"]
        what = "difference" if null == 0.0 else f"distance from {null:g}"
        found = f"{low:.4f}" if low == high else f"{low:.4f} to {high:.4f}, by pair"
        return [f"Least detectable {what} at {percent(self.settings['power'])} power: {found}."]

    def _sizes(self) -> str:
        queries = self.settings["queries"]
        if self.settings["paired"]:
            return f" on the same {queries[0]:,} queries"
        return f" on {', '.join(f'{each:,}' for each in queries)} queries of their own"

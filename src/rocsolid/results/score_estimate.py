"""An estimate that knows which score and which segment of a table it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocsolid.results.plain import one_line, plain_segment
from rocsolid.results.query_estimate import QueryEstimate


@dataclass(frozen=True, slots=True, eq=False)
class ScoreQueryEstimate(QueryEstimate):
    """The mean of one score column, over all queries (``by`` is ``None``) or those of a segment.

    ``asked`` is the measure as it was requested, ``measure`` its name with every convention.
    """

    score: str = ""
    by: Mapping[str, Any] | None = None
    asked: str = ""

    __repr__ = one_line

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; ``measure`` is named as it was requested."""
        # named explicitly: a dataclass with slots breaks the short form of super()
        by, found = plain_segment(self.by), QueryEstimate.to_dict(self)
        names = {"measure": self.asked, "full_name": self.measure}
        return {"score": self.score, "by": by, **found, **names}

"""An estimate that knows which score and which segment of a table it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.results.kinds import FullName, RequestedMeasure, ScoreName, SegmentOrAll
from rocsolid.results.plain import one_line
from rocsolid.results.query_estimate import QueryEstimate


@dataclass(frozen=True, slots=True, eq=False)
class ScoreQueryEstimate(QueryEstimate):
    """The mean of one score column, over all queries (``by`` is ``None``) or those of a segment.

    ``asked`` is the measure as it was requested, ``measure`` its name with every convention.
    """

    score: ScoreName = ""
    by: SegmentOrAll = None
    asked: RequestedMeasure = ""
    _json = f"score by {QueryEstimate._json} full_name".replace("measure", "measure=asked", 1)

    @property
    def full_name(self) -> FullName:
        return self.measure

    __repr__ = one_line

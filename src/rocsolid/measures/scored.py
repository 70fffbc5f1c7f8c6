"""One score of a source as a measure reads it: a summary, and rows or the table of a region."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from rocsolid.engines.engine import Engine, Segment
from rocsolid.engines.memory import score_counts, summarise
from rocsolid.errors import OneClassError
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights.weight import Axis


class Scored(Protocol):
    """What every source gives of one score; ``rows`` are ``None`` where they are not at hand."""

    @property
    def rows(self) -> BinaryRows | None: ...

    @property
    def omitted(self) -> int:
        """Rows that lack the score."""

    @property
    def summary(self) -> BinarySummary: ...

    def region(self, axis: Axis, low: float, high: float) -> tuple[ScoreCounts, ScoreCounts]:
        """See `rocsolid.engines.engine.Engine.region`."""


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """A score whose rows are at hand; they are summarised once, however many measures ask."""

    rows: BinaryRows

    @property
    def omitted(self) -> int:
        return self.rows.omitted

    @cached_property
    def summary(self) -> BinarySummary:
        return summarise(self.rows)

    def region(self, axis: Axis, low: float, high: float) -> tuple[ScoreCounts, ScoreCounts]:  # noqa: ARG002
        """The whole table, which holds every region."""
        rows = self.rows
        table = score_counts(rows)
        if rows.weight is None:
            return table, table
        return table, ScoreCounts.from_arrays(rows.positive, rows.score, rows.weight**2)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredElsewhere:
    """A score that an engine reduced where its rows are."""

    engine: Engine
    score: str
    part: Segment

    @property
    def rows(self) -> None:
        return None

    @property
    def omitted(self) -> int:
        return self.part.omitted

    @property
    def summary(self) -> BinarySummary:
        if self.part.summary is None:  # an engine has refused such a source already
            raise OneClassError("a class has no row, so nothing is defined", where=self.score)
        return self.part.summary

    def region(self, axis: Axis, low: float, high: float) -> tuple[ScoreCounts, ScoreCounts]:
        return self.engine.region(self.score, axis, low, high)

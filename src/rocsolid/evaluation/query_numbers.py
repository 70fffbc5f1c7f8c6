"""The numbers of scores evaluated over queries: means, comparisons, segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rocsolid.asymptotics.distinguishing.distinction import Distinction
from rocsolid.evaluation.evaluation_numbers import segment_text
from rocsolid.evaluation.runs_numbers import MeasuredRuns, compared
from rocsolid.inputs.segments import Segments
from rocsolid.results import QueryEstimate
from rocsolid.results.one_line import one_line
from rocsolid.results.plain import plain_segment
from rocsolid.results.score_query_estimate import ScoreQueryEstimate

_BY_QUERY = ("qids", "per_query")


@dataclass(frozen=True, slots=True, eq=False)
class SegmentOfQueries:
    """One measure of the queries of one segment: an estimate for each score, or why there is none.

    ``said`` are sentences about queries left out for all scores.
    """

    segment: int
    asked: str
    estimates: Mapping[str, QueryEstimate]
    queries: int
    said: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SkippedQueries:
    """A segment whose queries have no mean by a measure, why, and how many they are."""

    measure: str
    by: dict[str, Any]
    reason: str
    queries: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "by": plain_segment(self.by),
            "reason": self.reason,
            "queries": self.queries,
        }


@dataclass(frozen=True, slots=True, eq=False)
class QueryNumbers:
    """What pages, tables and audits are made from; `QueryEvaluation` has the forms as well."""

    source: str
    label: str
    qid: str
    n_rows: int
    queries: int
    scores: tuple[str, ...]
    measures: tuple[MeasuredRuns, ...]
    notes: tuple[str, ...]
    settings: Mapping[str, Any]
    segments: Segments | None = field(default=None, repr=False)
    parts: tuple[SegmentOfQueries, ...] = field(default=(), repr=False)
    distinction: Distinction | None = field(default=None, repr=False)

    @property
    def results(self) -> tuple[ScoreQueryEstimate, ...]:
        """Each score, each measure of it over all queries, then by segment."""
        return tuple(self._results())

    def _results(self) -> Iterator[ScoreQueryEstimate]:
        for score in self.scores:
            for one in self.measures:
                yield _scored(one.estimates[score], score, one.asked, None)
                for part in self.parts_of(one.asked):
                    if score in part.estimates:
                        yield _scored(
                            part.estimates[score], score, one.asked, self.key(part.segment)
                        )

    @property
    def skipped(self) -> tuple[SkippedQueries, ...]:
        """Segments without a mean, most often as no query of theirs has a relevant document."""
        return tuple(
            SkippedQueries(part.asked, self.key(part.segment), part.reason, part.queries)
            for part in self.parts
            if part.reason
        )

    def parts_of(self, asked: str) -> tuple[SegmentOfQueries, ...]:
        """The segments by one measure, in ascending order of their values."""
        return tuple(part for part in self.parts if part.asked == asked)

    def key(self, segment: int) -> dict[str, Any]:
        """Column name to value."""
        return {} if self.segments is None else self.segments.key(segment)

    __repr__ = one_line

    def __str__(self) -> str:
        blocks = []
        for one in self.measures:
            lines = [f"{name}: {estimate}" for name, estimate in one.estimates.items()]
            if one.comparison is not None:
                lines.append(str(one.comparison))
            for part in self.parts_of(one.asked):
                where = segment_text(self.key(part.segment))
                lines += [f"{name}{where}: {each}" for name, each in part.estimates.items()]
                if part.reason:
                    lines.append(f"{one.asked}{where}: no estimate, {part.reason}")
            blocks.append("\n".join(lines))
        if self.distinction is not None:
            blocks.append(f"{self.distinction}\n{self.distinction.choose().words}")
        return "\n\n".join(blocks)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable. ``per_query`` adds the value of each query."""
        return {
            "source": self.source,
            "label": self.label,
            "qid": self.qid,
            "rows": self.n_rows,
            "queries": self.queries,
            "results": [
                {k: v for k, v in one.to_dict().items() if per_query or k not in _BY_QUERY}
                for one in self.results
            ],
            "comparisons": [
                compared(one, one.comparison) for one in self.measures if one.comparison
            ],
            "skipped": [skipped.to_dict() for skipped in self.skipped],
            "distinction": None if self.distinction is None else self.distinction.to_dict(),
            "notes": list(self.notes),
            "settings": dict(self.settings),
        }


def _scored(
    estimate: QueryEstimate, score: str, asked: str, by: dict[str, Any] | None
) -> ScoreQueryEstimate:
    fields = {name: getattr(estimate, name) for name in QueryEstimate.__dataclass_fields__}
    return ScoreQueryEstimate(**fields, score=score, by=by, asked=asked)

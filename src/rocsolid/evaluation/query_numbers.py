"""The numbers of runs, or of scores in a table, measured over queries: means, pairs, segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rocsolid.answer.entry import Entry, Refused, segment_text
from rocsolid.evaluation.segment_evidence import query_evidence
from rocsolid.evaluation.separating_measures import SeparatingMeasures
from rocsolid.graded.estimate import RESIDUAL_SHOWS
from rocsolid.inputs.segments import Segments
from rocsolid.inputs.trec import Audit
from rocsolid.remarks.lists import GainMatters, OpenResidual
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval, QueryEstimate
from rocsolid.results.each_once import each_once
from rocsolid.results.lowest_segment import LowestSegment, lowest_segment
from rocsolid.results.plain import attributes, one_line
from rocsolid.results.query_comparison import QueryComparison
from rocsolid.results.segment_evidence import SegmentEvidence

_BY_QUERY = ("qids", "per_query")


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredRuns:
    """One measure of all runs, the best first.

    ``asked`` is its name as it was requested; the estimates have the full one. ``comparison`` is
    ``None`` for a single run or query. ``said`` are sentences about queries left out for all.
    ``noun`` is what one of them is called: columns of a table are scores.
    """

    asked: str
    estimates: Mapping[str, QueryEstimate]
    comparison: QueryComparison | None
    said: tuple[Remark, ...] = ()
    noun: str = "run"

    @property
    def full_name(self) -> str:
        return next(iter(self.estimates.values())).measure

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """Warnings: of the comparison, then of single runs; one sentence for several alike."""
        alone = each_once(
            (
                (name, warning)
                for name, one in self.estimates.items()
                for warning in one.warnings
                if not isinstance(warning, GainMatters | OpenResidual)
            ),
            everywhere=len(self.estimates),
        )
        compared = self.said if self.comparison is None else self.comparison.warnings
        return tuple(dict.fromkeys((*compared, *self._beside(), *alone)))

    def _beside(self) -> tuple[Remark, ...]:
        """The residuals, and values by the other gain: whether it orders the runs alike."""
        values: dict[str, dict[str, float]] = {}
        residual: dict[str, float] = {}
        open_ends = False
        for name, one in self.estimates.items():
            kinds = set(map(type, one.warnings))  # without those that are muted
            open_ends |= OpenResidual in kinds
            for other, value in one.others.items():
                if other == f"{one.measure} residual":
                    residual[name] = value
                elif value != one.value and GainMatters in kinds:
                    values.setdefault(other, {})[name] = value
        said: list[Remark] = []
        if open_ends and max(residual.values(), default=0.0) > RESIDUAL_SHOWS:
            said.append(OpenResidual(_shown(residual)))
        for rival, found in values.items():
            shown = _shown(found)
            ordered = list(found.values()) == sorted(found.values(), reverse=True)
            order = "" if ordered or len(found) < 2 else ", in another order"
            said.append(GainMatters(rival, shown, order))
        return tuple(said)


@dataclass(frozen=True, slots=True, eq=False)
class RunsNumbers:
    """What pages, tables and audits are made from; `RunsEvaluation` has the forms as well."""

    qrels: str
    queries: tuple[str, ...]
    audits: Mapping[str, Audit]
    measures: tuple[MeasuredRuns, ...]
    notes: tuple[Remark, ...]
    settings: Mapping[str, Any]
    library: str = field(default="", repr=False)
    muted: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def runs(self) -> tuple[str, ...]:
        """The names, best first by the first measure."""
        return tuple(self.measures[0].estimates)

    __repr__ = one_line

    def __str__(self) -> str:
        parts = [str(audit) for audit in self.audits.values()]
        for one in self.measures:
            lines = [f"{name}: {estimate}" for name, estimate in one.estimates.items()]
            parts.append("\n".join([*lines, *([str(one.comparison)] if one.comparison else [])]))
        return "\n\n".join(parts)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable. ``measure`` is named as it was requested."""
        return {
            "qrels": self.qrels,
            "queries": len(self.queries),
            "runs": [{"name": name, "audit": one.to_dict()} for name, one in self.audits.items()],
            "results": [
                _result(one, name, per_query) for one in self.measures for name in one.estimates
            ],
            "comparisons": [
                compared(one, one.comparison) for one in self.measures if one.comparison
            ],
            "notes": list(self.notes),
            "settings": dict(self.settings),
        }


def _shown(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in values.items())


def _result(one: MeasuredRuns, run: str, per_query: bool) -> dict[str, Any]:
    found = one.estimates[run].to_dict()
    full = {"run": run, **found, "measure": one.asked, "full_name": one.full_name}
    return {k: v for k, v in full.items() if per_query or k not in _BY_QUERY}


def compared(one: MeasuredRuns, comparison: QueryComparison) -> dict[str, Any]:
    """The comparison as plain data, with the measure as it was requested; the values stand apart.

    >>> from rocsolid.comparison.queries import compare
    >>> found = compare({"a": [0.2, 0.9, 0.3], "b": [0.1, 0.5, 0.4]}, measure="AP")
    >>> list(compared(MeasuredRuns("map", found.estimates, found), found))[:3]
    ['measure', 'full_name', 'compared']
    """
    found = {"measure": one.asked, "full_name": one.full_name}
    rest = comparison.to_dict()
    return {**found, **{k: v for k, v in rest.items() if k not in ("measure", "estimates")}}


_BY_QUERY = ("qids", "per_query")


@dataclass(frozen=True, slots=True, eq=False)
class SegmentOfQueries:
    """One measure of the queries of one segment: an estimate for each score, or why there is none.

    ``said`` are sentences about queries left out for all scores; ``together`` are certified
    intervals that hold for all segments together.
    """

    segment: int
    asked: str
    estimates: Mapping[str, QueryEstimate]
    queries: int
    said: tuple[Remark, ...] = ()
    reason: str = ""
    together: Mapping[str, Interval | None] = field(default_factory=dict)


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
    notes: tuple[Remark, ...]
    settings: Mapping[str, Any]
    segments: Segments | None = field(default=None, repr=False)
    parts: tuple[SegmentOfQueries, ...] = field(default=(), repr=False)
    distinction: SeparatingMeasures | None = field(default=None, repr=False)
    library: str = field(default="", repr=False)
    muted: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def results(self) -> tuple[Entry, ...]:
        """Each score, each measure of it over all queries, then by segment."""
        return tuple(self._results())

    def _results(self) -> Iterator[Entry]:
        for score in self.scores:
            for one in self.measures:
                yield _scored(one.estimates[score], score, one.asked, None)
                for part in self.parts_of(one.asked):
                    if score in part.estimates:
                        yield _scored(
                            part.estimates[score], score, one.asked, self.key(part.segment)
                        )

    @property
    def skipped(self) -> tuple[Entry, ...]:
        """Segments without a mean, most often as none of their queries has a relevant document."""
        return tuple(
            Entry(
                "",
                part.asked,
                self.key(part.segment),
                Refused(part.reason, {"queries": part.queries}),
            )
            for part in self.parts
            if part.reason
        )

    @property
    def heterogeneity(self) -> tuple[SegmentEvidence, ...]:
        """Whether segments differ, for each measure and score; queries are independent."""
        return tuple(each for one in self.measures for each in self.evidence_of(one))

    def evidence_of(self, one: MeasuredRuns) -> tuple[SegmentEvidence, ...]:
        """Whether segments differ by one measure, for each score."""
        found = []
        for score in one.estimates:
            parts = [part for part in self.parts_of(one.asked) if score in part.estimates]
            each = [part.estimates[score] for part in parts]
            by = [self.key(part.segment) for part in parts]
            found.append(query_evidence(score, one.asked, each, by, self.settings["level"]))
        return tuple(each for each in found if each is not None)

    @property
    def lowest(self) -> tuple[LowestSegment, ...]:
        """The lowest segment, certified, for each measure and score."""
        return tuple(each for one in self.measures for each in self.lowest_of(one))

    def lowest_of(self, one: MeasuredRuns) -> tuple[LowestSegment, ...]:
        """The lowest segment by one measure, for each score."""
        found = []
        for score in one.estimates:
            parts = [part for part in self.parts_of(one.asked) if score in part.estimates]
            by = [self.key(part.segment) for part in parts]
            sure = [part.together.get(score) for part in parts]
            found.append(lowest_segment(score, one.asked, self.settings["level"], by, sure))
        return tuple(each for each in found if each is not None)

    def about_segments(self, one: MeasuredRuns) -> tuple[SegmentEvidence | LowestSegment, ...]:
        """What is said of all segments by one measure: whether they differ, and the lowest."""
        return (*self.evidence_of(one), *self.lowest_of(one))

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
            lines += [str(each) for each in self.about_segments(one)]
            blocks.append("\n".join(lines))
        if self.distinction is not None:
            blocks.append(f"{self.distinction}\n{self.distinction.choose().words}")
        return "\n\n".join(blocks)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable. ``per_query`` adds the value of each query."""
        return {
            **attributes(self, "source label qid rows=n_rows queries"),
            "results": [
                {k: v for k, v in one.to_dict().items() if per_query or k not in _BY_QUERY}
                for one in self.results
            ],
            "comparisons": [
                compared(one, one.comparison) for one in self.measures if one.comparison
            ],
            "skipped": [skipped.to_dict() for skipped in self.skipped],
            "heterogeneity": [one.to_dict() for one in self.heterogeneity],
            "lowest": [one.to_dict() for one in self.lowest],
            "distinction": None if self.distinction is None else self.distinction.to_dict(),
            "notes": list(self.notes),
            "settings": dict(self.settings),
        }


def _scored(estimate: QueryEstimate, score: str, asked: str, by: dict[str, Any] | None) -> Entry:
    names = {"measure": asked, "full_name": estimate.measure}
    return Entry(score, estimate.measure, by, estimate, names)

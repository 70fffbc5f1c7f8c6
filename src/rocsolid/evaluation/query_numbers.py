"""The numbers of runs, or of scores in a table, measured over queries: means, pairs, segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Protocol

from rocsolid.answer.entry import Entry, Refused
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.segment_evidence import query_evidence
from rocsolid.graded.estimate import RESIDUAL_SHOWS
from rocsolid.inputs.folds import Segments
from rocsolid.inputs.trec import Audit
from rocsolid.remarks.lists import GainMatters, OpenResidual
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval, QueryEstimate
from rocsolid.results.plain import each_once
from rocsolid.results.query_estimate import QueryComparison
from rocsolid.results.segments import LowestSegment, SegmentEvidence, lowest_segment


class SeparatingMeasures(Protocol):
    """The shown part of `rocsolid.asymptotics.distinguish`'s result, from `rocsolid.theory`."""

    @property
    def names(self) -> tuple[str, str]: ...
    @property
    def seed(self) -> int: ...
    @property
    def data(self) -> str: ...
    @property
    def table(self) -> tuple[tuple[str, ...], ...]: ...
    @property
    def about(self) -> str: ...
    def choose(self) -> Any: ...
    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredRuns:
    """One measure of all runs, best first.

    ``asked`` is the requested name; the estimates have the full name. ``comparison`` is ``None``
    for a single run or query. ``said`` are sentences about queries left out for all. ``noun`` is
    the word for a run: columns of a table are scores.
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
        alone = each_once(
            (
                (name, warning)
                for name, estimate in self.estimates.items()
                for warning in estimate.warnings
                if not isinstance(warning, GainMatters | OpenResidual)
            ),
            everywhere=len(self.estimates),
        )
        compared = self.said if self.comparison is None else self.comparison.warnings
        return tuple(dict.fromkeys((*compared, *self._beside(), *alone)))

    def _beside(self) -> tuple[Remark, ...]:
        """The residuals, and values by the other gain, with a note on whether the order is the
        same.
        """
        values: dict[str, dict[str, float]] = {}
        residual: dict[str, float] = {}
        open_ends = False
        for name, estimate in self.estimates.items():
            kinds = set(map(type, estimate.warnings))  # without those that are muted
            open_ends |= OpenResidual in kinds
            for other, value in estimate.others.items():
                if other == f"{estimate.measure} residual":
                    residual[name] = value
                elif value != estimate.value and GainMatters in kinds:
                    values.setdefault(other, {})[name] = value
        remarks: list[Remark] = []
        if open_ends and max(residual.values(), default=0.0) > RESIDUAL_SHOWS:
            remarks.append(OpenResidual(_shown(residual)))
        for rival, by_rival in values.items():
            shown = list(by_rival.values())
            ordered = shown == sorted(shown, reverse=True)
            order = "" if ordered or len(shown) < 2 else ", in another order"
            remarks.append(GainMatters(rival, _shown(by_rival), order))
        return tuple(remarks)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OverQueries:
    """Runs or scores by several measures of queries.

    ``source`` is the table, or the judgements. ``notes`` are reasons why a profile's tool would
    have refused the data. ``distinction`` has the discounts and cut-offs of nDCG that separate the
    two best scores, if requested.
    """

    source: str
    measures: tuple[MeasuredRuns, ...]
    notes: tuple[Remark, ...]
    settings: Mapping[str, Any]
    distinction: SeparatingMeasures | None = field(default=None, repr=False)
    library: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RunsNumbers(OverQueries):
    queries: tuple[str, ...]
    audits: Mapping[str, Audit]

    @property
    def qrels(self) -> str:
        return self.source

    @property
    def runs(self) -> tuple[str, ...]:
        """The names, best first by the first measure."""
        return tuple(self.measures[0].estimates)

    @property
    def results(self) -> Iterator[Entry]:
        for measured in self.measures:
            for run, estimate in measured.estimates.items():
                yield _entry(estimate, run, measured.asked, None)

    @property
    def skipped(self) -> tuple[Entry, ...]:
        """Empty: a run without a mean by some measure is an error."""
        return ()


def _shown(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in values.items())


@dataclass(frozen=True, slots=True, eq=False)
class SegmentOfQueries:
    """One measure of one segment's queries: an estimate for each score, or the reason why there is
    none.

    ``said`` are sentences about queries left out for all scores; ``together`` are certified
    intervals that hold jointly for all segments.
    """

    segment: int
    asked: str
    estimates: Mapping[str, QueryEstimate]
    queries: int
    said: tuple[Remark, ...] = ()
    reason: str = ""
    together: Mapping[str, Interval | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class QueryNumbers(OverQueries):
    """Scores by several measures, in the given order; a segment consists of whole queries."""

    label: str
    qid: str
    n_rows: int
    queries: int
    scores: tuple[str, ...]
    segments: Segments | None = field(default=None, repr=False)
    parts: tuple[SegmentOfQueries, ...] = field(default=(), repr=False)

    @property
    def results(self) -> Iterator[Entry]:
        for score in self.scores:
            for measured in self.measures:
                yield _entry(measured.estimates[score], score, measured.asked, None)
                for by, segment in zip(*self._by_segment(measured, score), strict=True):
                    yield _entry(segment.estimates[score], score, measured.asked, by)

    @property
    def skipped(self) -> tuple[Entry, ...]:
        """Segments without a mean, usually because no query has a relevant document."""
        return tuple(
            Entry("", segment.asked, self.key(segment.segment),
                  Refused(segment.reason, {"queries": segment.queries}))
            for segment in self.parts
            if segment.reason
        )  # fmt: skip

    @property
    def heterogeneity(self) -> tuple[SegmentEvidence, ...]:
        return tuple(each for measured in self.measures for each in self.evidence_of(measured))

    def evidence_of(self, measured: MeasuredRuns) -> tuple[SegmentEvidence, ...]:
        evidence = []
        for score in measured.estimates:
            by, segments = self._by_segment(measured, score)
            estimates = [segment.estimates[score] for segment in segments]
            level = self.settings["level"]
            evidence.append(query_evidence(score, measured.asked, estimates, by, level))
        return tuple(each for each in evidence if each is not None)

    @property
    def lowest(self) -> tuple[LowestSegment, ...]:
        return tuple(each for measured in self.measures for each in self.lowest_of(measured))

    def lowest_of(self, measured: MeasuredRuns) -> tuple[LowestSegment, ...]:
        lowest = []
        for score in measured.estimates:
            by, segments = self._by_segment(measured, score)
            certified = [segment.together.get(score) for segment in segments]
            level = self.settings["level"]
            lowest.append(lowest_segment(score, measured.asked, level, by, certified))
        return tuple(each for each in lowest if each is not None)

    def about_segments(self, measured: MeasuredRuns) -> tuple[str, ...]:
        return tuple(map(str, (*self.evidence_of(measured), *self.lowest_of(measured))))

    def parts_of(self, asked: str) -> tuple[SegmentOfQueries, ...]:
        return tuple(segment for segment in self.parts if segment.asked == asked)

    def key(self, segment: int) -> dict[str, Any]:
        return {} if self.segments is None else self.segments.key(segment)

    def _by_segment(
        self, measured: MeasuredRuns, score: str
    ) -> tuple[list[dict[str, Any]], list[SegmentOfQueries]]:
        parts = [part for part in self.parts_of(measured.asked) if score in part.estimates]
        return [self.key(part.segment) for part in parts], parts


def _entry(estimate: QueryEstimate, name: str, asked: str, by: dict[str, Any] | None) -> Entry:
    names = {"measure": asked, "full_name": estimate.measure}
    return Entry(name, estimate.measure, by, estimate, names)

"""The numbers of an evaluation, and the evidence that its segments differ."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from rocsolid.answer.entry import Entry, Refused
from rocsolid.answer.grouping import Grouping
from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.compared import Question, t_test
from rocsolid.comparison.heterogeneity import SharedClusters, heterogeneity
from rocsolid.comparison.of_summaries import segments_elsewhere
from rocsolid.comparison.options import compared_by
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import EngineName
from rocsolid.engines.memory import summarise
from rocsolid.errors import UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.folds import Segments
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.by_group import GroupByGroup, Grouped
from rocsolid.remarks.muting import muted
from rocsolid.results.deferred import OfResult
from rocsolid.results.estimate import Estimate, extended
from rocsolid.results.query_estimate import QueryEstimate
from rocsolid.results.segments import (
    LowestSegment,
    SegmentEvidence,
    SegmentValue,
    Untested,
    lowest_segment,
    named,
)
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts

if TYPE_CHECKING:
    from rocsolid.binary.roc import Roc


MOST = 5_000
"""The largest number of segments that are compared."""

MOST_SHARING = 500
"""The largest number if segments share clusters, because the time grows with the cube."""

_FLOATS = NDArray[np.float64]


def segment_evidence(
    scored: ScoreResult, grouped: Grouped, segments: Segments, options: Options
) -> SegmentEvidence | Untested | None:
    """The evidence for one score and measure; ``None`` without variances."""
    score, measure, rows = scored.score, scored.measure, scored.rows
    kept = [group for group in range(len(segments)) if group not in grouped.refused]
    name = named(score, measure.name)
    if len(kept) > MOST:
        return Untested(name, f"there are more than {MOST:,} segments")
    each = [grouped[group] for group in kept]
    n_pos = np.array([estimate.n_pos for estimate in each], dtype=np.float64)
    n_neg = np.array([estimate.n_neg for estimate in each], dtype=np.float64)
    shared, correlation = 0, None
    if rows is not None and rows.cluster is not None:
        clusters = SharedClusters.of(rows, grouped.groups)
        n_pos, n_neg = (of_class[kept] for of_class in clusters.worth())
        shared = clusters.count
        if shared:
            if len(kept) > MOST_SHARING:
                return Untested(name, f"more than {MOST_SHARING:,} segments share clusters")
            correlation = clusters.correlation(measure, kept)
            if correlation is None:
                return Untested(
                    name,
                    "segments share clusters, and the influence of rows on this measure has no "
                    "known formula",
                )
    return _evidence(
        score, measure.name, each, [segments.key(group) for group in kept],
        1.0 / (1.0 / n_pos + 1.0 / n_neg), np.minimum(n_pos, n_neg) - 1.0, options.level,
        options.resampling, shared, correlation=correlation,
        of_two=None if shared or len(kept) != 2 else _of_two(measure, grouped, kept, rows),
    )  # fmt: skip


def _of_two(
    measure: BinaryMeasure, grouped: Grouped, groups: Sequence[int], rows: BinaryRows | None
) -> tuple[float, float] | None:
    """For two segments: the square of the default test of their difference, and its p-value."""
    values = {str(group): grouped[group] for group in groups}
    if rows is not None:
        samples = {
            str(group): ScoredRows(rows.subset(grouped.groups.rows(group))) for group in groups
        }
        compared = compared_by(measure, samples, Options(), paired=False, estimates=values)
    elif measure.streams and isinstance(grouped, GroupByGroup):
        elsewhere = {str(group): grouped.elsewhere[group] for group in groups}
        compared = segments_elsewhere(measure, elsewhere, values)
    else:
        return None
    try:
        (pair,) = t_test(compared, Question(0.0, "two-sided", 0.95, 0, measure.span)).tested
    except UnsoundError:
        return None
    return None if np.isnan(pair.p_value) else (pair.statistic**2, pair.p_value)


def query_evidence(
    score: str, measure: str, each: Sequence[QueryEstimate], by: list[dict[str, Any]], level: float
) -> SegmentEvidence | None:
    if len(each) > MOST:
        return None
    queries = np.array([one.n_queries for one in each], dtype=np.float64)
    pool = [one.per_query[~np.isnan(one.per_query)] for one in each]
    return _evidence(
        score, measure, each, by, queries, queries - 1.0, level, Resampling(),
        pool=np.concatenate(pool) if pool else None,
    )  # fmt: skip


def _evidence(
    score: str,
    measure: str,
    each: Sequence[Estimate] | Sequence[QueryEstimate],
    by: list[dict[str, Any]],
    units: _FLOATS,
    df: _FLOATS,
    level: float,
    draws: Resampling,
    shared: int = 0,
    **known: Any,
) -> SegmentEvidence | None:
    tested = heterogeneity(
        np.array([estimate.value for estimate in each]),
        np.array(
            [np.nan if estimate.std_error is None else estimate.std_error for estimate in each]
        ),
        units,
        df,
        each[0].interval.range if each else (0.0, 1.0),
        draws.seed,
        resamples=draws.resamples,
        **known,
    )
    if tested is None:
        return None
    # the p-values of two segments differ by rounding alone, which must not decide their order
    evidence = np.array([float(f"{p:.9g}") for p in tested.p_values])
    standings = tuple(
        SegmentValue(
            by[i],
            each[i].value,
            float(tested.shrunken[i]),
            float(tested.error[i]),
            float(tested.apart[i]),
            float(tested.p_values[i]),
            float(tested.adjusted[i]),
            float(units[i]),
            _counts(each[i]),
        )
        for i in np.argsort(evidence, kind="stable").tolist()
    )
    return SegmentEvidence(
        score, measure, tested.statistic, tested.p_value, tested.draws, tested.spread, tested.mean,
        tested.typical, level, shared, standings,
    )  # fmt: skip


def _counts(one: Estimate | QueryEstimate) -> dict[str, int]:
    if isinstance(one, QueryEstimate):
        return {"n_queries": one.n_queries}
    return {"n_pos": one.n_pos, "n_neg": one.n_neg}


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """An engine's summary of one score, which replaces its rows.

    ``curve`` has a few thousand scores with their exact rates, enough to draw a curve.
    """

    summary: BinarySummary
    curve: ScoreCounts


@dataclass(frozen=True, slots=True, eq=False)
class ScoreResult:
    """One measure of one score: its rows, the overall estimate and those by segment.

    ``kept`` marks the rows of the table that have the score, if some lack it. If an engine reduced
    the rows elsewhere, ``rows`` is ``None`` and ``reduced`` replaces them.
    """

    score: str
    measure: BinaryMeasure
    rows: BinaryRows | None
    overall: Estimate
    grouped: Grouped | None
    kept: NDArray[np.bool_] | None = None
    reduced: Reduced | None = None

    @property
    def summary(self) -> BinarySummary:
        if self.reduced is not None:
            return self.reduced.summary
        return summarise(self.in_memory)

    @property
    def sizes(self) -> tuple[int, int]:
        """The positives and the negatives over all rows."""
        return self.overall.n_pos, self.overall.n_neg

    @property
    def at(self) -> NDArray[np.bool_] | slice:
        """An index of the table's rows that have the score."""
        return slice(None) if self.kept is None else self.kept

    def on_table(self, values: _FLOATS) -> _FLOATS:
        """Spread values of the rows over the rows of the table; rows without the score get 0."""
        if self.kept is None:
            return values
        whole = np.zeros(len(self.kept))
        whole[self.kept] = values
        return whole

    @property
    def clustered(self) -> bool:
        if self.rows is not None:
            return self.rows.cluster is not None
        return self.summary.clusters is not None

    @property
    def in_memory(self) -> BinaryRows:
        if self.rows is None:
            raise UnsoundError(
                "the rows are not available: an engine reduced them where they are",
                where=self.score,
                fix="evaluate them in memory",
            )
        return self.rows

    def roc(self, *, lower_is_better: bool) -> Roc:
        """The curve over all rows; an engine provides points of the true curve."""
        from rocsolid.binary.roc import roc_of_rows, roc_through

        if self.reduced is None:
            return roc_of_rows(self.in_memory, lower_is_better=lower_is_better)
        summary = self.reduced.summary
        return roc_through(
            self.reduced.curve,
            summary.auc,
            lower_is_better=lower_is_better,
            weighted=summary.weighted,
            clustered=summary.clusters is not None,
        )


class Results(Sequence[Entry]):
    """The estimates in order: each score, each measure of it over all rows, then its segments.

    Entries are built on access, so that 100,000 segments cost nothing before.
    """

    def __init__(
        self,
        parts: tuple[ScoreResult, ...],
        segments: Segments | None,
        codes: frozenset[str] = frozenset(),
    ) -> None:
        self._parts = parts
        self._segments = segments
        self._codes = codes

    def muting(self, codes: frozenset[str]) -> Results:
        return Results(self._parts, self._segments, self._codes | codes)

    @cached_property
    def _groups(self) -> list[Sequence[int]]:
        """The segments with an estimate, for each part."""
        every = range(0 if self._segments is None else len(self._segments))
        return [_estimated(part, every) for part in self._parts]

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(1 + len(groups) for groups in self._groups))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __repr__(self) -> str:
        return f"<{len(self):,} estimates>"

    @overload
    def __getitem__(self, index: int) -> Entry: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...

    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        places = range(len(self))[index]
        if isinstance(places, range):
            return [self[place] for place in places]
        number = bisect_right(self._ends, places)
        before_next = places - self._ends[number]
        part = self._parts[number]
        if before_next == -1 - len(self._groups[number]):
            return self._overall(part)
        (entry,) = self._of_segments(part, [self._groups[number][before_next]])
        return entry

    def __iter__(self) -> Iterator[Entry]:
        for part, groups in zip(self._parts, self._groups, strict=True):
            yield self._overall(part)
            yield from self._of_segments(part, groups)

    def within(self, groups: Collection[int]) -> list[Entry]:
        """The estimates over all rows and in these segments."""
        entries = []
        for part in self._parts:
            entries.append(self._overall(part))
            entries += self._of_segments(part, _estimated(part, sorted(groups)))
        return entries

    def _overall(self, part: ScoreResult) -> Entry:
        return Entry(part.score, part.measure.name, None, self._named(part, part.overall))

    def _of_segments(self, part: ScoreResult, groups: Sequence[int]) -> Iterator[Entry]:
        grouped, segments = part.grouped, self._segments
        if grouped is None or segments is None:
            return
        score, measure = part.score, part.measure.name
        result = OfResult(lambda entry: self._named(part, grouped[entry.place]))
        values = grouped.values(groups)
        for group, by, value in zip(groups, segments.keys(groups), values, strict=True):
            yield Entry(score, measure, by, result, known=value, place=group)

    def _named(self, scored: ScoreResult, estimate: Estimate) -> Estimate:
        # the fingerprint of a segment's rows would single them out, and labels may have made the
        # segments
        fingerprint = scored.overall.deferred.get("fingerprint") or scored.overall.fingerprint
        shown = muted(estimate, self._codes)
        return extended(Estimate, shown, measure=scored.measure.name, fingerprint=fingerprint)


def _estimated(part: ScoreResult, groups: Sequence[int]) -> Sequence[int]:
    if part.grouped is None:
        return ()
    refused = part.grouped.refused
    return [group for group in groups if group not in refused] if refused else groups


class Kept:
    __slots__ = ("comparisons",)

    def __init__(self) -> None:
        self.comparisons: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationNumbers:
    """The numbers behind an answer about rows, its pages and its audits.

    ``copy_of`` is the original row of each repeated row, and ``cluster`` the cluster of each row.
    """

    source: str
    label: str
    options: Options
    n_rows: int
    parts: tuple[ScoreResult, ...] = field(repr=False)
    segments: Segments | None = field(repr=False)
    engine: EngineName = "memory"
    library: str = field(default="", repr=False)
    copy_of: NDArray[np.intp] | None = field(default=None, repr=False)
    cluster: NDArray[np.int64] | None = field(default=None, repr=False)
    grouping: Grouping = field(default_factory=Grouping, repr=False)
    muted: frozenset[str] = field(default=frozenset(), repr=False)
    kept: Kept = field(default_factory=Kept, repr=False)

    @property
    def by_score(self) -> list[ScoreResult]:
        first: dict[str, ScoreResult] = {}
        for part in self.parts:
            first.setdefault(part.score, part)
        return list(first.values())

    @property
    def by_measure(self) -> dict[str, list[ScoreResult]]:
        by_measure: dict[str, list[ScoreResult]] = {}
        for part in self.parts:
            by_measure.setdefault(part.measure.name, []).append(part)
        return {name: parts for name, parts in by_measure.items() if len(parts) > 1}

    @property
    def results(self) -> Results:
        return Results(self.parts, self.segments, self.muted)

    @property
    def skipped(self) -> tuple[Entry, ...]:
        """Segments without an estimate, usually because they contain one class only."""
        if self.segments is None:
            return ()
        return tuple(
            Entry(part.score, part.measure.name, self.segments.key(group),
                  Refused(reason, {"n_pos": n_pos, "n_neg": n_neg}))
            for part in self.parts
            if part.grouped is not None
            for group, (reason, n_pos, n_neg) in sorted(part.grouped.refused.items())
        )  # fmt: skip

    @property
    def heterogeneity(self) -> tuple[SegmentEvidence, ...]:
        return tuple(one for one in self.evidence() if isinstance(one, SegmentEvidence))

    def evidence(self) -> tuple[SegmentEvidence | Untested, ...]:
        if self.segments is None:
            return ()
        results: list[SegmentEvidence | Untested | None] = []
        for scored in self.parts:
            if scored.grouped is None:
                continue
            if scored.clustered and scored.rows is None:
                reason = f"{self.engine} does not report which clusters are in several segments"
                results.append(Untested(named(scored.score, scored.measure.name), reason))
                continue
            results.append(segment_evidence(scored, scored.grouped, self.segments, self.options))
        return tuple(result for result in results if result is not None)

    @property
    def lowest(self) -> tuple[LowestSegment, ...]:
        if self.segments is None or len(self.segments) > MOST or not self.options.certified:
            return ()
        segments = []
        for part in self.parts:
            sure = {} if part.grouped is None else part.grouped.together()
            by = [self.segments.key(group) for group in sure]
            level = self.options.level
            segments.append(
                lowest_segment(part.score, part.measure.name, level, by, list(sure.values()))
            )
        return tuple(segment for segment in segments if segment is not None)

    @property
    def curves(self) -> dict[str, Roc]:
        low = self.options.lower_is_better
        return {part.score: part.roc(lower_is_better=low) for part in self.by_score}

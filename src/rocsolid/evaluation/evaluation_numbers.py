"""The numbers of an evaluation: an estimate for each score, measure and segment."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.engines.capabilities import EngineName
from rocsolid.engines.memory import summarise
from rocsolid.errors import UnsoundError
from rocsolid.evaluation.segment_evidence import MOST, segment_evidence
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.segments import Segments
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.grouped import Grouped
from rocsolid.remarks.muting import muted, shown
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import CompareThem
from rocsolid.results import Estimate, ScoreEstimate
from rocsolid.results.lowest_segment import LowestSegment, lowest_segment
from rocsolid.results.plain import attributes, one_line, plain_segment
from rocsolid.results.segment_evidence import SegmentEvidence, Untested, named, said_of
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts

if TYPE_CHECKING:
    from rocsolid.binary.roc import Roc


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """What an engine gives of one score in place of its rows.

    ``curve`` has a few thousand of its scores with their exact rates: enough to draw a curve.
    """

    summary: BinarySummary
    curve: ScoreCounts


@dataclass(frozen=True, slots=True, eq=False)
class ScoreResult:
    """One measure of one score: its rows, the estimate over all of them and those by segment.

    ``kept`` says which rows of the table have the score, where some lack it. Where an engine
    reduced the rows elsewhere, ``rows`` is ``None`` and ``reduced`` is there in their place.
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
        """Of all rows that have the score."""
        if self.reduced is not None:
            return self.reduced.summary
        return summarise(self.in_memory)

    @property
    def clustered(self) -> bool:
        if self.rows is not None:
            return self.rows.cluster is not None
        return self.summary.clusters is not None

    @property
    def in_memory(self) -> BinaryRows:
        """The rows, or an error where they are not at hand."""
        if self.rows is None:
            raise UnsoundError(
                "the rows are not at hand: an engine reduced them where they are",
                where=self.score,
                fix="evaluate them in memory",
            )
        return self.rows

    def roc(self, *, lower_is_better: bool) -> Roc:
        """The curve over all rows; from an engine a coarse one, through points of the true one."""
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


@dataclass(frozen=True, slots=True)
class Skipped:
    """A segment in which a score has no estimate of a measure, and why."""

    score: str
    measure: str
    by: dict[str, Any]
    reason: str
    n_pos: int
    n_neg: int

    def to_dict(self) -> dict[str, Any]:
        return {
            **attributes(self, "score measure"),
            "by": plain_segment(self.by),
            **attributes(self, "reason n_pos n_neg"),
        }


class Results(Sequence[ScoreEstimate]):
    """The estimates in order: each score, each measure of it over all rows, then its segments.

    They are put together when they are read, so that 100,000 segments cost nothing before that.
    """

    def __init__(
        self,
        parts: tuple[ScoreResult, ...],
        segments: Segments | None,
        muted: frozenset[str] = frozenset(),
    ) -> None:
        self._segments, self._muted = segments, muted
        self._index = [
            (part, group)
            for part in parts
            for group in (None, *_estimated(part, 0 if segments is None else len(segments)))
        ]

    def __len__(self) -> int:
        return len(self._index)

    def __repr__(self) -> str:
        return f"<{len(self):,} estimates>"

    @overload
    def __getitem__(self, index: int) -> ScoreEstimate: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[ScoreEstimate]: ...

    def __getitem__(self, index: int | slice) -> ScoreEstimate | Sequence[ScoreEstimate]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        part, group = self._index[index]
        if group is None or part.grouped is None or self._segments is None:
            return _scored(part.overall, part, None)
        estimate = muted(part.grouped[group], self._muted)
        return _scored(estimate, part, self._segments.key(group))

    def __iter__(self) -> Iterator[ScoreEstimate]:
        return (self[i] for i in range(len(self)))

    def within(self, groups: Collection[int]) -> list[ScoreEstimate]:
        """Those over all rows and those in some of the segments, in the same order."""
        return [
            self[i] for i, (_, group) in enumerate(self._index) if group is None or group in groups
        ]


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationNumbers:
    """What pages, tables and audits are made from; `Evaluation` has the forms as well.

    Rows that share a label, where they are at hand: ``copy_of`` is the row of the table that each
    was written out from by its frequency, and ``cluster`` the cluster that each is in.
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
    muted: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def results(self) -> Results:
        return Results(self.parts, self.segments, self.muted)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Segments that have no estimate, most often because they hold one class only."""
        if self.segments is None:
            return ()
        return tuple(
            Skipped(part.score, part.measure.name, self.segments.key(group), reason, n_pos, n_neg)
            for part in self.parts
            if part.grouped is not None
            for group, (reason, n_pos, n_neg) in sorted(part.grouped.refused.items())
        )

    @property
    def heterogeneity(self) -> tuple[SegmentEvidence, ...]:
        """Whether segments differ, for each score and measure of which that is tested."""
        return tuple(one for one in self.evidence() if isinstance(one, SegmentEvidence))

    def evidence(self) -> tuple[SegmentEvidence | Untested, ...]:
        """Whether segments differ, for each score and measure, or why that is not tested."""
        if self.segments is None:
            return ()
        found: list[SegmentEvidence | Untested | None] = []
        for part in self.parts:
            if part.grouped is None:
                continue
            if part.clustered and part.rows is None:
                reason = f"{self.engine} does not say which clusters lie in several segments"
                found.append(Untested(named(part.score, part.measure.name), reason))
                continue
            found.append(
                segment_evidence(
                    part.score, part.measure, part.grouped, self.segments, self.options, part.rows
                )
            )
        return tuple(one for one in found if one is not None)

    @property
    def lowest(self) -> tuple[LowestSegment, ...]:
        """The lowest segment, certified, for each score and measure whose segments are."""
        if self.segments is None or len(self.segments) > MOST:
            return ()
        found = []
        for part in self.parts:
            sure = {} if part.grouped is None else part.grouped.together()
            by = [self.segments.key(group) for group in sure]
            level = self.options.level
            found.append(
                lowest_segment(part.score, part.measure.name, level, by, list(sure.values()))
            )
        return tuple(one for one in found if one is not None)

    @property
    def notes(self) -> tuple[Remark, ...]:
        """Where several scores stand side by side: what says whether they differ."""
        several = len({part.score for part in self.parts}) > 1
        return shown([CompareThem()] if several else [], self.muted)

    @property
    def curves(self) -> dict[str, Roc]:
        """The ROC curve of each score over all rows, sorted anew each time it is requested."""
        low = self.options.lower_is_better
        first = {part.score: part for part in reversed(self.parts)}
        names = dict.fromkeys(part.score for part in self.parts)
        return {score: first[score].roc(lower_is_better=low) for score in names}

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [f"{result.score}{segment_text(result.by)}: {result}" for result in self.results]
        lines += [
            f"{s.score}{segment_text(s.by)}: no estimate{_of(s.measure)}, {s.reason}"
            for s in self.skipped
        ]
        lines += [*said_of(self.evidence()), *map(str, self.lowest)]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            **attributes(self, "rows=n_rows source engine label"),
            "results": [result.to_dict() for result in self.results],
            "skipped": [skipped.to_dict() for skipped in self.skipped],
            "heterogeneity": [one.to_dict() for one in self.heterogeneity],
            "lowest": [one.to_dict() for one in self.lowest],
            "notes": list(self.notes),
        }


def _estimated(part: ScoreResult, segments: int) -> Iterator[int]:
    if part.grouped is not None:
        yield from (group for group in range(segments) if group not in part.grouped.refused)


def _scored(estimate: Estimate, part: ScoreResult, by: dict[str, Any] | None) -> ScoreEstimate:
    fields = {name: getattr(estimate, name) for name in Estimate.__dataclass_fields__}
    fields["measure"] = part.measure.name  # as it was requested
    # that of a segment's rows would single them out, and labels may have made the segments
    fields["fingerprint"] = part.overall.fingerprint
    return ScoreEstimate(**fields, score=part.score, by=by)


def _of(measure: str) -> str:
    return "" if measure == "auc" else f" of {measure}"


def segment_text(by: Any) -> str:
    """A segment as it follows the name of a score.

    >>> segment_text({"site": "a"})
    ', site = a'
    """
    return "" if by is None else "".join(f", {name} = {value}" for name, value in by.items())

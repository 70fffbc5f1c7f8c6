"""One score of a source as a measure reads it: a summary, and rows or the table of a region."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest
from rocsolid.binary.area import Region
from rocsolid.binary.estimate import Measured, Options, Wording, estimated
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows
from rocsolid.binary.inference import check_name, undeclared
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.binary.resampling.replicates import table_replicates
from rocsolid.engines.engine import Engine, Feature, Segment
from rocsolid.engines.memory import row_sums, score_counts, summarise
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.intervals.bootstrap.bootstrap import PERCENTILE_SOURCE as SOURCE
from rocsolid.intervals.bootstrap.bootstrap import percentile
from rocsolid.intervals.guarantees.checks import IID
from rocsolid.measures.picture import Picture
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import AlikeResamples
from rocsolid.results.deferred import Deferred
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.placements import each_side_by_side
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.terms import Term, TermSums
from rocsolid.weights.weight import Axis


class Scored(Protocol):
    """What every source gives of one score; ``rows`` are ``None`` where they are not available."""

    @property
    def rows(self) -> BinaryRows | None: ...

    @property
    def omitted(self) -> int:
        """Rows that lack the score."""

    @property
    def summary(self) -> BinarySummary: ...

    def region(self, axis: Axis, low: float, high: float) -> tuple[ScoreCounts, ScoreCounts]:
        """See `rocsolid.engines.engine.Engine.region`."""

    def sums(self, term: Term) -> TermSums:
        """What the term came to as the rows went by."""


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """A score whose rows are available; they are summarised once, however many measures ask."""

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

    def sums(self, term: Term) -> TermSums:
        return row_sums(self.rows, term)


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

    def sums(self, term: Term) -> TermSums:
        return self.part.sums[term]


_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BinaryMeasure(ABC):
    """A frozen description of one number that a score has on positive and negative rows.

    A measure is one file with a subclass, and one row in `rocsolid.measures.named`. It must say
    its ``text``, which that table reads back, what it is in ``words``, and its ``estimate``; what
    it leaves at the default it does not do, and asking for it is an error. ``written`` is how
    someone spelled it, which results repeat. ``intervals`` and ``bounds`` are the methods and the
    guarantees that it has by name; ``reads``, ``reads_by_segment`` and ``reads_clusters`` what it
    needs of a source for all rows, for segments and where rows have clusters: "rows" where a
    summary is not enough, so that another engine's rows are collected. ``intervals_of_rows`` are
    the methods that need rows where the value does not.
    """

    written: str = field(default="", compare=False, kw_only=True)

    intervals: ClassVar[tuple[str, ...]] = ("auto",)
    intervals_of_rows: ClassVar[tuple[str, ...]] = BOOTSTRAPS
    bounds: ClassVar[tuple[str, ...]] = ()
    reads: ClassVar[Feature] = "rows"
    reads_by_segment: ClassVar[Feature] = "rows"
    reads_clusters: ClassVar[Feature] = "rows"

    @property
    @abstractmethod
    def text(self) -> str:
        """The measure in writing, with every option that is not at its default."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What it is, as it follows "is", without its options."""

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        """What may stand in the brackets of its name."""
        return ()

    @property
    def picture(self) -> Picture:
        """The curve that it is read off."""
        return "roc"

    @property
    def name(self) -> str:
        """As it was written, or else its ``text``."""
        return self.written or self.text

    @abstractmethod
    def estimate(self, scored: Scored, options: Options) -> Estimate:
        """The value with the requested interval and the certified one."""

    @property
    def pairwise(self) -> bool:
        """Whether it is the mean over pairs of a positive and a negative of φ in {0, ½, 1}."""
        return False

    @property
    def of_rows(self) -> bool:
        """Whether rows are the sample, so that how many of them are positive is random too.

        Its influences are then as `Spread.of` says, and it is resampled from all rows alike.
        """
        return False

    @property
    def term(self) -> Term | None:
        """What is added up as rows go by; ``None`` where a summary says all, or rows are needed."""
        return None

    @property
    def of_ratio(self) -> bool:
        """Whether the value changes with the numbers of positives and negatives in a sample."""
        return self.of_rows

    @property
    def of_so_many(self) -> bool:
        """Whether it looks at so many rows, however many there are."""
        return False

    @property
    def merged(self) -> bool:
        """Whether the curve alone matters, so that neighbours of one class may stand together."""
        return True

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return 0.0, 1.0

    def range_in(self, rows: BinaryRows) -> tuple[float, float]:  # noqa: ARG002
        """The lowest and the highest value that so many rows can have."""
        return self.range

    @property
    def span(self) -> tuple[float, float]:
        """What a difference of two values can be."""
        reach = self.range[1] - self.range[0]
        return -reach, reach

    @property
    def region(self) -> Region | None:
        """The part of the curve that it is about; ``None`` for all of it."""
        return None

    def misplaced(self, value: float, n_pos: float, n_neg: float) -> float:  # noqa: ARG002
        """About how many rows make the difference to the best or the worst value, where known.

        Below some 5 of them an estimate is far from normal.
        """
        return np.inf

    def check(self, options: Options) -> None:
        """Refuse an interval that this measure does not have, before any work."""
        check_name(options.interval, self.intervals)

    def columns(self, ranked: GroupedRows, options: Options) -> GroupColumns | None:  # noqa: ARG002
        """The values of many groups side by side; ``None``: one group after another."""
        return None

    def influence(self, rows: BinaryRows) -> _FLOATS | None:  # noqa: ARG002
        """How each row moves the value, in the rows' order; ``None`` where no formula says.

        The estimate is, to first order, a constant plus the weighted mean of the positives' numbers
        plus that of the negatives'. Each class may be shifted as one likes.
        """
        return None

    def prepare(self, samples: Sequence[ScoredRows]) -> None:  # noqa: B027
        """Do once what both the estimates and the influences of samples need."""

    def spread(self, samples: Sequence[ScoredRows]) -> Spread | None:
        """How each row or cluster moves the value of each score of the same rows.

        ``None`` where no formula gives the influence of a row.
        """
        each = each_side_by_side(
            lambda sample: self.influence(sample.rows),
            samples,
            sum(len(sample.rows) for sample in samples),
        )
        influences = [influence for influence in each if influence is not None]
        if len(influences) < len(samples):
            return None
        return Spread.of(samples[0].rows, influences, centred=not self.of_rows)

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float] | None:  # noqa: ARG002
        """The value as a function of a table of counts, for resamples of the rows.

        ``None`` for the AUC, whose resamples have a faster way.
        """
        return None

    def check_bound(self, bound: str) -> None:
        """Refuse a guarantee that this measure does not have."""
        check_bound(bound, self.bounds)

    def certified(self, scored: Scored, options: Options) -> tuple[Estimate, Interval]:
        """The estimate and the guarantee called ``options.interval``; "auto" is the shortest."""
        estimate = self.estimate(scored, options)
        interval = estimate.certified if options.interval == "auto" else estimate.interval
        if interval is None or not interval.certified:
            clustered = estimate.settings.get("clusters") is not None
            for kind, has, plain in (
                ("clustered", clustered, "one row of each cluster"),
                ("weighted", estimate.settings.get("weighted"), "rows without sample_weight"),
            ):
                if has:
                    raise UnsoundError(
                        f"no guarantee is known for this measure of {kind} rows",
                        where="measure",
                        value=estimate.measure,
                        fix=f'certify measure="auc", or {plain}',
                    )
            raise UnsoundError(
                "no guarantee is known for this measure",
                where="measure",
                value=estimate.measure,
                fix="name a step or a Lipschitz weight of rs.weights",
            )
        return estimate, interval


def check_bound(bound: str, known: Sequence[str]) -> None:
    """Refuse a guarantee that is not among the known ones; "auto" always is."""
    if bound in ("auto", *known):
        return
    near = nearest(str(bound), known)
    raise InputError(
        "no guarantee of this name for this measure",
        where="bound",
        value=bound,
        fix=f"{f'use {near!r}, or another' if near else 'use one'} of {', '.join(known)}, or "
        '"auto"',
    )


BOOTSTRAP = "bootstrap-percentile"
_CLUSTERS = ("clusters independent; rows within one depend in any way",)


@dataclass(frozen=True, slots=True)
class ResampledMeasure(BinaryMeasure):
    """A function of the table of counts, or of sums of weights, with percentiles of resamples.

    A subclass says its ``text`` (the name, and settings in brackets), what it is in ``words``, its
    ``value`` on a table of scores and what a score has by ``chance``. All else is optional: the
    ``range``, the ``parameters`` of the text, ``aliases``, and ``influence``, without which only
    bootstrap tests compare scores. The ``score`` of the table ascends; ``pos`` and ``neg`` count
    rows, or add up their weights. A measure that the numbers of positives and negatives do not
    change sets ``of_rows = False``; one that reads the order of scores alone sets ``merged = True``
    and is resampled faster.
    """

    intervals: ClassVar[tuple[str, ...]] = ("auto", BOOTSTRAP)
    aliases: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def value(self, table: ScoreCounts) -> float:
        """The value on a table."""

    @property
    def meaning(self) -> str:
        """What the value is, in a sentence with a place for ``{value}``."""
        return f"The {self.name} is {{value}}."

    @abstractmethod
    def chance(self, table: ScoreCounts) -> float:
        """The value of a score that ranks such rows at random."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What a result records of the measure."""
        return {}

    @property
    def of_rows(self) -> bool:
        return True

    @property
    def merged(self) -> bool:
        return False

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:  # noqa: ARG002
        return self.value

    def drawn(self, rows: BinaryRows, draws: Resampling) -> Deferred[NDArray[np.float64]]:
        """The value on each resample."""
        values = table_replicates(
            rows, self.value, resamples=draws.resamples, seed=draws.seed, scheme=draws.scheme,
            merged=self.merged,
        )  # fmt: skip
        return Deferred(lambda: values)

    def guarantee(
        self,
        table: Callable[[], ScoreCounts],  # noqa: ARG002
        options: Options,  # noqa: ARG002
    ) -> Deferred[Interval] | None:
        """The certified interval from independent rows of equal weight, where one is known."""
        return None

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        rows, summary = scored.rows, scored.summary
        if rows is None:
            raise UnsoundError(
                f"{self.name} resamples rows, which are not available here",
                where="measure",
                value=self.name,
                fix="evaluate in memory",
            )
        table = score_counts(rows)
        draws = options.resampling
        if self.of_rows and draws.scheme is None and rows.cluster is None:
            draws = replace(draws, scheme="plain")
        measured = self.measured(
            self.value(table), summary, Deferred(lambda: table), self.drawn(rows, draws),
            draws, options, self.chance(table),
        )  # fmt: skip
        return estimated(summary, measured, options, scored.omitted)

    def measured(
        self,
        value: float,
        summary: BinarySummary,
        table: Deferred[ScoreCounts],
        drawn: Deferred[NDArray[np.float64]],
        draws: Resampling,
        options: Options,
        chance: float,
    ) -> Measured:
        """What an estimate is made of; the values on resamples are drawn when they are read."""
        certified = self.guarantee(table, options) if summary.squared_shares is None else None
        withheld = [] if certified is None else undeclared(summary, options.design)
        if withheld:
            certified = None

        def interval() -> Interval:
            low, high = percentile(drawn(), options.level, options.alternative, self.range)
            return Interval(
                low, high, options.level, BOOTSTRAP,
                assumptions=IID if summary.clusters is None else _CLUSTERS,
                source=SOURCE,
                range=self.range,
            )  # fmt: skip

        def doubts() -> list[Remark]:
            values = drawn()
            alike = float(np.ptp(values)) == 0.0
            return [AlikeResamples(float(values[0]), certified=False)] if alike else []

        return Measured(
            value,
            Deferred(interval),
            certified,
            Deferred(lambda: float(drawn().std(ddof=1))),
            Wording(self.name, self.meaning, chance, self.settings),
            warnings=lambda *_: [*withheld, *doubts()],
            settings=draws.settings(BOOTSTRAP, summary.clusters is not None),
            may_be_cut=lambda: False,
        )

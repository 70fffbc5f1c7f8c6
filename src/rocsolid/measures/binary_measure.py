"""The base classes of measures of two classes, and the inputs that measures read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace  # users' frozen dataclasses inherit from these
from functools import cached_property
from typing import Any, ClassVar, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest, whole
from rocsolid.binary.area import Region
from rocsolid.binary.estimate import Measured, Options, Wording, estimated
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows
from rocsolid.binary.inference import check_name, undeclared
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.binary.resampling.interval import Resampling, scheme_for
from rocsolid.binary.resampling.replicates import table_replicates
from rocsolid.engines.engine import Engine, Segment
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
from rocsolid.results.references import References
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.placements import each_side_by_side
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.terms import Term, TermSums


class ByFormula(Protocol):
    """The standard error and the interval of a measure, from the influence of each row."""

    @property
    def std_error(self) -> float | None: ...

    def interval(self, options: Options, within: tuple[float, float]) -> Interval: ...

    def few(self, certified: bool, *, redrawn: bool = False) -> list[Remark]:
        """Remarks if so few rows determine the value that the limits may mislead.

        ``redrawn`` limits are percentiles of resamples.
        """


class Scored(Protocol):
    """One score of a source; ``rows`` is ``None`` if the rows are not available."""

    @property
    def rows(self) -> BinaryRows | None: ...

    @property
    def omitted(self) -> int:
        """The number of rows without this score."""

    @property
    def summary(self) -> BinarySummary: ...

    def sums(self, term: Term) -> TermSums:
        """The sums of a term over streamed rows."""


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """A score with its rows, which are summarised once for all measures."""

    rows: BinaryRows

    @property
    def omitted(self) -> int:
        return self.rows.omitted

    @cached_property
    def summary(self) -> BinarySummary:
        return summarise(self.rows)

    def sums(self, term: Term) -> TermSums:
        return row_sums(self.rows, term)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredElsewhere:
    """A score that an engine reduced at the source of its rows, or of its ``complete`` rows."""

    engine: Engine
    score: str
    part: Segment
    complete: bool = False

    @property
    def rows(self) -> None:
        return None

    @property
    def omitted(self) -> int:
        return self.part.omitted

    @property
    def summary(self) -> BinarySummary:
        if self.part.summary is None:  # engines reject such a source earlier
            raise OneClassError("a class has no row, so nothing is defined", where=self.score)
        return self.part.summary

    def sums(self, term: Term) -> TermSums:
        """The sums of a term, from another pass over the rows if the term was not requested."""
        if term in self.part.sums:
            return self.part.sums[term]
        if not self.part.key:
            again = self.engine.summary(self.score, complete=self.complete, terms=[term])
            return again.sums[term]
        segments = self.engine.segments(self.score, [term])
        return next(part.sums[term] for part in segments if part.key == self.part.key)


_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BinaryMeasure(ABC):
    """A frozen description of a number for a score of positive and negative rows.

    A measure is a subclass in its own file, with a row in `rocsolid.measures.named`. A measure must
    define its ``text``, which that table parses, a description in ``words``, and its ``estimate``.
    Features that it leaves at their defaults are unsupported and raise errors. ``written`` is the
    spelling of the user, which results repeat. ``intervals`` and ``bounds`` are the names of its
    methods and guarantees. ``intervals_of_rows`` are the methods that need rows although the value
    does not.
    """

    written: str = field(default="", compare=False, kw_only=True)

    intervals: ClassVar[tuple[str, ...]] = ("auto",)
    intervals_of_rows: ClassVar[tuple[str, ...]] = BOOTSTRAPS
    bounds: ClassVar[tuple[str, ...]] = ()

    @property
    @abstractmethod
    def text(self) -> str:
        """The text of the measure, with every option that differs from its default."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The description without options, as a completion of "is"."""

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        """The settings that its name may have in brackets."""
        return ()

    @property
    def picture(self) -> Picture:
        """The curve that shows the measure."""
        return "roc"

    @property
    def name(self) -> str:
        """The text as the user wrote it, or else ``text``."""
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
        """Whether rows are the sample, so that the number of positives is random.

        Influences are then as in `Spread.of`, and resamples draw from all rows alike.
        """
        return False

    @property
    def term(self) -> Term | None:
        """The term to sum over streamed rows; ``None`` if a summary suffices or rows are needed."""
        return None

    @property
    def streams(self) -> bool:
        """Whether default estimates and comparisons need no rows in memory."""
        return self.term is not None

    def shorter_in_memory(self, summary: BinarySummary) -> bool:  # noqa: ARG002
        """Whether the certified interval of streamed rows is shorter if they are in memory."""
        return False

    @property
    def of_ratio(self) -> bool:
        """Whether the value depends on the ratio of positives to negatives in a sample."""
        return self.of_rows

    @property
    def of_so_many(self) -> bool:
        """Whether the measure is about a fixed number of rows."""
        return False

    @property
    def of_probabilities(self) -> bool:
        """Whether the value depends on the scores themselves, not only on their order."""
        return False

    @property
    def merged(self) -> bool:
        """Whether only the curve matters, so that neighbours of one class may be merged."""
        return True

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return 0.0, 1.0

    def range_in(self, rows: BinaryRows) -> tuple[float, float]:  # noqa: ARG002
        """The lowest and the highest value for these class sizes."""
        return self.range

    @property
    def span(self) -> tuple[float, float]:
        """The range of a difference of two values."""
        reach = self.range[1] - self.range[0]
        return -reach, reach

    @property
    def region(self) -> Region | None:
        """The part of the curve that the measure is about; ``None`` for all of it."""
        return None

    def misplaced(self, value: float, n_pos: float, n_neg: float) -> float:  # noqa: ARG002
        """The approximate number of rows that separate the value from its best or worst, if known.

        With fewer than about 5 of them, an estimate is far from normal.
        """
        return np.inf

    def check(self, options: Options) -> None:
        """Reject an interval that this measure does not have, before any work."""
        check_name(options.interval, self.intervals)

    def columns(self, ranked: GroupedRows, options: Options) -> GroupColumns | None:  # noqa: ARG002
        """The values of many groups at once; ``None`` to compute group by group."""
        return None

    def influence(self, rows: BinaryRows) -> _FLOATS | None:  # noqa: ARG002
        """The influence of each row on the value, in input order; ``None`` without a formula.

        To first order the estimate is a constant plus the weighted means of the influences of each
        class, which may be shifted by a constant.
        """
        return None

    def prepare(self, samples: Sequence[ScoredRows]) -> Sequence[float] | None:  # noqa: ARG002
        """Compute once what estimates and influences of samples share.

        The result is the value of each sample if its estimate can wait until someone reads it.
        """
        return None

    def spread(self, samples: Sequence[ScoredRows]) -> Spread | None:
        """The influences of each row or cluster on each score of the same rows.

        ``None`` if no formula gives the influence of a row.
        """
        each = each_side_by_side(
            lambda sample: self.influence(sample.rows),
            samples,
            sum([len(sample.rows.positive) for sample in samples]),
        )
        influences = [influence for influence in each if influence is not None]
        if len(influences) < len(samples):
            return None
        return Spread.of(samples[0].rows, influences, centred=not self.of_rows)

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float] | None:  # noqa: ARG002
        """The value as a function of a table of counts, for resamples.

        ``None`` for the AUC, which has a faster way.
        """
        return None

    def check_bound(self, bound: str) -> None:
        """Reject a guarantee that this measure does not have."""
        check_bound(bound, self.bounds)

    def certified(self, scored: Scored, options: Options) -> tuple[Estimate, Interval]:
        """The estimate and the guarantee ``options.interval``; "auto" is the shortest."""
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
    """Reject an unknown guarantee; "auto" is always known."""
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
_CLUSTERS = ("clusters are independent; rows within a cluster may depend on each other in any way",)


@dataclass(frozen=True, slots=True)
class ResampledMeasure(BinaryMeasure):
    """A measure defined by a function of a table of counts, by default with a bootstrap interval.

    A subclass defines its ``text`` (the name, with settings in brackets), a description in
    ``words``, its ``value`` on a table of scores, and the value of a random score as ``chance``.
    Optional definitions are the ``range``, the ``parameters`` of the text, ``aliases``, and
    ``influence``, without which only bootstrap tests compare scores. The ``score`` column of the
    table is in ascending order; ``pos`` and ``neg`` count rows or sum their weights. Set ``of_rows
    = False`` if the value does not depend on the ratio of positives to negatives. Set ``merged =
    True`` if it depends only on the order of scores, so that resampling is faster.
    """

    intervals: ClassVar[tuple[str, ...]] = ("auto", BOOTSTRAP)
    aliases: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def value(self, table: ScoreCounts) -> float:
        """Return the value on a table."""

    def table(self, rows: BinaryRows) -> ScoreCounts:
        """The table of rows in memory."""
        return score_counts(rows)

    @property
    def meaning(self) -> str:
        """A sentence about the value, with a placeholder ``{value}``."""
        return f"The {self.name} is {{value}}."

    @abstractmethod
    def chance(self, table: ScoreCounts) -> float:
        """Return the value of a random score on such rows."""

    def references(self, table: ScoreCounts) -> References:  # noqa: ARG002
        """The alternatives to a score with their values, if a random score is none of them."""
        return ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that a result records."""
        return {}

    @property
    def of_rows(self) -> bool:
        return True

    @property
    def merged(self) -> bool:
        return False

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:  # noqa: ARG002
        return self.value

    def drawn(
        self,
        rows: BinaryRows | None,
        table: Deferred[ScoreCounts],  # noqa: ARG002
        draws: Resampling,
    ) -> Deferred[NDArray[np.float64]]:
        """The values on the resamples, which a certificate does not need."""
        if rows is None:
            return Deferred(self._without_rows)
        scheme = scheme_for(rows, draws.scheme)  # rejects rows that it cannot resample
        rows = rows.copied()
        return Deferred(
            lambda: table_replicates(
                rows, self.value, resamples=draws.resamples, seed=draws.seed, scheme=scheme,
                merged=self.merged,
            )
        )  # fmt: skip

    def _without_rows(self) -> NoReturn:
        raise UnsoundError(
            f"{self.name} resamples rows, which are not available here",
            where="measure",
            value=self.name,
            fix="evaluate in memory",
        )

    def guarantee(
        self,
        table: Callable[[], ScoreCounts],  # noqa: ARG002
        options: Options,  # noqa: ARG002
    ) -> Deferred[Interval] | None:
        """The certified interval for independent rows of equal weight, if one is known."""
        return None

    def by_formula(self, scored: Scored, table: ScoreCounts) -> ByFormula | None:  # noqa: ARG002
        """The formula that replaces the bootstrap by default, if one is known."""
        return None

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        rows, summary, term = scored.rows, scored.summary, self.term
        draws = options.resampling
        whole(draws.resamples, "resamples")
        whole(draws.seed, "seed", 0)
        if self.of_rows and draws.scheme is None and (rows is None or rows.cluster is None):
            draws = replace(draws, scheme="plain")
        counts = Deferred(lambda: table)
        drawn = self.drawn(rows, counts, draws)
        table: ScoreCounts
        if rows is not None:
            table = self.table(rows)
        else:
            assert term is not None
            table = scored.sums(term).details
        measured = self.measured(
            self.value(table), summary, counts, drawn, draws, options, self.chance(table),
            self.by_formula(scored, table),
        )  # fmt: skip
        wording = replace(measured.wording, references=self.references(table))
        measured = replace(measured, wording=wording)
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
        formula: ByFormula | None = None,
    ) -> Measured:
        """The parts of an estimate; the values on resamples are computed when read."""
        redrawn = formula is None or options.interval != "auto"
        certified = self.guarantee(table, options) if summary.squared_shares is None else None
        withheld = [] if certified is None else undeclared(summary, options.design)
        if withheld:
            certified = None

        def interval() -> Interval:
            if formula is not None and not redrawn:
                return formula.interval(options, self.range)
            low, high = percentile(drawn(), options.level, options.alternative, self.range)
            return Interval(
                low, high, options.level, BOOTSTRAP,
                assumptions=IID if summary.clusters is None else _CLUSTERS,
                source=SOURCE,
                range=self.range,
            )  # fmt: skip

        def doubts() -> list[Remark]:
            shown = options.certified and certified is not None
            few = [] if formula is None else formula.few(shown, redrawn=redrawn)
            if not redrawn or np.ptp(drawn()) > 0.0:
                return few
            return [*few, AlikeResamples(float(drawn()[0]), certified=False)]

        return Measured(
            value,
            Deferred(interval),
            certified,
            Deferred(lambda: float(drawn().std(ddof=1))) if formula is None else formula.std_error,
            Wording(self.name, self.meaning, chance, self.settings),
            warnings=lambda *_: [*withheld, *doubts()],
            settings=draws.settings(BOOTSTRAP, summary.clusters is not None) if redrawn else {},
            may_be_cut=lambda: False,
        )

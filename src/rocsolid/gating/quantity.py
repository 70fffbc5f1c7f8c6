"""The quantity of a rule, a value or a difference, with one-sided limits at any error."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import field, replace
from functools import cache, cached_property, partial
from typing import Any, Literal, Protocol

import numpy as np

from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import Design
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.adjust import default_test
from rocsolid.comparison.compared import Compared, Question, errors
from rocsolid.comparison.options import TESTS, compared_by
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Columns
from rocsolid.evaluation.folds import FoldColumns, FoldedTable
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.folds import split_clusters
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.folded import LEARNER, FoldMean, folded
from rocsolid.measures.named import measure_of
from rocsolid.remarks.remark import Remark, doubts
from rocsolid.remarks.values import SplitByFolds
from rocsolid.results.concordance_estimate import ConcordanceEstimate, FoldedEstimate
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.results.query_estimate import QueryEstimate

Side = Literal["greater", "less"]
AnyEstimate = Estimate | ConcordanceEstimate | QueryEstimate


class Quantity(Protocol):
    """A value or a difference in the population; ``basis`` describes its sample."""

    @property
    def value(self) -> float: ...

    @property
    def std_error(self) -> float | None: ...

    @property
    def basis(self) -> str: ...

    @property
    def doubts(self) -> tuple[Remark, ...]: ...

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        """Return the one-sided interval with this error probability, or ``None`` without one.

        The interval is certified if the calibrated one is in doubt.
        """


def known(interval: Interval | None) -> Interval | None:
    return None if interval is None or interval.method == "none" else interval


@dataclass(frozen=True)
class ScoreQuantity:
    """A measure of one score; each limit is estimated once. ``units`` names what it averages."""

    estimated: Callable[[Any], AnyEstimate]
    options: EstimateOptions
    units: str = "queries"
    _estimates: dict[tuple[Side, float], AnyEstimate] = field(default_factory=dict, init=False)

    def _estimate(self, side: Side, error: float) -> AnyEstimate:
        if (side, error) not in self._estimates:
            options = replace(self.options, level=1.0 - error, alternative=side)
            self._estimates[side, error] = self.estimated(options)
        return self._estimates[side, error]

    @property
    def _any(self) -> AnyEstimate:
        return next(iter(self._estimates.values()), None) or self._estimate("greater", 0.05)

    @property
    def value(self) -> float:
        return self._any.value

    @property
    def std_error(self) -> float | None:
        return self._any.std_error

    @property
    def basis(self) -> str:
        return basis_of(self._any, self.units)

    @property
    def doubts(self) -> tuple[Remark, ...]:
        return doubts(self._any.warnings)

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        estimate = self._estimate(side, error)
        proven = certified or self.doubts
        return known(estimate.certified if proven else self._calibrated(estimate))

    def _calibrated(self, estimate: AnyEstimate) -> Interval | None:
        return estimate.interval


def basis_of(estimate: AnyEstimate, units: str = "queries") -> str:
    if isinstance(estimate, QueryEstimate):
        return f"{estimate.n_queries:,} {units}"
    if isinstance(estimate, FoldedEstimate):
        return f"{estimate.basis} in {counted(len(estimate.folds), 'fold')}"
    return estimate.basis


@dataclass(frozen=True)
class DifferenceQuantity:
    """The difference of two scores on the same rows or queries, by the paired test.

    The test is the default of `rocsolid.compare`, or the percentile bootstrap for a measure without
    a variance formula. If both scores rank alike, the certified limits replace those of the test.
    """

    compared: Compared
    basis: str
    resampling: Resampling
    design: Design = None

    @classmethod
    def of(cls, compared: Compared, options: Options) -> DifferenceQuantity:
        basis = basis_of(next(iter(compared.estimates.values())))
        return cls(compared, basis, options.resampling, options.design)

    @property
    def value(self) -> float:
        return self.compared.difference(0, 1)

    @property
    def std_error(self) -> float | None:
        if self.compared.spread is None or np.isnan(self.compared.variance_and_df[0][0]):
            return None
        return float(errors(self.compared)[0][0])

    @cached_property
    def doubts(self) -> tuple[Remark, ...]:
        return doubts(self.compared.doubts())

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        compared, drawn, reach = self.compared, self.resampling, self.compared.span
        question = Question(
            0.0, side, 1.0 - error, drawn.seed, (-reach, reach), drawn.resamples, self.design
        )
        if not (certified or self.doubts):
            bootstrap = compared.spread is None
            test = TESTS["bootstrap"] if bootstrap else default_test(compared, question)[0]
            assert test is not None
            interval = known(test(compared, question).tested[0].interval)
            if interval is not None:
                return interval
        return compared.certificates(question)[0]()


@dataclass(frozen=True)
class LearnerQuantity(ScoreQuantity):
    """A measure of one learner.

    Calibrated limits are for its models on new rows, unless folds split clusters. Certified limits
    are for the mean true value of the models of these folds.
    """

    splits_clusters: bool = False

    @property
    def std_error(self) -> float | None:
        error = self._any.std_error
        if error is None or self.splits_clusters:
            return error
        return math.sqrt(LEARNER) * error

    def _calibrated(self, estimate: AnyEstimate) -> Interval | None:
        assert isinstance(estimate, FoldedEstimate)
        return estimate.interval if self.splits_clusters else estimate.learner


class PolicyData(ABC):
    """The data of a policy. A segment is an index of ``segments``; ``None`` means all rows.

    ``clusters`` is the number of clusters, or ``None`` for independent rows or queries.
    """

    source: str
    rows: int
    unit: str
    segments: list[dict[str, Any]]
    warnings: tuple[Remark, ...] = ()
    clusters: int | None = None

    @cached_property
    def quantity(self) -> Callable[[str, str, int | None], Quantity]:
        return cache(self._quantity)

    @abstractmethod
    def _quantity(self, measure: str, score: str, segment: int | None) -> Quantity: ...

    @abstractmethod
    def difference(self, measure: str, a: str, b: str, segment: int | None) -> Quantity: ...

    @abstractmethod
    def range(self, measure: str) -> tuple[float, float]:
        """Return the range of the measure."""

    def span(self, measure: str) -> tuple[float, float]:
        low, high = self.range(measure)
        return low - high, high - low

    def shorter_in_memory(
        self,
        measure: str,  # noqa: ARG002
        score: str,  # noqa: ARG002
        segment: int | None,  # noqa: ARG002
    ) -> bool:
        return False

    def close(self) -> None:  # noqa: B027
        ...


class BinaryData(PolicyData):
    unit = "rows"

    def range(self, measure: str) -> tuple[float, float]:
        return measure_of(measure).range

    @abstractmethod
    def positives(self, score: str, segment: int | None) -> int: ...

    @abstractmethod
    def rows_with(self, score: str) -> BinaryRows: ...


class FoldedRows(BinaryData):
    def __init__(self, data: Any, columns: Columns, folding: FoldColumns, options: Options) -> None:
        table = self._table = FoldedTable.read(data, columns, folding)
        self._options = replace(options, pos_label=table.pos_label)
        self.source, self.rows, self.clusters = table.source, table.rows, table.clusters
        self.segments = [key for key, _ in table.segments]
        split = split_clusters(next(iter(table.scored.values())).cluster, table.folds)
        self._splits_clusters = split is not None
        if split is not None:
            self.warnings = (SplitByFolds(split.example, split.count, split.clusters),)

    def _quantity(self, measure: str, score: str, segment: int | None) -> Quantity:
        (sample,) = self._table.samples(score, segment=segment).values()
        estimated = partial(self._measure(measure).estimate, sample)
        return LearnerQuantity(estimated, self._options, splits_clusters=self._splits_clusters)

    def difference(self, measure: str, a: str, b: str, segment: int | None) -> Quantity:
        pair = self._table.samples(a, b, segment=segment)
        compared = compared_by(self._measure(measure), pair, self._options)
        return DifferenceQuantity.of(compared, self._options)

    def _measure(self, measure: str) -> FoldMean:
        return folded(measure_of(measure), self._table.order)

    def positives(self, score: str, segment: int | None) -> int:
        score = score or next(iter(self._table.scored))
        (sample,) = self._table.samples(score, segment=segment).values()
        return int(np.count_nonzero(sample.rows.positive))

    def rows_with(self, score: str) -> BinaryRows:
        return self._table.scored[score]

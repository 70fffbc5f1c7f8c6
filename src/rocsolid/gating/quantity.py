"""The quantity of a rule, a value or a difference, with one-sided limits at any error."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import Design
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.adjust import default_test
from rocsolid.comparison.compared import Compared, Question, errors
from rocsolid.comparison.options import TESTS, compared_by
from rocsolid.comparison.sign_flip import Mean
from rocsolid.engines.engine import Columns
from rocsolid.evaluation.folds import FoldColumns, FoldedTable
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.folds import split_clusters
from rocsolid.intervals.means.mean import mean_interval
from rocsolid.measures.binary_measure import BinaryMeasure, Scored, ScoredRows
from rocsolid.measures.folded import LEARNER, FoldMean, ScoredFolds, folded
from rocsolid.measures.named import measure_of
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import SplitByFolds
from rocsolid.results.concordance_estimate import FoldedEstimate
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.results.plain import counted
from rocsolid.summaries.binary_summary import BinarySummary

Side = Literal["greater", "less"]
Range = tuple[float, float] | None


class Quantity(Protocol):
    """A quantity of the population: its estimate, and limits with a given error probability.

    ``basis`` describes the sample. ``fixed`` is the part of the distance to a limit that does not
    shrink with more rows.
    """

    @property
    def value(self) -> float: ...

    @property
    def std_error(self) -> float | None: ...

    @property
    def basis(self) -> str: ...

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        """Return the one-sided interval with this error probability, or ``None`` without one."""

    def fixed(self, side: Side, error: float, *, certified: bool) -> float: ...


class Sampled:
    """A quantity whose limits shrink with more rows, without a fixed part."""

    def fixed(self, side: Side, error: float, *, certified: bool) -> float:  # noqa: ARG002
        return 0.0


def known(interval: Interval | None) -> Interval | None:
    """Return the interval, or ``None`` for the placeholder of a missing interval."""
    return None if interval is None or interval.method == "none" else interval


@dataclass(frozen=True)
class ScoreQuantity(Sampled):
    """A measure of one score of labelled rows."""

    measure: BinaryMeasure
    scored: Scored
    options: Options

    @cached_property
    def _estimates(self) -> dict[tuple[Side, float], Estimate]:
        return {}

    def _estimate(self, side: Side, error: float) -> Estimate:
        estimate = self._estimates.get((side, error))
        if estimate is None:
            options = replace(self.options, level=1.0 - error, alternative=side)
            estimate = self._estimates[side, error] = self.measure.estimate(self.scored, options)
        return estimate

    @property
    def _any(self) -> Estimate:
        return next(iter(self._estimates.values()), None) or self._estimate("greater", 0.05)

    @property
    def value(self) -> float:
        return self._any.value

    @property
    def std_error(self) -> float | None:
        return self._any.std_error

    @property
    def basis(self) -> str:
        return self._any.basis

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        estimate = self._estimate(side, error)
        return known(estimate.certified if certified else estimate.deciding)


@dataclass(frozen=True)
class DifferenceQuantity(Sampled):
    """The difference of two scores on the same rows or queries, by the paired test.

    The test is Student's t or the studentised bootstrap, or the percentile bootstrap for a measure
    without a variance formula. If both scores rank alike, the test has no limits, and the certified
    limits replace them. ``basis`` describes the sample.
    """

    compared: Compared
    basis: str
    resampling: Resampling
    design: Design = None

    @classmethod
    def of_rows(
        cls, measure: BinaryMeasure, pair: dict[str, ScoredRows], options: Options
    ) -> DifferenceQuantity:
        values: dict[str, Any] = {
            name: Mean(part.summary.auc) if measure.pairwise else measure.estimate(part, options)
            for name, part in pair.items()
        }
        compared = compared_by(measure, pair, options, estimates=values)
        basis = classes(next(iter(pair.values())).summary)
        return cls(compared, basis, options.resampling, options.design)

    @property
    def value(self) -> float:
        return self.compared.difference(0, 1)

    @property
    def std_error(self) -> float | None:
        return None if self.compared.spread is None else float(errors(self.compared)[0][0])

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        compared, drawn, reach = self.compared, self.resampling, self.compared.span
        question = Question(
            0.0, side, 1.0 - error, drawn.seed, (-reach, reach), drawn.resamples, self.design
        )
        if not certified:
            bootstrap = compared.spread is None
            test = TESTS["bootstrap"] if bootstrap else default_test(compared, question)[0]
            assert test is not None
            interval = known(test(compared, question).tested[0].interval)
            if interval is not None:
                return interval
        return compared.certificates(question)[0]()


def classes(summary: BinarySummary) -> str:
    return f"{counted(summary.n_pos, 'positive')} and {counted(summary.n_neg, 'negative')}"


@dataclass(frozen=True)
class MeanQuantity(Sampled):
    """The mean of a measure over queries or other units."""

    values: NDArray[np.float64]
    range: Range
    units: str = "queries"

    @property
    def value(self) -> float:
        return float(self.values.mean())

    @property
    def std_error(self) -> float | None:
        n = len(self.values)
        return float(self.values.std(ddof=1)) / math.sqrt(n) if n > 1 else None

    @property
    def basis(self) -> str:
        return f"{len(self.values):,} {self.units}"

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        mean = mean_interval(self.values, range=self.range, level=1.0 - error, alternative=side)
        return known(mean.certified if certified else mean.interval)


@dataclass(frozen=True)
class LearnerQuantity(Sampled):
    """A measure of one learner.

    Calibrated limits are for its models on new rows. Certified limits are for the mean true value
    of the models of these folds, because guarantees for every distribution exist only for these
    models. If folds split clusters, calibrated limits are also for these models only.
    """

    measure: FoldMean
    sample: ScoredFolds
    options: Options
    splits_clusters: bool = False

    @cached_property
    def _estimates(self) -> dict[tuple[Side, float], FoldedEstimate]:
        return {}

    def _estimate(self, side: Side, error: float) -> FoldedEstimate:
        if (side, error) not in self._estimates:
            options = replace(self.options, level=1.0 - error, alternative=side)
            self._estimates[side, error] = self.measure.estimate(self.sample, options)
        return self._estimates[side, error]

    @property
    def value(self) -> float:
        return self.sample.by(self.measure.measure, self.options).value

    @property
    def std_error(self) -> float | None:
        any_of_them = next(iter(self._estimates.values()), None) or self._estimate("greater", 0.05)
        error = any_of_them.std_error
        if error is None or self.splits_clusters:
            return error
        return math.sqrt(LEARNER) * error

    @property
    def basis(self) -> str:
        n_pos = int(np.count_nonzero(self.sample.rows.positive))
        n_neg = len(self.sample.rows) - n_pos
        return _basis(n_pos, n_neg, len(self.sample.folds))

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        estimate = self._estimate(side, error)
        calibrated = estimate.interval if self.splits_clusters else estimate.learner
        return known(estimate.certified if certified else calibrated)


class FoldedRows:
    """Rows with labels of two classes and the folds that scored them."""

    unit = "rows"

    def __init__(self, data: Any, columns: Columns, folding: FoldColumns, options: Options) -> None:
        self._table = FoldedTable.read(data, columns, folding)
        self._options = replace(options, pos_label=self._table.pos_label)
        self.source, self.rows = self._table.source, self._table.rows
        self.segments = [key for key, _ in self._table.segments]
        self.clusters = self._table.clusters
        self.quantity = cache(self._quantity)
        first = next(iter(self._table.scored.values()))
        split = split_clusters(first.cluster, self._table.folds)
        self._splits_clusters = split is not None
        self.warnings: tuple[Remark, ...] = ()
        if split is not None:
            self.warnings = (SplitByFolds(split.example, split.count, split.clusters),)

    def _quantity(self, measure: str, score: str, segment: int | None) -> Quantity:
        (sample,) = self._table.samples(score, segment=segment).values()
        of_folds = self._measure(measure)
        return LearnerQuantity(of_folds, sample, self._options, self._splits_clusters)

    def difference(self, measure: str, a: str, b: str, segment: int | None) -> Quantity:
        pair = self._table.samples(a, b, segment=segment)
        compared = compared_by(self._measure(measure), pair, self._options)
        first = next(iter(compared.estimates.values()))
        basis = _basis(first.n_pos, first.n_neg, len(pair[a].folds))
        return DifferenceQuantity(compared, basis, self._options.resampling)

    def _measure(self, measure: str) -> FoldMean:
        return folded(measure_of(measure), self._table.order)

    def span(self, measure: str) -> tuple[float, float]:
        return measure_of(measure).span

    def positives(self, score: str, segment: int | None) -> int:
        score = score or next(iter(self._table.scored))
        (sample,) = self._table.samples(score, segment=segment).values()
        return int(np.count_nonzero(sample.rows.positive))

    def rows_with(self, score: str) -> BinaryRows:
        return self._table.scored[score]

    def close(self) -> None:
        """Release nothing: the rows are in memory."""


def _basis(n_pos: int, n_neg: int, folds: int) -> str:
    return f"{n_pos:,} positives and {n_neg:,} negatives in {folds} folds"

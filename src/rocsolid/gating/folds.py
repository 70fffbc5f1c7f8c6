"""Quantities of a policy from out-of-fold scores: values of learners, and their differences."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from rocsolid.binary.estimate import Options
from rocsolid.comparison.by_measure import compared_by
from rocsolid.engines.engine import Columns
from rocsolid.evaluation.folded_table import FoldColumns, FoldedTable
from rocsolid.gating.quantity import DifferenceQuantity, Quantity, Sampled, Side, known
from rocsolid.inputs import BinaryRows
from rocsolid.measures.folded import LEARNER, FoldMean, ScoredFolds, folded
from rocsolid.measures.named import measure_of
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval
from rocsolid.results.folded_estimate import FoldedEstimate


@dataclass(frozen=True)
class LearnerQuantity(Sampled):
    """A measure of one learner: the calibrated limits are for its models on fresh rows.

    The certified ones are for the mean true value of the models of these folds, of which alone
    something is known for every distribution.
    """

    measure: FoldMean
    sample: ScoredFolds
    options: Options

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
        return None if error is None else math.sqrt(LEARNER) * error

    @property
    def basis(self) -> str:
        n_pos = int(np.count_nonzero(self.sample.rows.positive))
        n_neg = len(self.sample.rows) - n_pos
        return _basis(n_pos, n_neg, len(self.sample.folds))

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        estimate = self._estimate(side, error)
        return known(estimate.certified if certified else estimate.learner)


class FoldedRows:
    """The rows of a table with labels of two classes and the folds that scored them."""

    unit = "rows"
    warnings: tuple[Remark, ...] = ()

    def __init__(self, data: Any, columns: Columns, folding: FoldColumns, options: Options) -> None:
        self._table = FoldedTable.read(data, columns, folding)
        self._options = replace(options, pos_label=self._table.pos_label)
        self.source, self.rows = self._table.source, self._table.rows
        self.segments = [key for key, _ in self._table.segments]
        self.quantity = cache(self._quantity)

    def _quantity(self, measure: str, score: str, segment: int | None) -> Quantity:
        (sample,) = self._table.samples(score, segment=segment).values()
        return LearnerQuantity(self._measure(measure), sample, self._options)

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
        """Nothing is held that would have to be given up."""


def _basis(n_pos: int, n_neg: int, folds: int) -> str:
    return f"{n_pos:,} positives and {n_neg:,} negatives in {folds} folds"

"""What a rule is about, with one-sided limits at any error: a value or a difference of two."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.comparison.asked import TESTS
from rocsolid.comparison.certificate import certificates
from rocsolid.comparison.compared import Compared, Question
from rocsolid.comparison.queries.asked import QueryQuestion
from rocsolid.comparison.queries.certificate import certificates as query_certificates
from rocsolid.comparison.queries.student import t_test
from rocsolid.comparison.queries.systems import Differences, Systems
from rocsolid.intervals.means import mean_interval
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.scored import Scored, ScoredRows
from rocsolid.results import Estimate, Interval
from rocsolid.summaries.binary_summary import BinarySummary

Side = Literal["greater", "less"]
Range = tuple[float, float] | None


class Quantity(Protocol):
    """A number of the population: its estimate, and limits that err with a given probability.

    ``basis`` says what it rests on. The part ``fixed`` of the distance to a limit does not shrink
    with more rows.
    """

    @property
    def value(self) -> float: ...

    @property
    def std_error(self) -> float | None: ...

    @property
    def basis(self) -> str: ...

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        """The one-sided interval that errs with that probability; ``None`` where none is known."""

    def fixed(self, side: Side, error: float, *, certified: bool) -> float: ...


class Sampled:
    """Whose limits shrink altogether with more rows."""

    def fixed(self, side: Side, error: float, *, certified: bool) -> float:  # noqa: ARG002
        return 0.0


def known(interval: Interval | None) -> Interval | None:
    """Not an interval that stands where there is none."""
    return None if interval is None or interval.method == "none" else interval


@dataclass(frozen=True)
class ScoreQuantity(Sampled):
    """A measure of one score of labelled rows."""

    measure: BinaryMeasure
    scored: Scored
    options: Options

    @cached_property
    def _estimates(self) -> dict[tuple[Side, float], Estimate]:
        """Those requested so far, as each costs as much as the first."""
        return {}

    def _estimate(self, side: Side, error: float) -> Estimate:
        found = self._estimates.get((side, error))
        if found is None:
            asked = replace(self.options, level=1.0 - error, alternative=side)
            found = self._estimates[side, error] = self.measure.estimate(self.scored, asked)
        return found

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
        found = self._estimate(side, error)
        return known(found.certified if certified else found.deciding)


@dataclass(frozen=True, slots=True)
class Valuation:
    """The value of one score, where no interval of its own is needed."""

    value: float


@dataclass(frozen=True)
class DifferenceQuantity(Sampled):
    """The measure of one score less that of another on the same rows, by their paired test.

    That is DeLong's on Student's t, and the bootstrap for a measure whose variance no formula
    gives. Where two scores rank alike it has no limits, and the certified ones take their place.
    """

    compared: Compared
    first: BinarySummary
    options: Options

    @classmethod
    def of_rows(
        cls, measure: BinaryMeasure, pair: dict[str, ScoredRows], options: Options
    ) -> DifferenceQuantity:
        rows = {name: one.rows for name, one in pair.items()}
        values: dict[str, Any] = {
            name: Valuation(one.summary.auc) if measure.pairwise else measure.estimate(one, options)
            for name, one in pair.items()
        }
        compared = Compared.of(measure, rows, values, paired=True)
        return cls(compared, next(iter(pair.values())).summary, options)

    @property
    def value(self) -> float:
        return self.compared.difference(0, 1)

    @property
    def std_error(self) -> float | None:
        if self.compared.spread is None:
            return None
        return math.sqrt(self.compared.variance(0, 1))

    @property
    def basis(self) -> str:
        return f"{self.first.n_pos:,} positives and {self.first.n_neg:,} negatives"

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        compared, drawn = self.compared, self.options.resampling
        question = Question(
            0.0, side, 1.0 - error, drawn.seed, compared.measure.span, drawn.resamples,
            self.options.design,
        )  # fmt: skip
        if not certified:
            test = TESTS["bootstrap" if compared.spread is None else "delong-t"]
            found = known(test(compared, question).tested[0].interval)
            if found is not None:
                return found
        return certificates(compared, question)[0]


@dataclass(frozen=True)
class MeanQuantity(Sampled):
    """The mean of a measure over queries."""

    values: NDArray[np.float64]
    range: Range

    @property
    def value(self) -> float:
        return float(self.values.mean())

    @property
    def std_error(self) -> float | None:
        n = len(self.values)
        return float(self.values.std(ddof=1)) / math.sqrt(n) if n > 1 else None

    @property
    def basis(self) -> str:
        return f"{len(self.values):,} queries"

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        found = mean_interval(self.values, range=self.range, level=1.0 - error, alternative=side)
        return known(found.certified if certified else found.interval)


@dataclass(frozen=True)
class MeanDifference(Sampled):
    """The mean difference of two systems on the same queries, by the paired t test.

    Where it never varies the certified limits take the place of those of the test.
    """

    systems: Systems

    @cached_property
    def _differences(self) -> Differences:
        return Differences.of(self.systems)

    @property
    def value(self) -> float:
        return float(self._differences.found[0])

    @property
    def std_error(self) -> float | None:
        return float(self._differences.std_error[0])

    @property
    def basis(self) -> str:
        return f"{self.systems.queries[0]:,} queries"

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        span = self.systems.high - self.systems.low
        question = QueryQuestion(0.0, side, 1.0 - error, 0, 0, (-span, span))
        if certified or not self._differences.std_error[0] > 0.0:
            return query_certificates(self.systems, question)[0]
        tested = t_test(self._differences, question, paired=True)
        low, high = float(tested.low[0]), float(tested.high[0])
        return Interval(
            max(low, -span), min(high, span), question.level, tested.method,
            assumptions=tested.assumptions, source=tested.source, range=question.span,
        )  # fmt: skip

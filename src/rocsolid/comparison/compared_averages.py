"""Values that are averages over units of another kind than two classes of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.certificate import difference_of, level_of_each
from rocsolid.comparison.compared import Compared, Outcome, StudentsT
from rocsolid.comparison.compared_rows import (
    PAIRED,
    READS,
    T_SOURCE,
    clusters,
    few_clusters,
    weighted,
)
from rocsolid.comparison.omnibus import hotelling_f
from rocsolid.comparison.question import Question
from rocsolid.comparison.unseen import unseen
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.folded import FRESH, FoldMean
from rocsolid.measures.folded import SOURCE as FOLDS_SOURCE
from rocsolid.measures.measure import Measure
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval
from rocsolid.results.comparison import Difference, Omnibus
from rocsolid.summaries.covariation import Covariation

_FLOATS = NDArray[np.float64]
OF_FOLDS = "folds-t"
_DESCRIBED = ("weighted", "clusters", "scheme", "average")
"""Settings of an estimate that hold for all of them."""


@dataclass(frozen=True, eq=False)
class ComparedAverages(Compared):
    """Concordances, or means over classes, of the same rows: a sample of each score.

    A certified interval of a difference is that of the two estimates, each at half the error.
    """

    measure: Measure
    samples: Mapping[str, Any]
    options: EstimateOptions
    estimates: dict[str, Any]
    spread: Covariation | None
    paired: bool = True

    @property
    def students_t(self) -> StudentsT:
        return StudentsT("delong-t", "delong-t", "delong-t", PAIRED, T_SOURCE, READS)

    @property
    def measure_name(self) -> str:
        return self.measure.name

    @property
    def span(self) -> float:
        return self.measure.range[1] - self.measure.range[0]

    def unseen(self) -> _FLOATS:
        covariance, sizes = self.known.covariance(), self.known.sizes()
        if not sizes:
            return np.zeros_like(covariance)
        return unseen(self.values, covariance, np.array(sizes))

    def certificates(self, question: Question) -> list[Interval | None]:
        options = replace(self.options, level=level_of_each(question))
        own: list[Interval | None] = [
            self.measure.estimate(sample, options).certified for sample in self.samples.values()
        ]
        return [
            None if a is None or b is None else difference_of(a, b, question)
            for a, b in ((own[i], own[j]) for i, j in self.pairs())
        ]

    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:  # noqa: ARG002
        return hotelling_f(self)

    def doubts(self, outcome: Outcome, pairs: tuple[Difference, ...]) -> list[Remark]:  # noqa: ARG002
        return few_clusters([self.described().get("clusters")], certified=False)

    def described(self) -> dict[str, Any]:
        settings = next(iter(self.estimates.values())).settings
        return {name: settings[name] for name in _DESCRIBED if name in settings}


@dataclass(frozen=True, eq=False)
class ComparedLearners(ComparedAverages):
    """Learners on the same folds, compared by a mean of folds.

    Two learners that are made of noise differ by noise: the variance of a pair has the larger
    factor of the two, and the test that all are equal takes the largest of all.
    """

    measure: FoldMean

    @property
    def students_t(self) -> StudentsT:
        return StudentsT(OF_FOLDS, OF_FOLDS, OF_FOLDS, FRESH, FOLDS_SOURCE, READS)

    @cached_property
    def variance_and_df(self) -> tuple[_FLOATS, _FLOATS]:
        variance, df = super().variance_and_df
        factors = np.array([one.factor(self.measure.measure) for one in self.samples.values()])
        return variance * factors[self.pair_places].max(axis=0) / factors.max(), df

    def certificates(self, question: Question) -> list[Interval | None]:  # noqa: ARG002
        return [None] * len(self.pairs())

    def doubts(self, outcome: Outcome, pairs: tuple[Difference, ...]) -> list[Remark]:  # noqa: ARG002
        return []

    def described(self) -> dict[str, Any]:
        rows = [sample.rows for sample in self.samples.values()]
        return {"weighted": any(map(weighted, rows)), "clusters": clusters(rows[0])}

"""Estimates of scores on the same rows, or on independent samples, prepared for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.inference import units_of
from rocsolid.comparison.certificate import (
    Certificates,
    certificates,
    differences_of,
    level_of_each,
)
from rocsolid.comparison.compared import Compared, Question, StudentsT
from rocsolid.comparison.heterogeneity import heterogeneity, worth
from rocsolid.comparison.omnibus import hotelling_f, unseen
from rocsolid.dataclass import dataclass
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.guarantees.clustered import counted
from rocsolid.intervals.guarantees.difference_matchings import WinSums, win_sums
from rocsolid.measures.binary_measure import BinaryMeasure, Scored, ScoredRows
from rocsolid.measures.folded import FRESH, SEEN, FoldMean
from rocsolid.measures.folded import SOURCE as FOLDS_SOURCE
from rocsolid.measures.measure import MeasureOfUnits
from rocsolid.remarks.comparisons import FewMisplaced, FewRowsCompared, few_clusters_compared
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Omnibus, OmnibusDrawn
from rocsolid.results.deferred import KEPT, Deferred, each_of
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import CLUSTERS, COVARIANCE, WEIGHTS, Interval
from rocsolid.results.plain import each_once
from rocsolid.summaries.placements import each_side_by_side
from rocsolid.summaries.strata import Apart, Covariation
from rocsolid.summaries.stream import Disagreement, disagreement


def equal_samples(
    compared: Compared, sizes: NDArray[np.float64], question: Question
) -> tuple[Omnibus, list[Remark]]:
    """Test with `heterogeneity`, or without variance with `hotelling_f`, that samples have equal
    values.

    ``sizes`` contains the positives and negatives of each sample, or their effective numbers in
    clusters.
    """
    estimates = list(compared.estimates.values())
    test = heterogeneity(
        compared.values,
        np.array([np.nan if each.std_error is None else each.std_error for each in estimates]),
        1.0 / (1.0 / sizes).sum(axis=1),
        sizes.min(axis=1) - 1.0,
        estimates[0].interval.range,
        question.seed,
        resamples=question.resamples,
    )
    if test is None:
        return hotelling_f(compared)
    df = len(compared.names) - 1
    return OmnibusDrawn(test.statistic, df, test.p_value, "heterogeneity", test.draws), []


_CELLS = 32 * KEPT  # the most rows, over all scores, that are copied
_FLOATS = NDArray[np.float64]


FEW_ROWS = 20
ENOUGH = 5.0

SOURCE = (
    "DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845; clusters: Obuchowski, "
    "Biometrics 53 (1997), 567-578; unpaired: Welch, Biometrika 34 (1947), 28-35, with the degrees "
    "of freedom of Robin et al., BMC Bioinformatics 12 (2011), 77 (pROC)"
)
T_SOURCE = (
    "DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845; clusters: Obuchowski, "
    "Biometrics 53 (1997), 567-578; Welch, Biometrika 34 (1947), 28-35 (degrees of freedom)"
)
PAIRED = ("rows independent, or clusters where they are given", "difference close to normal")
READS = COVARIANCE | WEIGHTS | CLUSTERS
UNPAIRED = ("the two samples independent of each other", *PAIRED)
DELONG_T = StudentsT("delong-t", "delong-t", "delong-t", PAIRED, T_SOURCE, READS)


@dataclass(frozen=True, eq=False)
class ComparedRows(Compared):
    """Estimates with the rows behind them.

    ``units`` contains the number of independent rows or clusters behind each estimate. ``smaller``
    contains the units of the smaller class, where they are known. If an engine reduced the rows,
    ``rows`` is empty and ``elsewhere`` contains the summaries. ``known_values`` are the values if
    the estimates wait until someone reads them.
    """

    measure: BinaryMeasure
    estimates: Mapping[str, Any]
    rows: tuple[BinaryRows, ...]
    paired: bool
    spread: Covariation | None
    units: tuple[float, ...]
    smaller: tuple[float, ...] = ()
    elsewhere: tuple[Scored, ...] = ()
    known_values: Sequence[float] | None = None
    _disagreements: dict[int, Disagreement] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(
        cls,
        measure: BinaryMeasure,
        rows: dict[str, BinaryRows],
        estimates: Mapping[str, Estimate],
        paired: bool,
        values: Sequence[float] | None = None,
    ) -> ComparedRows:
        parts = tuple(rows.values())
        samples = [ScoredRows(part) for part in parts]
        if paired:
            spread = measure.spread(samples)
            if spread is None:
                return cls(measure, estimates, parts, True, None, (float("nan"),) * len(parts))
            units, smaller = (spread.units,) * len(parts), (spread.smaller,) * len(parts)
            return cls(measure, estimates, parts, True, spread, units, smaller, (), values)
        of_each = each_side_by_side(
            lambda sample: measure.spread([sample]), samples, sum(map(len, parts))
        )
        spreads = [each for each in of_each if each is not None]
        if len(spreads) < len(parts):
            return cls(measure, estimates, parts, False, None, (float("nan"),) * len(parts))
        own = [spread.own(0) for spread in spreads]
        apart = Apart(
            tuple(float(each.total[0, 0]) for each in own),
            tuple(each.df() for each in own),
            tuple(spread.strata for spread in spreads),
            tuple(float(spread.largest[0]) for spread in spreads),
        )
        units, smaller = (
            tuple(getattr(spread, name) for spread in spreads) for name in ("units", "smaller")
        )
        return cls(measure, estimates, parts, False, apart, units, smaller, (), values)

    @property
    def students_t(self) -> StudentsT:
        if self.paired:
            return DELONG_T
        return replace(DELONG_T, interval="delong-t (unpaired)", assumptions=UNPAIRED)

    @property
    def measure_name(self) -> str:
        return self.measure.name

    @property
    def span(self) -> float:
        return self.measure.span[1]

    @property
    def clusters(self) -> list[int | None]:
        if self.elsewhere:
            return [scored.summary.clusters for scored in self.elsewhere]
        return list(map(clusters, self.rows))

    @property
    def weighted(self) -> bool:
        if self.elsewhere:
            return any(scored.summary.weighted for scored in self.elsewhere)
        return any(map(weighted, self.rows))

    def described(self) -> dict[str, Any]:
        clusters = self.clusters
        return {"weighted": self.weighted, "clusters": clusters[0] if self.paired else clusters}

    @cached_property
    def values(self) -> _FLOATS:
        return super().values if self.known_values is None else np.array(self.known_values)

    @cached_property
    def win_sums(self) -> list[WinSums]:
        positive = self.rows[0].positive
        scores = [part.score for part in self.rows]
        return win_sums([s[positive] for s in scores], [s[~positive] for s in scores])

    def disagreement(self, seed: int) -> Disagreement:
        """Return the share of row pairs that two scores order differently, counted once for each
        seed.
        """
        if seed not in self._disagreements:
            scores = [part.score for part in self.rows]
            self._disagreements[seed] = disagreement(self.rows[0].positive, scores, seed)
        return self._disagreements[seed]

    @cached_property
    def unseen(self) -> _FLOATS:
        covariance = self.covariance
        if not (self.smaller and self.measure.pairwise):
            return np.zeros_like(covariance)
        return unseen(self.values, covariance, np.array(self.smaller))

    def kept(self) -> Deferred[ComparedRows] | None:
        if sum([len(rows.positive) for rows in self.rows]) > _CELLS:
            return None
        return Deferred(partial(replace, self, rows=tuple([rows.copied() for rows in self.rows])))

    def certificates(self, question: Question) -> Certificates:
        return certificates(self, question)

    @property
    def redrawable(self) -> bool:
        return self.paired

    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:
        if self.paired:
            return hotelling_f(self)
        return equal_samples(self, self._class_sizes(), question)

    def _class_sizes(self) -> _FLOATS:
        sizes = []
        for place, estimate in enumerate(self.estimates.values()):
            size = None
            if not self.elsewhere:
                rows = self.rows[place]
                size = None if rows.cluster is None else worth(rows)
            elif (units := self.elsewhere[place].summary.moments.units) is not None:
                size = units.effective
            sizes.append(size or (float(estimate.n_pos), float(estimate.n_neg)))
        return np.array(sizes)

    def doubts(self) -> list[Remark]:
        return [*self._few_rows(), *few_clusters_compared(*self._counted()), *self._of_areas()]

    def _counted(self) -> list[tuple[int | None, float]]:
        """See `counted`: for each sample, or once for the rows that all scores share."""
        if self.elsewhere:
            summaries = [scored.summary for scored in self.elsewhere]
            return [(each.clusters, each.even_clusters) for each in summaries]
        rows = self.rows[:1] if self.paired else self.rows
        return [counted(units_of(each)) for each in rows]

    def _few_rows(self) -> list[Remark]:
        counts = [
            (count, word, name, estimate.value)
            for name, estimate in self.estimates.items()
            for count, word in ((estimate.n_pos, "positive"), (estimate.n_neg, "negative"))
        ]
        fewest = min(counts)
        if fewest[0] < FEW_ROWS and not self.measure.pairwise:
            return [FewRowsCompared(fewest[0], fewest[1], FEW_ROWS)]
        if not self.measure.pairwise:
            return []
        misplaced, count, word, name = min(
            (count * min(value, 1.0 - value), count, word, name)
            for count, word, name, value in counts
        )
        if misplaced >= ENOUGH:
            return []
        return [FewMisplaced(name, misplaced, count, word, ENOUGH)]

    def _of_areas(self) -> list[Remark]:
        if self.measure.pairwise:
            return []
        warnings = ((name, text) for name, each in self.estimates.items() for text in each.warnings)
        return list(each_once(warnings))


def weighted(rows: BinaryRows) -> bool:
    return rows.weight is not None and bool(rows.weight.min() < rows.weight.max())


def clusters(rows: BinaryRows) -> int | None:
    return None if rows.cluster is None else int(rows.cluster.max()) + 1


OF_FOLDS = "folds-t"
_DESCRIBED = ("weighted", "clusters", "scheme", "average")


@dataclass(frozen=True, eq=False)
class ComparedAverages(Compared):
    """Concordances, or means over classes, on the same rows.

    The certified interval of a difference combines two certified intervals, each with half the
    error.
    """

    measure: MeasureOfUnits
    samples: Mapping[str, Any]
    options: EstimateOptions
    estimates: dict[str, Any]
    spread: Covariation | None
    paired: bool = True

    @property
    def students_t(self) -> StudentsT:
        return DELONG_T

    @property
    def measure_name(self) -> str:
        return self.measure.name

    @property
    def span(self) -> float:
        return self.measure.range[1] - self.measure.range[0]

    @cached_property
    def unseen(self) -> _FLOATS:
        covariance, sizes = self.covariance, self.known.sizes()
        if not sizes:
            return np.zeros_like(covariance)
        return unseen(self.values, covariance, np.array(sizes))

    def certificates(self, question: Question) -> Certificates:
        return each_of(Deferred(lambda: self._from_two(question)), len(self.pairs()))

    def _from_two(self, question: Question) -> list[Interval | None]:
        options = replace(self.options, level=level_of_each(question))
        own = [self.measure.estimate(sample, options) for sample in self.samples.values()]
        return differences_of([estimate.certified for estimate in own], self.pairs(), question)

    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:  # noqa: ARG002
        return hotelling_f(self)

    def doubts(self) -> list[Remark]:
        return few_clusters_compared(self.measure.clusters(next(iter(self.samples.values()))))

    def described(self) -> dict[str, Any]:
        settings = next(iter(self.estimates.values())).settings
        return {name: settings[name] for name in _DESCRIBED if name in settings}


@dataclass(frozen=True, eq=False)
class ComparedLearners(ComparedAverages):
    """Learners on the same folds, compared by a mean over folds.

    The variance of a pair uses the larger of its two variance factors, and the test of equality the
    largest factor of all learners.
    """

    measure: FoldMean

    @property
    def students_t(self) -> StudentsT:
        first = next(iter(self.samples.values())).by(self.measure.measure)
        assumed = FRESH if first.split is None else SEEN
        return StudentsT(OF_FOLDS, OF_FOLDS, OF_FOLDS, assumed, FOLDS_SOURCE, READS)

    @cached_property
    def variance_and_df(self) -> tuple[_FLOATS, _FLOATS]:
        variance, df = super().variance_and_df
        factors = np.array([each.factor(self.measure.measure) for each in self.samples.values()])
        return variance * factors[self.pair_places].max(axis=0) / factors.max(), df

    def certificates(self, question: Question) -> Certificates:  # noqa: ARG002
        return [Deferred(lambda: None)] * len(self.pairs())

    def described(self) -> dict[str, Any]:
        rows = [sample.rows for sample in self.samples.values()]
        return {"weighted": any(map(weighted, rows)), "clusters": clusters(rows[0])}

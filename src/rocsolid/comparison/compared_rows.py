"""Scores of rows with labels of two classes, on the same rows or on samples of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.certificate import certificates
from rocsolid.comparison.compared import Compared, Outcome, StudentsT
from rocsolid.comparison.equal_samples import equal_samples
from rocsolid.comparison.omnibus import hotelling_f
from rocsolid.comparison.question import Question
from rocsolid.comparison.shared_clusters import worth
from rocsolid.comparison.unseen import unseen
from rocsolid.inputs import BinaryRows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.scored import ScoredRows
from rocsolid.remarks.comparisons import FewClustersCompared, FewMisplaced, FewRowsCompared
from rocsolid.remarks.remark import Remark
from rocsolid.results import Estimate, Interval
from rocsolid.results.comparison import Difference, Omnibus
from rocsolid.results.each_once import each_once
from rocsolid.results.reads import CLUSTERS, COVARIANCE, WEIGHTS
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.covariation import Apart, Covariation
from rocsolid.summaries.disagreement import Disagreement, disagreement
from rocsolid.summaries.side_by_side import side_by_side

_FLOATS = NDArray[np.float64]
FEW_ROWS = 20
FEW_CLUSTERS = 30
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


@dataclass(frozen=True, eq=False)
class ComparedRows(Compared):
    """Estimates with the rows behind each.

    ``units`` are the numbers of independent rows or clusters behind each, ``smaller`` those of the
    smaller class, where they are known. Where an engine reduced the rows elsewhere there are none,
    and ``summaries`` of what they come to.
    """

    measure: BinaryMeasure
    estimates: dict[str, Any]
    rows: tuple[BinaryRows, ...]
    paired: bool
    spread: Covariation | None
    units: tuple[float, ...]
    smaller: tuple[float, ...] = ()
    summaries: tuple[BinarySummary, ...] = ()
    _disagreements: dict[int, Disagreement] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(
        cls,
        measure: BinaryMeasure,
        rows: dict[str, BinaryRows],
        estimates: dict[str, Estimate],
        paired: bool,
    ) -> ComparedRows:
        """With the variances that follow from each row's influence."""
        parts = tuple(rows.values())
        samples = [ScoredRows(part) for part in parts]
        if paired:
            spread = measure.spread(samples)
            if spread is None:
                return cls(measure, estimates, parts, True, None, (float("nan"),) * len(parts))
            units, smaller = ((each,) * len(parts) for each in (spread.units, spread.smaller))
            return cls(measure, estimates, parts, True, spread, units, smaller)
        half = len(parts) // 2
        first, second = side_by_side(
            lambda: [measure.spread([one]) for one in samples[:half]],
            lambda: [measure.spread([one]) for one in samples[half:]],
            sum(map(len, parts)),
        )
        spreads = [each for each in first + second if each is not None]
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
        return cls(measure, estimates, parts, False, apart, units, smaller)

    @property
    def students_t(self) -> StudentsT:
        if self.paired:
            return StudentsT("delong-t", "delong-t", "delong-t", PAIRED, T_SOURCE, READS)
        interval = "delong-t (unpaired)"
        return StudentsT("delong-t", "delong-t", interval, UNPAIRED, T_SOURCE, READS)

    @property
    def measure_name(self) -> str:
        return self.measure.name

    @property
    def span(self) -> float:
        return self.measure.span[1]

    @property
    def clusters(self) -> list[int | None]:
        """How many clusters the rows behind each estimate make, ``None`` where they make none."""
        if self.summaries:
            return [summary.clusters for summary in self.summaries]
        return list(map(clusters, self.rows))

    @property
    def weighted(self) -> bool:
        if self.summaries:
            return any(summary.weighted for summary in self.summaries)
        return any(map(weighted, self.rows))

    def described(self) -> dict[str, Any]:
        """What the settings of a result say about the rows."""
        clusters = self.clusters
        return {"weighted": self.weighted, "clusters": clusters[0] if self.paired else clusters}

    def disagreement(self, seed: int) -> Disagreement:
        """How often two scores disagree about a pair of rows: counted once for all levels."""
        if seed not in self._disagreements:
            scores = [part.score for part in self.rows]
            self._disagreements[seed] = disagreement(self.rows[0].positive, scores, seed)
        return self._disagreements[seed]

    def unseen(self) -> _FLOATS:
        """What rows that the sample does not show add to the covariance of whole AUCs."""
        covariance = self.known.covariance()
        if not (self.smaller and self.measure.pairwise):
            return np.zeros_like(covariance)
        return unseen(self.values, covariance, np.array(self.smaller))

    def certificates(self, question: Question) -> list[Interval | None]:
        return certificates(self, question)

    @property
    def redrawable(self) -> bool:
        """Independent samples have a test of their own that all are equal."""
        return self.paired

    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:
        if self.paired:
            return hotelling_f(self)
        return equal_samples(self, self._class_sizes(), question)

    def _class_sizes(self) -> _FLOATS:
        """The positives and negatives of each; of clusters, as if each of them said one thing."""
        sizes = []
        for place, estimate in enumerate(self.estimates.values()):
            size = None
            if not self.summaries:
                rows = self.rows[place]
                size = None if rows.cluster is None else worth(rows)
            elif (units := self.summaries[place].moments.units) is not None:
                size = units.effective
            sizes.append(size or (float(estimate.n_pos), float(estimate.n_neg)))
        return np.array(sizes)

    def doubts(self, outcome: Outcome, pairs: tuple[Difference, ...]) -> list[Remark]:  # noqa: ARG002
        """Where tests may not keep their level, and what the estimates say themselves."""
        return [*self._few_rows(), *few_clusters(self.clusters), *self._of_areas()]

    def _few_rows(self) -> list[Remark]:
        """Few rows of a class, or few of them misplaced."""
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
        """What estimates of partial and weighted areas say, such as of empty regions."""
        if self.measure.pairwise:
            return []
        warnings = ((name, text) for name, each in self.estimates.items() for text in each.warnings)
        return list(each_once(warnings))


def weighted(rows: BinaryRows) -> bool:
    """Whether some rows weigh more than others; equal weights weigh nothing."""
    return rows.weight is not None and bool(rows.weight.min() < rows.weight.max())


def clusters(rows: BinaryRows) -> int | None:
    """How many clusters the rows make, ``None`` where they make none."""
    return None if rows.cluster is None else int(rows.cluster.max()) + 1


def few_clusters(counts: list[int | None], certified: bool = True) -> list[Remark]:
    """The warning on too few clusters, where there are any."""
    fewest = min((count for count in counts if count is not None), default=FEW_CLUSTERS)
    if fewest >= FEW_CLUSTERS:
        return []
    return [FewClustersCompared(fewest, FEW_CLUSTERS, certified)]

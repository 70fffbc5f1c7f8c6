"""Values that are averages over units of another kind than two classes of rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.certificate import difference_of, level_of_each
from rocsolid.comparison.compared import Compared, Outcome, StudentsT
from rocsolid.comparison.compared_rows import PAIRED, READS, T_SOURCE, few_clusters
from rocsolid.comparison.omnibus import hotelling_f
from rocsolid.comparison.question import Question
from rocsolid.comparison.unseen import unseen
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval
from rocsolid.results.comparison import Difference, Omnibus
from rocsolid.summaries.covariation import Covariation


@dataclass(frozen=True, eq=False)
class ComparedAverages(Compared):
    """Concordances, or means over classes, of the same rows.

    ``certified`` gives the certified interval of each at a level. ``smaller`` are the sizes that
    `unseen` rows are reckoned from, where there are any.
    """

    measure: BinaryMeasure
    estimates: dict[str, Any]
    spread: Covariation
    certified: Callable[[float], list[Interval | None]]
    title: str
    smaller: tuple[float, ...] = ()
    clusters: int | None = None
    paired: bool = True

    @property
    def students_t(self) -> StudentsT:
        return StudentsT("delong-t", "delong-t", "delong-t", PAIRED, T_SOURCE, READS)

    @property
    def measure_name(self) -> str:
        return self.title

    @property
    def span(self) -> float:
        return self.measure.span[1]

    def unseen(self) -> NDArray[np.float64]:
        covariance = self.spread.covariance()
        if not self.smaller:
            return np.zeros_like(covariance)
        return unseen(self.values, covariance, np.array(self.smaller))

    def certificates(self, question: Question) -> list[Interval | None]:
        """Of two certified intervals, each at half the error."""
        own = self.certified(level_of_each(question))
        return [
            None if a is None or b is None else difference_of(a, b, question)
            for a, b in ((own[i], own[j]) for i, j in self.pairs())
        ]

    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:  # noqa: ARG002
        return hotelling_f(self)

    def doubts(self, outcome: Outcome, pairs: tuple[Difference, ...]) -> list[Remark]:  # noqa: ARG002
        return few_clusters([self.clusters], certified=False)

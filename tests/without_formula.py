"""A measure whose rows have no known influence."""

from __future__ import annotations

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.measures.binary_measure import ResampledMeasure
from rocsolid.summaries.score_counts import ScoreCounts


@dataclass(frozen=True, slots=True)
class Youden(ResampledMeasure):
    """The largest difference of the two rates."""

    @property
    def text(self) -> str:
        return "youden"

    @property
    def words(self) -> str:
        return "the largest difference of the two rates"

    @property
    def of_rows(self) -> bool:
        return False

    def value(self, table: ScoreCounts) -> float:
        gap = np.cumsum(table.neg) / table.neg.sum() - np.cumsum(table.pos) / table.pos.sum()
        return float(max(gap.max(), 0.0))

    def chance(self, table: ScoreCounts) -> float:  # noqa: ARG002
        return 0.0

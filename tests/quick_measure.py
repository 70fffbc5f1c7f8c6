"""A measure with estimates that have no intervals of their own, which take the time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.inputs import BinaryRows
from rocsolid.measures.binary_measure import BinaryMeasure, Scored
from rocsolid.results import Estimate, Interval
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.weighted_placements import WeightedPlacements


@dataclass(frozen=True)
class QuickMeasure(BinaryMeasure):
    inner: BinaryMeasure

    @property
    def text(self) -> str:
        return self.inner.text

    @property
    def words(self) -> str:
        return self.inner.words

    @property
    def pairwise(self) -> bool:
        return self.inner.pairwise

    @property
    def range(self) -> tuple[float, float]:
        return self.inner.range

    def influence(self, rows: BinaryRows) -> NDArray[np.float64] | None:
        return self.inner.influence(rows)

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float] | None:
        return self.inner.of_table(rows)

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        rows = scored.rows
        assert rows is not None
        of_table = self.of_table(rows)
        if of_table is None:
            value = WeightedPlacements.from_arrays(rows.positive, rows.score, rows.weight).auc
        else:
            value = of_table(ScoreCounts.from_arrays(rows.positive, rows.score, rows.weight))
        n_pos = int(rows.positive.sum())
        nothing = Interval(*self.range, options.level, "none", range=self.range)
        proven = nothing if self.pairwise else None
        return Estimate(value, nothing, proven, None, n_pos, len(rows) - n_pos, 0)

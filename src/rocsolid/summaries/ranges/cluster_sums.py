"""What each cluster adds to the placements, from rows in ascending order of their scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.moments import Moments
from rocsolid.summaries.ranges.cluster_pulls import ClusterInfluences
from rocsolid.summaries.score_counts import ScoreCounts


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSums:
    """An entry a cluster: its rows of either class, and the sums of their placements.

    ``pos`` and ``neg`` are numbers of rows, or sums of their weights; ``below`` sums over the
    positives of a cluster twice the negatives (weight of negatives) below each, plus what is tied
    with it, each times its own weight; ``under`` the same for its negatives among the positives.
    Integers where rows count alike. Entries of any two parts of the data may be added.
    """

    pos: NDArray[Any]
    neg: NDArray[Any]
    below: NDArray[Any]
    under: NDArray[Any]

    @classmethod
    def of(
        cls,
        table: ScoreCounts,
        run: NDArray[np.intp],
        cluster: NDArray[np.int64],
        pos: NDArray[Any],
        neg: NDArray[Any],
        clusters: int,
        *,
        pos_below: float = 0,
        neg_below: float = 0,
    ) -> ClusterSums:
        """From rows of a range: each row's entry in its ``table``, its cluster, and its counts.

        ``pos`` and ``neg`` are how many rows (how much weight) of either class a row stands for;
        ``pos_below`` and ``neg_below`` are the totals of all ranges below this one.

        >>> table = ScoreCounts(np.array([1.0, 2.0]), np.array([1, 1]), np.array([1, 1]))
        >>> run, one, zero = np.array([0, 0, 1, 1]), np.array([1, 0, 1, 0]), np.array([0, 1, 0, 1])
        >>> ClusterSums.of(table, run, np.array([0, 0, 1, 1]), one, zero, 2).below
        array([1, 3])
        """
        below = 2 * np.cumsum(table.neg) - table.neg + 2 * neg_below
        under = 2 * np.cumsum(table.pos) - table.pos + 2 * pos_below
        columns = (pos, neg, pos * below[run], neg * under[run])
        sums = []
        for column in columns:
            total = np.zeros(clusters, dtype=column.dtype)
            np.add.at(total, cluster, column)  # bincount would go through floats
            sums.append(total)
        return cls(*sums)

    def __add__(self, other: ClusterSums) -> ClusterSums:
        return ClusterSums(
            self.pos + other.pos,
            self.neg + other.neg,
            self.below + other.below,
            self.under + other.under,
        )

    def subset(self, clusters: NDArray[Any]) -> ClusterSums:
        """Some of the clusters."""
        return ClusterSums(
            self.pos[clusters], self.neg[clusters], self.below[clusters], self.under[clusters]
        )

    @property
    def moments(self) -> Moments:
        """Obuchowski's variance (1997): see `WeightedPlacements.clustered_moments`.

        >>> two = np.array([1, 1])
        >>> ClusterSums(two, two, np.array([2, 4]), np.array([0, 2])).moments.auc
        0.75
        """
        return self._influences.moments(self._whole[2])

    @property
    def squared_shares(self) -> float:
        """Σ(m_c/m + n_c/n)², for the certified interval."""
        return self._influences.shares

    @property
    def _influences(self) -> ClusterInfluences:
        return ClusterInfluences.of(self.pos, self.neg, self.below, self.under, self._whole)

    @property
    def _whole(self) -> tuple[float, float, float]:
        m, n = self.pos.sum(), self.neg.sum()
        return m, n, float(self.below.sum() / (2.0 * m * n))

"""What each cluster adds to the placements, from rows in ascending order of their scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.moments import Moments
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]


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

    @property
    def moments(self) -> Moments:
        """Obuchowski's variance (1997): see `WeightedPlacements.clustered_moments`.

        The pull of a cluster's positives is (below/2n − Â·pos)/m, that of its negatives
        (Â' ·neg − under/2m)/n with Â' = 1 − Â the mean placement from below.

        >>> two = np.array([1, 1])
        >>> ClusterSums(two, two, np.array([2, 4]), np.array([0, 2])).moments.auc
        0.75
        """
        m, n = self.pos.sum(), self.neg.sum()
        auc = float(self.below.sum() / (2.0 * m * n))
        pulls = (
            (self.below / (2.0 * n) - auc * self.pos) / m,
            ((1.0 - auc) * self.neg - self.under / (2.0 * m)) / n,
        )
        held = [float(np.count_nonzero(self.pos)), float(np.count_nonzero(self.neg))]
        parts = [
            count / (count - 1.0) * float(pull @ pull) if count > 1 else float("nan")
            for pull, count in zip(pulls, held, strict=True)
        ]
        size = len(self.pos)
        shared = size / (size - 1.0) * float(pulls[0] @ pulls[1]) if size > 1 else float("nan")
        return Moments(auc, parts[0] + shared, parts[1] + shared, held[0], held[1])

    @property
    def squared_shares(self) -> float:
        """Σ(m_c/m + n_c/n)², for the certified interval."""
        return float(((self.pos / self.pos.sum() + self.neg / self.neg.sum()) ** 2).sum())

"""Sums by cluster from a stream of ascending rows, with room for a tie of any length."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.ranges.cluster_sums import ClusterSums
from rocsolid.summaries.ranges.glued import out_of_order
from rocsolid.summaries.runs import run_begins

_INT64 = 1 << 63

BYTES = 100
"""What a cluster takes while rows go by."""


@dataclass(slots=True, eq=False)
class ClusterRuns:
    """What `ClusterSums` needs, added up batch by batch.

    The rows of the highest score so far wait, summed by cluster, until a higher score comes. So a
    tie that is longer than memory takes no more room than one entry per cluster.
    """

    sums: ClusterSums
    seen: NDArray[np.bool_]
    """Which clusters have a row, whatever it weighs."""

    _below: tuple[Any, Any] = (0, 0)
    _open: tuple[Any, NDArray[np.int64], NDArray[Any], NDArray[Any]] | None = field(default=None)

    @classmethod
    def empty(cls, clusters: int, pairs: int | None) -> ClusterRuns:
        """For codes from 0 on; of unweighted rows ``pairs`` is twice the number of pairs."""
        exact = pairs is not None and pairs < _INT64
        kind = np.int64 if exact else np.float64
        columns = [np.zeros(clusters, dtype=kind) for _ in range(4)]
        return cls(ClusterSums(*columns), np.zeros(clusters, dtype=np.bool_))

    def add(
        self,
        score: NDArray[Any],
        positive: NDArray[np.bool_],
        cluster: NDArray[np.int64],
        weight: NDArray[np.float64] | None = None,
    ) -> None:
        """Rows whose scores ascend, from where the last ones ended.

        >>> runs = ClusterRuns.empty(2, 8)
        >>> for at in (slice(0, 2), slice(2, 4)):
        ...     runs.add(np.array([1, 2, 2, 3])[at], np.array([False, True, False, True])[at],
        ...              np.array([0, 0, 1, 1])[at])
        >>> found = runs.finished()
        >>> found.below.tolist(), found.under.tolist()
        ([3, 4], [0, 1])
        """
        if len(score) == 0:
            return
        kind = self.sums.pos.dtype
        self.seen[cluster] = True
        each = np.ones(len(score), dtype=kind) if weight is None else weight
        pos, neg = np.where(positive, each, 0), np.where(positive, 0, each)
        if self._open is not None:
            last, *held = self._open
            if not score[0] >= last:  # nor is NaN in order
                raise out_of_order(last, score[0])
            of_held = np.full(len(held[0]), last, dtype=score.dtype)
            score = np.concatenate([of_held, score])
            cluster, pos, neg = (
                np.concatenate(both) for both in zip(held, (cluster, pos, neg), strict=True)
            )
        starts = np.flatnonzero(run_begins(score))
        end = int(starts[-1])
        self._close(starts[:-1], cluster[:end], pos[:end], neg[:end])
        held_code, at = np.unique(cluster[end:], return_inverse=True)
        held_pos, held_neg = np.zeros(len(held_code), kind), np.zeros(len(held_code), kind)
        np.add.at(held_pos, at, pos[end:])
        np.add.at(held_neg, at, neg[end:])
        self._open = score[end], held_code, held_pos, held_neg

    def finished(self) -> ClusterSums:
        """Of the clusters that have a row, after the last one."""
        if self._open is not None:
            _, code, pos, neg = self._open
            self._close(np.zeros(1, dtype=np.intp), code, pos, neg)
            self._open = None
        return self.sums.subset(self.seen)

    def _close(
        self, starts: NDArray[np.intp], code: NDArray[np.int64], pos: NDArray[Any],
        neg: NDArray[Any],
    ) -> None:  # fmt: skip
        """Whole runs of equal scores that lie above all that was closed before."""
        if len(code) == 0:
            return
        size = np.diff(starts, append=len(code))
        for own, other, count, doubled, before in (
            (pos, neg, self.sums.pos, self.sums.below, self._below[1]),
            (neg, pos, self.sums.neg, self.sums.under, self._below[0]),
        ):
            tied = np.add.reduceat(other, starts)
            through = np.cumsum(tied)
            placement = np.repeat(2 * before + 2 * through - tied, size)
            np.add.at(count, code, own)
            np.add.at(doubled, code, own * placement)
        self._below = self._below[0] + pos.sum(), self._below[1] + neg.sum()

"""Sums over rows that engines add up: along ranges of one score, or influences on several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.summaries.binary_summary import BinarySummary, Fingerprint
from rocsolid.summaries.moments import ClassWeights, Moments, allowing
from rocsolid.summaries.ranges.cluster_sums import ClusterInfluences
from rocsolid.summaries.ranges.range_placements import RangePlacements, RangeWeights
from rocsolid.summaries.summed_influences import SummedInfluences


@dataclass(frozen=True, slots=True)
class Weighted:
    """Sums over weighted rows.

    ``beyond`` is the weight of the rows that are heavier than every row of one class.
    """

    sums: RangeWeights
    pos: ClassWeights
    neg: ClassWeights
    beyond: float

    def then(self, following: Weighted) -> Weighted:
        return Weighted(
            self.sums.then(following.sums),
            self.pos + following.pos,
            self.neg + following.neg,
            self.beyond + following.beyond,
        )

    @property
    def even(self) -> bool:
        both = self.pos + self.neg
        return both.least == both.most

    @property
    def moments(self) -> Moments:
        return allowing(self.sums.moments, self.pos, self.neg, self.beyond)


def summary_of(
    counts: RangePlacements,
    fingerprint: Fingerprint,
    weights: Weighted | None,
    clusters: tuple[ClusterInfluences, float] | None,
    *,
    evened: bool,
) -> BinarySummary:
    """Build the summary of all rows; ``weights`` are given if they differ.

    ``clusters`` contains the influences of the clusters, and the AUC.
    """
    known = counts.n_pos, counts.n_neg, counts.ties
    if clusters is not None:
        influences, auc = clusters
        return BinarySummary(
            *known, influences.moments(auc), fingerprint, squared_shares=influences.shares,
            weighted=weights is not None, evened=evened, clusters=influences.clusters,
        )  # fmt: skip
    if weights is not None:
        shares = weights.sums.squared_shares
        return BinarySummary(
            *known, weights.moments, fingerprint, squared_shares=shares, weighted=True
        )
    whole = counts.placements
    return BinarySummary(
        *known, whole.moments, fingerprint, ratio=whole.ratio, board=counts.board, evened=evened
    )


Summed = tuple[tuple[int, int], SummedInfluences]
"""The number of rows in each class, and the sums of their influences on the scores."""


def summed_rows(batches: Iterable[Any], size: int) -> list[Summed]:
    """Sum record batches of rows with a class ``y`` and influences ``d0``, ``d1`` …"""

    def of_batch(batch: Any) -> Summed:
        positive = batch["y"].to_numpy() == 1
        moved = np.array([batch[f"d{i}"].to_numpy() for i in range(size)])
        some = SummedInfluences.of(moved[:, positive], moved[:, ~positive])
        return (int(some.trials[0]), int(some.trials[1])), some

    return added(of_batch(batch) for batch in batches if batch.num_rows)


def summed_clusters(batches: Iterable[Any], size: int) -> list[Summed]:
    """Sum record batches of clusters.

    ``positives`` and ``negatives`` count the rows of a cluster, ``u`` and ``v`` are the weights of
    its classes, and ``p0``, ``n0`` … are its influences on each score.
    """

    def of_batch(batch: Any) -> Summed:
        pos, neg = (
            np.array([batch[f"{side}{i}"].to_numpy() for i in range(size)]) for side in "pn"
        )
        weight = np.array([batch[name].to_numpy() for name in "uv"])
        rows = [int(batch[name].to_numpy().sum()) for name in ("positives", "negatives")]
        return (rows[0], rows[1]), SummedInfluences.of(pos, neg, weight)

    return added(of_batch(batch) for batch in batches if batch.num_rows)


def added(parts: Iterable[Summed]) -> list[Summed]:
    """Return the sum of the parts, or nothing if there are none."""
    whole: list[Summed] = []
    for (n_pos, n_neg), some in parts:
        for sizes, sums in whole:
            n_pos, n_neg, some = n_pos + sizes[0], n_neg + sizes[1], sums + some
        whole = [((n_pos, n_neg), some)]
    return whole

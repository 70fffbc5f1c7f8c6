"""Sums over rows of one score that add up along ascending ranges, and their summary."""

from __future__ import annotations

from rocsolid.dataclass import dataclass
from rocsolid.summaries.binary_summary import BinarySummary, Fingerprint
from rocsolid.summaries.moments import ClassWeights, Moments, allowing
from rocsolid.summaries.ranges.cluster_sums import ClusterInfluences
from rocsolid.summaries.ranges.range_placements import RangePlacements, RangeWeights


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

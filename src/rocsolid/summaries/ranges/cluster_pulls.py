"""What clusters add to the variance, from parts that each hold some clusters whole."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.moments import Moments
from rocsolid.summaries.units import Units, as_rare, carried

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterInfluences:
    """Sums over clusters; of parts of the clusters they add up.

    The influence of a cluster's positives is (below/2n − Â·pos)/m, that of its negatives
    (Â'·neg − under/2m)/n, with Â' = 1 − Â; ``pos``, ``neg`` and ``both`` sum the squares of the
    one, of the other, and the products. ``held_pos`` clusters have a positive that weighs
    anything, ``held_neg`` a negative. ``shares`` sums the squares of a cluster's share of the
    positives plus its share of the negatives. With u and v these two shares, ``even`` sums u², v²,
    u⁴, v⁴ and u²v², and ``lost`` the squares of what the positives and the negatives of a cluster
    add to 1 − Â and then of what they add to Â; see `Units`.
    """

    clusters: int = 0
    held_pos: int = 0
    held_neg: int = 0
    pos: float = 0.0
    neg: float = 0.0
    both: float = 0.0
    shares: float = 0.0
    even: _FLOATS = field(default_factory=lambda: np.zeros(5))
    lost: _FLOATS = field(default_factory=lambda: np.zeros(4))

    @classmethod
    def of(
        cls,
        pos: NDArray[Any],
        neg: NDArray[Any],
        below: NDArray[Any],
        under: NDArray[Any],
        whole: tuple[float, float, float],
    ) -> ClusterInfluences:
        """From an entry a cluster, as in `ClusterSums`, and m, n and the AUC of all clusters.

        >>> two = np.array([1, 1])
        >>> some = ClusterInfluences.of(two, two, np.array([2, 4]), np.array([0, 2]), (2, 2, 0.75))
        >>> some.pos, some.both, some.shares
        (0.03125, -0.03125, 2.0)
        """
        m, n, auc = whole
        of_pos = _beyond_rounding((below / (2.0 * n) - auc * pos) / m, pos / m)
        of_neg = _beyond_rounding(((1.0 - auc) * neg - under / (2.0 * m)) / n, neg / n)
        u, v, won, beaten = pos / m, neg / n, below / (2.0 * n * m), under / (2.0 * m * n)
        sides = ((pos - below / (2.0 * n)) / m, beaten, won, (neg - under / (2.0 * m)) / n)
        return cls(
            len(pos),
            int(np.count_nonzero(pos)),
            int(np.count_nonzero(neg)),
            float(of_pos @ of_pos),
            float(of_neg @ of_neg),
            float(of_pos @ of_neg),
            float(((u + v) ** 2).sum()),
            np.array([u @ u, v @ v, u**2 @ u**2, v**2 @ v**2, u**2 @ v**2]),
            np.array([side @ side for side in sides]),
        )

    def __add__(self, other: ClusterInfluences) -> ClusterInfluences:
        return ClusterInfluences(
            *(getattr(self, f.name) + getattr(other, f.name) for f in fields(ClusterInfluences))
        )

    def moments(self, auc: float) -> Moments:
        """Obuchowski's variance (1997): see `WeightedPlacements.clustered_moments`."""
        parts = [
            held / (held - 1.0) * total if held > 1 else float("nan")
            for held, total in ((self.held_pos, self.pos), (self.held_neg, self.neg))
        ]
        size = self.clusters
        shared = size / (size - 1.0) * self.both if size > 1 else float("nan")
        of_pos, of_neg, *fourths, both = self.even.tolist()
        pos, neg = (
            as_rare(carried((1.0 - auc, float(lost)), (auc, float(kept))), held)
            for lost, kept, held in zip(
                self.lost[:2], self.lost[2:], (self.held_pos, self.held_neg), strict=True
            )
        )
        units = Units(
            fourths[0] / of_pos**2, fourths[1] / of_neg**2, both / (of_pos * of_neg),
            min(pos, neg), effective=(1.0 / of_pos, 1.0 / of_neg),
        )  # fmt: skip
        return Moments(
            auc, parts[0] + shared, parts[1] + shared,
            float(self.held_pos), float(self.held_neg), units=units,
        )  # fmt: skip


def _beyond_rounding(found: NDArray[Any], share: NDArray[Any]) -> NDArray[Any]:
    """Zero where rounding alone is left, so that a constant score shows no variance."""
    return np.where(np.abs(found) > 1e-13 * share, found, 0.0)

"""What a range of scores of one segment comes down to, and how ranges are put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.engine import Key, Segment
from rocsolid.engines.scale import Scale
from rocsolid.engines.spark.partition import SortedKinds
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.class_weights import NO_WEIGHTS, ClassWeights, allowing
from rocsolid.summaries.fingerprint import Fingerprint
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.ranges.glued import out_of_order
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.ranges.range_weights import RangeWeights

_NONE = Fingerprint(1)


@dataclass(frozen=True, slots=True)
class Weighted:
    """The sums under weights, those of each class, and what rows ``beyond`` one class weigh."""

    sums: RangeWeights
    pos: ClassWeights
    neg: ClassWeights
    beyond: float

    @classmethod
    def of(cls, kinds: SortedKinds, weight: NDArray[np.float64], scale: Scale) -> Weighted:
        """From sorted rows of these weights."""
        beyond = 0.0
        if kinds.lighter is not None:
            heavier = weight > kinds.lighter
            beyond = float(weight[heavier] @ (kinds.pos + kinds.neg)[heavier])
        return cls(
            RangeWeights.of(*(kinds.weights(scale, power) for power in (1, 2, 4))),
            ClassWeights.of(weight, kinds.pos),
            ClassWeights.of(weight, kinds.neg),
            beyond,
        )

    def then(self, following: Weighted) -> Weighted:
        return Weighted(
            self.sums.then(following.sums),
            self.pos + following.pos,
            self.neg + following.neg,
            self.beyond + following.beyond,
        )

    @property
    def even(self) -> bool:
        """Whether all rows weigh the same."""
        both = self.pos + self.neg
        return both.least == both.most

    @property
    def moments(self) -> Moments:
        return allowing(self.sums.moments, self.pos, self.neg, self.beyond)


@dataclass(frozen=True, slots=True)
class ClusterPart:
    """What the clusters add: the variance, Σ of squared shares, and how many there are."""

    moments: Moments
    squared_shares: float
    clusters: int


@dataclass(frozen=True, slots=True)
class RangePart:
    """Sums over the rows from the score ``low`` to ``high``, and the rows without a score."""

    low: Any
    high: Any
    distinct: int
    gaps: int
    placements: RangePlacements
    fingerprint: Fingerprint
    weighted: Weighted | None = None

    @classmethod
    def of(cls, kinds: SortedKinds, scale: Scale) -> RangePart:
        """From sorted rows; ``scale`` gives the units of the weights of either class."""
        if not len(kinds.score):
            unit = None if kinds.weight is None else _NO_WEIGHT
            return cls(None, None, 0, kinds.gaps, RangePlacements(), _NONE, unit)
        table = kinds.counts()
        weighted = None if kinds.weight is None else Weighted.of(kinds, kinds.weight, scale)
        return cls(
            table.score[0].item(),
            table.score[-1].item(),
            len(table),
            kinds.gaps,
            RangePlacements.of(table),
            Fingerprint.of_counts(kinds.score, kinds.pos + kinds.neg),
            weighted,
        )

    def then(self, following: RangePart) -> RangePart:
        """With the next range of the same segment; ranges that overlap are an error."""
        if self.distinct and following.distinct and not self.high < following.low:
            raise out_of_order(self.high, following.low)
        weighted = None
        if self.weighted is not None and following.weighted is not None:
            weighted = self.weighted.then(following.weighted)
        return RangePart(
            self.low if self.distinct else following.low,
            following.high if following.distinct else self.high,
            self.distinct + following.distinct,
            self.gaps + following.gaps,
            self.placements.then(following.placements),
            self.fingerprint * following.fingerprint,
            weighted,
        )

    @property
    def even(self) -> bool:
        """Whether all rows weigh the same, so that weights say nothing."""
        return self.weighted is None or self.weighted.even

    @property
    def defined(self) -> bool:
        """Whether both classes have a row that weighs anything."""
        if self.placements.n_pos == 0 or self.placements.n_neg == 0:
            return False
        sums = None if self.weighted is None else self.weighted.sums
        return sums is None or (sums.pos.weight > 0 and sums.neg.weight > 0)

    def segment(self, key: Key, clusters: ClusterPart | None) -> Segment:
        """The segment that this is all of."""
        p = self.placements
        summary = self._summary(clusters) if self.defined else None
        return Segment(key, p.n_pos, p.n_neg, self.gaps, summary)

    def _summary(self, clusters: ClusterPart | None) -> BinarySummary:
        p = self.placements
        even = self.even or self.weighted is None
        evened = self.weighted is not None and self.weighted.even
        if clusters is not None:
            return BinarySummary(
                p.n_pos, p.n_neg, p.ties, clusters.moments, self.fingerprint,
                squared_shares=clusters.squared_shares, weighted=not even,
                evened=evened, clusters=clusters.clusters,
            )  # fmt: skip
        if even or self.weighted is None:
            whole = p.placements
            return BinarySummary(
                p.n_pos, p.n_neg, p.ties, whole.moments, self.fingerprint,
                ratio=whole.ratio, board=p.board, evened=evened,
            )  # fmt: skip
        return BinarySummary(
            p.n_pos, p.n_neg, p.ties, self.weighted.moments, self.fingerprint,
            squared_shares=self.weighted.sums.squared_shares, weighted=True,
        )  # fmt: skip


_NO_WEIGHT = Weighted(RangeWeights(), NO_WEIGHTS, NO_WEIGHTS, 0.0)

"""Simultaneous limits for the rates of the two classes, at the thresholds where they change."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.band import (
    RankBand,
    lower_band,
    pointwise_band,
    spread,
    upper_band,
)
from rocsolid.intervals.guarantees.rank_level import Side
from rocsolid.intervals.guarantees.roc_band import Limits, not_exceeded, reached
from rocsolid.results import Alternative
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.ranked_classes import RankedClasses

SOURCE = "Berk and Jones 1979 (bands with equal local levels), one for the rates of each class"


@dataclass(frozen=True, slots=True, eq=False)
class RateBox:
    """Limits for the true- and the false-positive rate, from the highest threshold to the lowest.

    The first entries are the limits above all scores. A limit that was not requested is 0 or 1.
    """

    tpr: Limits
    fpr: Limits

    @classmethod
    def of(
        cls,
        classes: SortedClasses | RankedClasses,
        share: float,
        alternative: Alternative,
        *,
        pointwise: bool = False,
    ) -> RateBox:
        """Build limits from bands that each fail with at most ``share``.

        A lower limit for a value that rises with more hits and fewer false alarms needs a lower
        band of the positives and an upper band of the negatives. ``pointwise`` limits lie within
        those of the bands.

        >>> classes = SortedClasses(np.sort(np.arange(100, 200) % 130), np.arange(100))
        >>> len(RateBox.of(classes, 0.01, "two-sided").tpr[0])
        131
        """
        down, up = alternative != "less", alternative != "greater"
        sides = [
            (
                ascending,
                _band(len(ascending), share, "lower", pointwise) if lower else None,
                _band(len(ascending), share, "upper", pointwise) if upper else None,
            )
            for ascending, lower, upper in ((classes.pos, down, up), (classes.neg, up, down))
        ]
        # a limit changes only at the score of a rank that its band knows: some hundreds of them
        ranked = [
            ascending[len(ascending) - band.ranks]
            for ascending, *bands in sides
            for band in bands
            if band is not None
        ]
        at = np.unique(np.concatenate(ranked))[::-1]
        tpr, fpr = (
            _limits(np.append(0, len(ascending) - ascending.searchsorted(at)), *bands)
            for ascending, *bands in sides
        )
        moves = np.logical_or.reduce([np.diff(edge) != 0.0 for edge in (*tpr, *fpr)])
        new = np.append(True, moves)
        return cls((tpr[0][new], tpr[1][new]), (fpr[0][new], fpr[1][new]))


def band_places(size: int) -> NDArray[np.int64]:
    """Return the ascending positions in a class of this size that its bands use."""
    return size - np.array(spread(size, 1, size)[::-1], dtype=np.int64)


def _band(rows: int, share: float, side: Side, pointwise: bool) -> RankBand:
    if pointwise:
        return pointwise_band(rows, share, side)
    return (lower_band if side == "lower" else upper_band)(rows, 0.0, 1.0, share)


def _limits(above: NDArray[np.int64], lower: RankBand | None, upper: RankBand | None) -> Limits:
    return (
        np.zeros(len(above)) if lower is None else reached(above, lower),
        np.ones(len(above)) if upper is None else not_exceeded(above, upper),
    )

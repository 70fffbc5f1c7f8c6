"""Simultaneous limits for the rates of the two classes, at the thresholds where they change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.band import lower_band, spread, upper_band
from rocsolid.intervals.guarantees.roc_band import Limits, at_least, at_most
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
        cls, classes: SortedClasses | RankedClasses, share: float, alternative: Alternative
    ) -> RateBox:
        """Build limits from bands that each fail with at most ``share``.

        A lower limit for a value that rises with more hits and fewer false alarms needs a lower
        band of the positives and an upper band of the negatives.

        >>> classes = SortedClasses(np.sort(np.arange(100, 200) % 130), np.arange(100))
        >>> len(RateBox.of(classes, 0.01, "two-sided").tpr[0])
        131
        """
        down, up = alternative != "less", alternative != "greater"
        sides = ((classes.pos, down, up), (classes.neg, up, down))
        # a limit changes only at the score of a rank that its band knows: some hundreds of them
        ranked = [
            ascending[len(ascending) - band(len(ascending), 0.0, 1.0, share).ranks]
            for ascending, *used in sides
            for band, requested in zip((lower_band, upper_band), used, strict=True)
            if requested
        ]
        at = np.unique(np.concatenate(ranked))[::-1]
        tpr, fpr = (
            _limits(np.append(0, len(side) - side.searchsorted(at)), len(side), share, *used)
            for side, *used in sides
        )
        moves = np.logical_or.reduce([np.diff(edge) != 0.0 for edge in (*tpr, *fpr)])
        new = np.append(True, moves)
        return cls((tpr[0][new], tpr[1][new]), (fpr[0][new], fpr[1][new]))


def band_places(size: int) -> NDArray[np.int64]:
    """Return the ascending positions in a class of this size that its bands use."""
    return size - np.array(spread(size, 1, size)[::-1], dtype=np.int64)


def _limits(above: NDArray[np.int64], rows: int, share: float, lower: bool, upper: bool) -> Limits:
    return (
        at_least(above, rows, share) if lower else np.zeros(len(above)),
        at_most(above, rows, share) if upper else np.ones(len(above)),
    )

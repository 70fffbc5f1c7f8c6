"""Limits for the rates of both classes at every threshold at once, where they change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.rate_limits import Limits, at_least, at_most
from rocsolid.results import Alternative
from rocsolid.summaries.score_counts import ScoreCounts

SOURCE = "Berk and Jones 1979 (bands with equal local levels), one for the rates of each class"


@dataclass(frozen=True, slots=True, eq=False)
class RateBox:
    """Limits for the true- and the false-positive rate, from the highest threshold to the lowest.

    The first are those above all scores. A limit on a side that is not asked for says nothing.
    """

    tpr: Limits
    fpr: Limits

    @classmethod
    def of(cls, counts: ScoreCounts, share: float, alternative: Alternative) -> RateBox:
        """Each band that is used fails with a chance of at most ``share``.

        A lower limit for what is better with more hits and fewer false alarms needs a lower band
        of the positives and an upper one of the negatives.

        >>> table = ScoreCounts.from_arrays(np.arange(200) >= 100, np.arange(200.0) % 130)
        >>> len(table), len(RateBox.of(table, 0.01, "two-sided").tpr[0])
        (130, 131)
        """
        hits, alarms = (np.append(0, np.cumsum(each[::-1])) for each in (counts.pos, counts.neg))
        down, up = alternative != "less", alternative != "greater"
        tpr = _limits(hits, share, down, up)
        fpr = _limits(alarms, share, up, down)
        moves = [np.diff(edge) != 0.0 for edge in (*tpr, *fpr)]
        new = np.append(True, np.logical_or.reduce(moves))
        return cls((tpr[0][new], tpr[1][new]), (fpr[0][new], fpr[1][new]))


def _limits(above: NDArray[np.int64], share: float, lower: bool, upper: bool) -> Limits:
    rows = int(above[-1])
    return (
        at_least(above, rows, share) if lower else np.zeros(len(above)),
        at_most(above, rows, share) if upper else np.ones(len(above)),
    )

"""Simultaneous bands: the whole ROC curve lies in them, except with a probability of 1 − level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.intervals.guarantees.rate_limits import Limits, jumps, rate_boxes
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
SOURCES = {
    "dkw": "Massart, Annals of Probability 18 (1990), 1269-1283, for the rates of each class "
    "(fixed-width bands: Campbell, Statistics in Medicine 13 (1994), 499-508)",
    "equal-local-levels": "Berk and Jones, Zeitschrift für Wahrscheinlichkeitstheorie 47 (1979), "
    "47-59, for the rates of each class",
}


def simultaneous_band(counts: ScoreCounts, kind: str, level: float = 0.95) -> RocBand:
    """A region that holds the whole curve, vertical steps and tied segments included.

    At every threshold the two true rates lie in a box, for all thresholds at once. The true curve
    runs through each of those boxes and never falls. To the right of a box it is therefore nowhere
    below the box's lower edge, and to the left nowhere above the upper edge. What no box forbids is
    the region; its edges are stairs. It holds the curve at ties as well, where the completed curve
    is a straight line between two such points; lines in place of stairs would be closer there.

    >>> table = ScoreCounts.from_arrays(np.arange(200) >= 100, np.arange(200.0) % 130)
    >>> print(simultaneous_band(table, "equal-local-levels").at(fpr=0.5))
    [0.1877, 0.8123] at 95 % (equal-local-levels)
    """
    check_level(level)
    m, n = int(counts.n_pos), int(counts.n_neg)
    hits, alarms = counts.corners
    if kind == "equal-local-levels":  # a few hundred boxes hold all others
        kept = [above.searchsorted(jumps(rows, level)) for above, rows in ((hits, m), (alarms, n))]
        some = np.unique(np.concatenate([[0], *kept]))
        hits, alarms = hits[some], alarms[some]
    tpr, fpr = rate_boxes(hits, alarms, (m, n), kind, level)
    across, low, high = _stairs(fpr, tpr)
    upward, left, right = _stairs(tpr, fpr)
    return RocBand(
        across, low, high, upward, left, right, level, kind, pointwise=False, source=SOURCES[kind]
    )


def _stairs(x: Limits, y: Limits) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
    """The largest lower edge of the boxes to the left of each x, the smallest upper of the others.

    Each place where either edge jumps is listed twice, with its values to the left and right of it.

    >>> x, y = (np.array([0.2]), np.array([0.4])), (np.array([0.5]), np.array([0.7]))
    >>> places, low, high = _stairs(x, y)
    >>> places.tolist(), low.tolist()
    ([0.0, 0.0, 0.2, 0.2, 0.4, 0.4, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5])
    >>> high.tolist()
    [0.7, 0.7, 0.7, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    up = np.argsort(x[1], kind="stable")
    ends, floor = x[1][up], np.append(0.0, np.maximum.accumulate(y[0][up]))
    down = np.argsort(x[0], kind="stable")
    starts = x[0][down]
    ceiling = np.append(np.minimum.accumulate(y[1][down][::-1])[::-1], 1.0)
    rises, falls = ends[floor[1:] > floor[:-1]], starts[ceiling[1:] > ceiling[:-1]]
    places = np.unique(np.concatenate([[0.0, 1.0], rises, falls]))
    before = floor[np.searchsorted(ends, places, side="left")]
    after = floor[np.searchsorted(ends, places, side="right")]
    # left of a place the boxes that start there still count, right of it they no longer do
    until = ceiling[np.searchsorted(starts, places, side="left")]
    beyond = ceiling[np.searchsorted(starts, places, side="right")]
    # there is nothing to the left of 0 and to the right of 1
    until[0], after[-1] = beyond[0], before[-1]
    return (
        np.repeat(places, 2),
        np.column_stack([before, after]).ravel(),
        np.column_stack([until, beyond]).ravel(),
    )

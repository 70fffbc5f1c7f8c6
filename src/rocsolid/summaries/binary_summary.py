"""A summary of one data set of labels and scores, whatever engine read it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import UnsoundError
from rocsolid.summaries.board import Board
from rocsolid.summaries.fingerprint import Fingerprint
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.sorted_classes import SortedClasses


@dataclass(frozen=True, slots=True, eq=False)
class BinarySummary:
    """Class sizes, moments and fingerprint of a binary score.

    ``ratio`` is the AUC as an exact fraction where rows are unweighted. ``classes`` are the sorted
    scores of independent, unweighted rows, where an engine keeps them; ``board`` is where the rows
    of the smaller class stand among the larger, if they are few. ``squared_shares`` is set
    for weighted or clustered rows: the sum over independent units of (share of the positives'
    weight + share of the negatives' weight)², which their certificates need. ``evened`` says that
    weights were given and all are equal: they weigh nothing, but the sample may lack a heavy row.
    """

    n_pos: int
    n_neg: int
    ties: int
    moments: Moments
    fingerprint: Fingerprint
    ratio: tuple[int, int] | None = None
    classes: SortedClasses | None = None
    board: Board | None = None
    squared_shares: float | None = None
    weighted: bool = False
    evened: bool = False
    clusters: int | None = None

    def smaller_placements(self) -> NDArray[np.float64]:
        """See `SortedClasses.smaller_placements`; only independent, unweighted rows have them."""
        if self.classes is None:
            raise UnsoundError(
                "placements are kept for independent rows of equal weight in memory only",
                fix="use a method that needs no more than the AUC and the class sizes",
            )
        return self.classes.smaller_placements()

    @property
    def auc(self) -> float:
        return float(np.asarray(self.moments.auc))

    @property
    def std_error(self) -> float | None:
        """DeLong's standard error (Obuchowski's for clusters); ``None`` for a class of one unit."""
        variance = float(np.asarray(self.moments.variance))
        return None if math.isnan(variance) else math.sqrt(max(variance, 0.0))

    @property
    def calibrated_moments(self) -> Moments:
        """The moments, with no more clusters that misplace rows than there are misplaced rows.

        So clusters of one row have the interval of independent rows.
        """
        units = self.moments.units
        if units is None or units.misplaced is None:
            return self.moments
        rows = min(self.n_pos, self.n_neg) * min(self.auc, 1.0 - self.auc)
        fewest = min(float(np.asarray(units.misplaced)), rows)
        return replace(self.moments, units=replace(units, misplaced=fewest))

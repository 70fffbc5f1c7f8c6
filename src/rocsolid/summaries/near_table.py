"""The counts of rows, or sums of their weights, by score near one place of a ranking."""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
_LEAST = -math.log(1e-24)


@dataclass(slots=True, eq=False)
class NearTable:
    """Counts by score of groups near a place; groups far below and far above are merged.

    A group is near if fewer than ``first`` to ``last`` rows are above it. ``under`` counts the
    positives and the negatives far below.
    """

    first: float
    last: float
    under: tuple[float, float] = (0.0, 0.0)
    parts: list[tuple[_FLOATS, _FLOATS]] = field(default_factory=list)

    @classmethod
    def about(cls, count: float, rows: float) -> NearTable:
        """The table around the place below the top ``count`` of ``rows``, for a certificate.

        Counts and shares are within √(L/2n) of their expectations (Hoeffding), with errors e^−L
        below any level divided by any number of segments. The table exceeds two such distances.
        """
        apart = 2.0 * math.sqrt(_LEAST * rows) + 2.0 * _LEAST
        return cls(count - apart, count + apart)

    def add(self, pos: _FLOATS, neg: _FLOATS, above: _FLOATS, upto: _FLOATS) -> None:
        """Add the next groups, which ascend, with the rows above each and through each."""
        kept, under = (upto >= self.first) & (above <= self.last), above > self.last
        self.under = (
            self.under[0] + float(pos[under].sum()),
            self.under[1] + float(neg[under].sum()),
        )
        self.parts.append((pos[kept], neg[kept]))

    def then(self, following: NearTable) -> None:
        self.under = self.under[0] + following.under[0], self.under[1] + following.under[1]
        self.parts += following.parts

    def table(self, pos: float, neg: float) -> ScoreCounts:
        """The table of a sample with so many rows, or sums of weights.

        Its scores are numbers in the same order.
        """
        sides = []
        for side, whole in enumerate((pos, neg)):
            kept = np.concatenate([part[side] for part in self.parts])
            over = max(whole - self.under[side] - float(kept.sum()), 0.0)  # sums are rounded
            sides.append(np.concatenate([[self.under[side]], kept, [over]]))
        held = np.flatnonzero(sides[0] + sides[1])
        counts = [  # sums of weights may be fractions
            side[held].astype(np.int64) if np.array_equal(side, np.floor(side)) else side[held]
            for side in sides
        ]
        return ScoreCounts(held, counts[0], counts[1])

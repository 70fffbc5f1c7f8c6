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
_STEPS, _RATIO = 200, 1.05  # 200 steps reach 17,000 times as far as a group that is near


@dataclass(slots=True, eq=False)
class NearTable:
    """Counts by score of groups near a place; groups far below and far above are merged.

    A group is near if fewer than ``first`` to ``last`` rows are above it. ``far`` counts the
    positives and the negatives below and above these, in steps of which each reaches 1.05 times as
    far from the place as the one before.
    """

    first: float
    last: float
    parts: list[tuple[_FLOATS, _FLOATS]] = field(default_factory=list)
    far: _FLOATS | None = None

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
        near = self.count_far(pos, neg, above, upto)
        self.parts.append((pos[near], neg[near]))

    def count_far(self, pos: _FLOATS, neg: _FLOATS, above: _FLOATS, upto: _FLOATS) -> slice:
        """Count the groups that are not near, and return the place of those that are."""
        start = int(np.count_nonzero(above > self.last))
        stop = len(upto) - int(np.count_nonzero(upto < self.first))
        if start or stop < len(upto):
            far = np.zeros((2, 2, _STEPS))
            self._add_far(
                far[0], above[:start][::-1] - self.last, pos[:start][::-1], neg[:start][::-1]
            )
            self._add_far(far[1], self.first - upto[stop:], pos[stop:], neg[stop:])
            self._join(far)
        return slice(start, stop)

    def _add_far(self, far: _FLOATS, beyond: _FLOATS, pos: _FLOATS, neg: _FLOATS) -> None:
        """Sum by step the groups on one side, by rising distance from the near groups."""
        reach = 0.5 * (self.last - self.first)
        ends = reach * np.expm1(math.log(_RATIO) * np.arange(1, _STEPS))
        starts = np.append(0, beyond.searchsorted(ends))
        held = np.diff(starts, append=len(beyond)) > 0  # `reduceat` has no empty sums
        for of_class, rows in enumerate((pos, neg)):
            far[of_class, held] = np.add.reduceat(rows, starts[held])

    def then(self, following: NearTable) -> None:
        self._join(following.far)
        self.parts += following.parts

    def _join(self, far: _FLOATS | None) -> None:
        if far is not None:
            self.far = far if self.far is None else self.far + far

    def table(self) -> ScoreCounts:
        """The table; its scores are numbers in the same order."""
        sides = []
        far = np.zeros((2, 2, 0)) if self.far is None else self.far
        for of_class in range(2):
            kept = (part[of_class] for part in self.parts)
            below, beyond = far[:, of_class]
            sides.append(np.concatenate([below[::-1], *kept, beyond]))
        held = np.flatnonzero(sides[0] + sides[1])
        counts = [  # sums of weights may be fractions
            side[held].astype(np.int64) if np.array_equal(side, np.floor(side)) else side[held]
            for side in sides
        ]
        return ScoreCounts(held, counts[0], counts[1])

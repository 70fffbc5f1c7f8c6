"""Random or all signs for the queries: the one reference set of the sign-flip tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.question import Question
from rocsolid.comparison.systems import Systems
from rocsolid.intervals.means.tail import SAME
from rocsolid.results import Alternative
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
EXACT = 20
"""Up to so many queries all 2^Q sign vectors are gone through."""
_CELLS = 1 << 22  # signs drawn together
_WORK = 1 << 28  # comparisons that going through all sign vectors may cost


@dataclass(frozen=True, slots=True, eq=False)
class Flips:
    """Σ_q ε_q x_q for sign vectors ε and each system, and Σ_q ε_q; the first ε is all +.

    A pair's Σ ε_q (x_q − y_q) is the difference of two of the sums, so that one set of signs, the
    same for all pairs, serves them all and keeps their joint distribution. Every vector stands for
    its mirror image too. When ``exact`` the vectors are all those whose first sign is +, so that
    with their mirror images they are all there are; otherwise they are drawn with a seed. Then too
    the share of vectors that are as extreme as the first is a valid p-value, as the first and the
    drawn ones are exchangeable under the null: it is (b+1)/(B+1). ``rounding`` is, for each system,
    the distance below which two sums count as equal.
    """

    sums: _FLOATS
    signs: _FLOATS
    rounding: _FLOATS
    exact: bool

    @classmethod
    def of(cls, systems: Systems, question: Question) -> Flips:
        """All sign vectors where they are few, else as many as requested beside the first."""
        values, size = systems.matrix, systems.queries[0]
        exact = size <= EXACT and len(systems.pairs()) << size <= _WORK
        count = 1 << (size - 1) if exact else question.resamples + 1
        sums, signs = np.empty((count, len(values))), np.empty(count)
        many = max(1, _CELLS // size)
        for start in range(0, count, many):
            rows = np.arange(start, min(start + many, count))
            if exact:
                turned = rows[:, None] >> np.arange(size) & 1
            else:
                turned = stream(question.seed, 1, start).integers(
                    2, size=(len(rows), size), dtype=np.int8
                )
                turned[rows == 0] = 0
            flipped = 1.0 - 2.0 * turned
            sums[rows], signs[rows] = flipped @ values.T, flipped.sum(axis=1)
        return cls(sums, signs, SAME * np.abs(values).sum(axis=1), exact)

    @property
    def least_p(self) -> float:
        """The smallest two-sided p-value there is; a one-sided one may be half of it."""
        return 1.0 / len(self.signs)

    def of_pair(self, i: int, j: int, null: float) -> _FLOATS:
        """Σ ε_q(d_q − null) for each vector."""
        return self.sums[:, i] - self.sums[:, j] - null * self.signs

    def p_value(self, i: int, j: int, null: float, alternative: Alternative) -> float:
        """The share of vectors and mirror images whose sum is as extreme as the first one's."""
        sums, slack = self.of_pair(i, j, null), float(self.rounding[i] + self.rounding[j])
        if alternative == "two-sided":
            return float(np.mean(np.abs(sums) >= abs(sums[0]) - slack))
        side = 1.0 if alternative == "greater" else -1.0
        reached = side * sums[0] - slack
        return float(np.mean(side * sums >= reached) + np.mean(-side * sums >= reached)) / 2.0

"""How concordances of the same rows vary together: the influence of each row or cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.covariation import Covariation
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.pair_counts import ConcordantCounts
from rocsolid.summaries.parts import Parts
from rocsolid.summaries.strata import Stratum
from rocsolid.summaries.units import Units, as_rare, carriers

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeSpread(Covariation):
    """Each unit's influence on each concordance, a row a score, and its share of the pairs.

    With D_i the weight of the pairs of row i with different outcomes, N_i that of those among them
    that are ordered right (ties half) and T = Σw_iD_i, Ĉ = Σw_iN_i/T and row i has the influence
    p_i = 2w_i(N_i − ĈD_i)/T. It takes part in the share h_i = 2w_iD_i/T of the pairs, and without
    it Ĉ would be Ĉ − p_i/(1 − h_i). The variance is Σp_i²/(1 − h_i): for two outcomes that is
    DeLong's, to the last digit, as h_i is 1/m for a positive and 1/n for a negative. The rows of a
    cluster count as one, and no more of them misplace rows than rows are misplaced.
    """

    values: _FLOATS
    influences: _FLOATS
    shares: _FLOATS
    misplaced_rows: tuple[float, ...] | None = None

    @classmethod
    def of(
        cls,
        counts: Sequence[ConcordantCounts],
        weight: _FLOATS | None,
        cluster: NDArray[np.int64] | None,
    ) -> OutcomeSpread:
        """From the counts for each score, which go with the same outcomes.

        >>> spread = OutcomeSpread.of(
        ...     [ConcordantCounts.of(np.array([0, 0, 1, 1]), np.array([0, 2, 1, 3]))], None, None)
        >>> spread.covariance()
        array([[0.125]])
        """
        comparable = counts[0].comparable if weight is None else weight * counts[0].comparable
        shares = 2.0 * comparable / comparable.sum()
        values, influences = [], []
        for one in counts:
            right = one.right + 0.5 * one.tied
            right = right if weight is None else weight * right
            values.append(right.sum() / comparable.sum())
            influences.append(2.0 * (right - values[-1] * comparable) / comparable.sum())
        rows = cls(np.array(values), np.stack(influences), shares)
        if cluster is None:
            return rows
        return cls(
            rows.values,
            np.stack([np.bincount(cluster, influence) for influence in influences]),
            np.bincount(cluster, shares).astype(np.float64),
            tuple(rows.misplaced(i) for i in range(len(influences))),
        )

    def covariance(self) -> _FLOATS:
        return self._of(self.influences)

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences, each the i-th value less the j-th."""
        i, j = (list(side) for side in zip(*pairs, strict=True))
        return Parts((self._of(self.influences[i] - self.influences[j]),), (self.df,))

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """All units: each outcome's share of the rows is random too."""
        return (Stratum.of_all(self.influences),)

    @property
    def largest(self) -> _FLOATS:
        return np.asarray(np.abs(self.influences).max(axis=1))

    def _of(self, influences: _FLOATS) -> _FLOATS:
        rest = 1.0 - self.shares
        if rest.min() < 1e-12:  # all pairs have one unit in common: nothing shows how they vary
            return np.full((len(influences), len(influences)), np.nan)
        return np.asarray((influences / rest) @ influences.T)

    @property
    def size(self) -> float:
        """The units of two classes of equal size that would share out the pairs like this: 2/Σh².

        It is n/2 for n rows of different outcomes, m for m rows of each of two outcomes.
        """
        return float(2.0 / (self.shares @ self.shares))

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom, with units that vary like their shares of pairs.

        It is n − 1 for n rows of different outcomes.
        """
        return float(self._units.df(0.5))

    @property
    def _units(self) -> Units:
        squares = self.shares**2 / (self.shares @ self.shares)
        even = float(squares @ squares)
        return Units(even, even, even)

    def misplaced(self, i: int) -> float:
        """How many units misplace a row by a score: a quarter of those that carry what is lost.

        A row at the wrong end loses all its pairs, and every other row the one with it: by the
        measure of `carriers` these are four times as many as there are such rows. Clusters may all
        lose alike (`as_rare`), and each counts with both rows of its pairs.
        """
        kept = self.influences[i] + self.values[i] * self.shares
        carrying = carriers(self.shares - kept, kept)
        if self.misplaced_rows is None:
            return carrying / 4.0
        count = float(np.count_nonzero(self.shares))
        return min(as_rare(carrying, count, times=4.0), self.misplaced_rows[i])

    def sizes(self) -> list[float]:
        """For each score the ``size``, or that of which ``misplaced`` is the share 1 − Ĉ (or Ĉ)."""
        lost = np.minimum(self.values, 1.0 - self.values)
        return [
            self.size if part == 0.0 else max(self.size, self.misplaced(i) / float(part))
            for i, part in enumerate(lost)
        ]

    def moments(self) -> Moments:
        """What the calibrated intervals of an AUC take, for the first score."""
        half, size = 0.5 * float(self.covariance()[0, 0]), self.size
        units = replace(self._units, misplaced=self.misplaced(0))
        return Moments(float(self.values[0]), half, half, size, size, units=units)

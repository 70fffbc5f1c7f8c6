"""How the concordances of scores with an outcome vary together, from rows or from their sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.moments import Moments, Units, as_rare, carriers
from rocsolid.summaries.pair_counts import ConcordantCounts
from rocsolid.summaries.products import dot, products
from rocsolid.summaries.strata import Covariation, Parts, Stratum
from rocsolid.summaries.summed_influences import joint, joint_apart

_FLOATS = NDArray[np.float64]
ROUNDED = 1e-12
"""An influence of so small a part of the pairs of a row is the rounding of sums of weights."""
ALL_PAIRS = 1e-12
"""If the other units have fewer pairs, all pairs share a unit, and the variance is unknown."""


def settled(value: float) -> float:
    """Return 0, ½ or 1 for a ratio of sums of weights that differs from it by rounding."""
    end = round(2.0 * value) / 2.0
    return end if abs(value - end) <= ROUNDED else value


@dataclass(frozen=True, slots=True)
class PairShares:
    """The shares of units in the pairs: their number, ΣhΣh/Σh², Σh², and Σh⁴/(Σh²)²."""

    units: int
    effective: float
    squares: float
    fourths: float

    @classmethod
    def of(cls, shares: _FLOATS) -> PairShares:
        squares = dot(shares, shares)
        parts = shares**2 / squares
        return cls(len(shares), float(shares.sum()) ** 2 / squares, squares, dot(parts, parts))


class OutcomeVariation(Covariation):
    """The joint variation of concordances; see `OutcomeSpread` for its terms.

    ``of_pairs`` has the shares of units in the pairs, and ``misplaced`` the number of units with a
    row that each score misplaces.
    """

    __slots__ = ()

    values: _FLOATS
    of_pairs: PairShares
    misplaced: tuple[float, ...]

    unknown: ClassVar[str] = (
        "one row or cluster is part of so many pairs that the others do not show the variance"
    )
    instead: ClassVar[str] = "compare the scores within this cluster and without it"

    @property
    def size(self) -> float:
        """The size of two equal classes that would distribute the pairs alike: 2/Σh².

        The size is n/2 for n rows with distinct outcomes, and m for two outcomes of m rows each.
        """
        return 2.0 / self.of_pairs.squares

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom: n − 1 for n rows with distinct outcomes."""
        return float(self._units.df(0.5))

    @property
    def _units(self) -> Units:
        even = self.of_pairs.fourths
        return Units(even, even, even)

    def sizes(self) -> list[float]:
        """Return, for each score, ``size``, or the size of which ``misplaced`` is the share 1 − Ĉ
        (or Ĉ).
        """
        lost = np.minimum(self.values, 1.0 - self.values)
        return [
            self.size if part == 0.0 else max(self.size, self.misplaced[i] / float(part))
            for i, part in enumerate(lost)
        ]

    def moments(self) -> Moments:
        """The moments of the first score for the calibrated intervals of an AUC."""
        half, size = 0.5 * float(self.covariance()[0, 0]), self.size
        units = replace(self._units, misplaced=self.misplaced[0])
        return Moments(float(self.values[0]), half, half, size, size, units=units)


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeSpread(OutcomeVariation):
    """Each unit's influence on each concordance, one line per score, and its share of the pairs.

    D_i is the weight of the pairs of row i with different outcomes, N_i that of its pairs in the
    right order (ties half), and T = Σw_iD_i. Then Ĉ = Σw_iN_i/T; row i has the influence p_i =
    2w_i(N_i − ĈD_i)/T and the share h_i = 2w_iD_i/T of the pairs, and without it Ĉ would be Ĉ −
    p_i/(1 − h_i). The variance is Σp_i²/(1 − h_i), which for two outcomes equals DeLong's. The rows
    of a cluster are one unit.
    """

    values: _FLOATS
    of_pairs: PairShares
    misplaced: tuple[float, ...]
    influences: _FLOATS
    shares: _FLOATS

    @classmethod
    def of(
        cls,
        counts: Sequence[ConcordantCounts],
        weight: _FLOATS | None,
        cluster: NDArray[np.int64] | None,
    ) -> OutcomeSpread:
        """Build from the counts of each score for the same outcomes.

        >>> spread = OutcomeSpread.of(
        ...     [ConcordantCounts.of(np.array([0, 0, 1, 1]), np.array([0, 2, 1, 3]))], None, None)
        >>> spread.covariance()
        array([[0.125]])
        """
        comparable = counts[0].comparable if weight is None else weight * counts[0].comparable
        shares = 2.0 * comparable / comparable.sum()
        values, influences = [], []
        for of_score in counts:
            right = of_score.right + 0.5 * of_score.tied
            right = right if weight is None else weight * right
            value = right.sum() / comparable.sum()
            value = value if weight is None else settled(value)
            off = right - value * comparable
            if weight is not None:
                off[np.abs(off) <= ROUNDED * comparable] = 0.0
            values.append(value)
            influences.append(2.0 * off / comparable.sum())
        moved, carrying = np.stack(influences), _carriers(influences, values, shares)
        rare = misplaced(carrying)
        if cluster is not None:
            moved = np.stack([np.bincount(cluster, influence) for influence in influences])
            shares = np.bincount(cluster, shares).astype(np.float64)
            of_clusters = _carriers(moved, values, shares)
            rare = misplaced(carrying, of_clusters, float(np.count_nonzero(shares)))
        return cls(np.array(values), PairShares.of(shares), rare, moved, shares)

    def covariance(self) -> _FLOATS:
        return self._of(self.influences)

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences of the i-th and the j-th value."""
        i, j = (list(side) for side in zip(*pairs, strict=True))
        return Parts((self._of(self.influences[i] - self.influences[j]),), (self.df,))

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """All units as one stratum, because the shares of outcomes are random too."""
        return (Stratum.of_all(self.influences),)

    @property
    def largest(self) -> _FLOATS:
        return np.asarray(np.abs(self.influences).max(axis=1))

    def _of(self, influences: _FLOATS) -> _FLOATS:
        rest = 1.0 - self.shares
        if rest.min() < ALL_PAIRS:
            return np.full((len(influences), len(influences)), np.nan)
        return products(influences / rest, influences)


def _carriers(
    influences: Iterable[_FLOATS], values: Iterable[float], shares: _FLOATS
) -> list[float]:
    """`carriers` of each score: a unit keeps p + Ĉh of its share h, and loses the rest."""
    each = (moved + value * shares for moved, value in zip(influences, values, strict=True))
    return [carriers(shares - kept, kept) for kept in each]


def misplaced(
    rows: list[float], clusters: list[float] | None = None, count: float = 0.0
) -> tuple[float, ...]:
    """The number of units with a misplaced row: a quarter of `carriers`.

    A row at the wrong end loses all its pairs, and every other row loses its pair with that row.
    The ``count`` clusters with pairs may all lose equally (`as_rare`).
    """
    if clusters is None:
        return tuple(of_rows / 4.0 for of_rows in rows)
    return tuple(
        min(as_rare(of_clusters, count, times=4.0), of_rows / 4.0)
        for of_clusters, of_rows in zip(clusters, rows, strict=True)
    )


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeSums(OutcomeVariation):
    """What `OutcomeSpread` says of rows that stay elsewhere, from sums over its units.

    ``own`` has Σp²/(1 − h) of each score, and ``differences`` the same sum for differences of two;
    both are NaN if a unit has all pairs. ``most`` are the largest influences.
    """

    values: _FLOATS
    of_pairs: PairShares
    misplaced: tuple[float, ...]
    own: _FLOATS
    differences: _FLOATS
    most: _FLOATS

    def covariance(self) -> _FLOATS:
        return joint(self.own, self.differences)

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        return Parts((joint_apart(self.differences, pairs),), (self.df,))

    @property
    def largest(self) -> _FLOATS:
        return self.most

    def only(self, *at: int) -> OutcomeSums:
        some = list(at)
        return OutcomeSums(
            self.values[some], self.of_pairs, tuple(self.misplaced[i] for i in some),
            self.own[some], self.differences[np.ix_(some, some)], self.most[some],
        )  # fmt: skip

"""How values vary together that are sums of means over strata: means of queries, class averages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.covariation import Covariation
from rocsolid.summaries.parts import PairParts, Parts
from rocsolid.summaries.strata import Stratum, blocks_of

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class StrataSpread(Covariation):
    """How values vary together that are sums of means: of each class of rows, or of queries.

    The covariance is Σ n/(n − 1)·I Iᵀ over strata of n units with influences I.

    >>> spread = StrataSpread((Stratum.of_means(np.array([[0.0, 1.0, 2.0], [1.0, 1.0, 4.0]])),))
    >>> spread.covariance()
    array([[0.333..., 0.5       ],
           [0.5       , 1.        ]])
    """

    of: tuple[Stratum, ...]

    @property
    def strata(self) -> tuple[Stratum, ...]:
        return self.of

    @property
    def values(self) -> int:
        return 1 + max(max(stratum.at) for stratum in self.of)

    @property
    def largest(self) -> _FLOATS:
        """The largest influence of a unit on each value, whatever its sign."""
        out = np.zeros(self.values)
        for stratum in self.of:
            at = list(stratum.at)
            out[at] = np.maximum(out[at], np.abs(stratum.influence).max(axis=1))
        return out

    def covariance(self) -> _FLOATS:
        total = np.zeros((self.values, self.values))
        for stratum in self.of:
            total[np.ix_(stratum.at, stratum.at)] += _covariance(stratum.influence)
        return total

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences, each the i-th value less the j-th, stratum by stratum."""
        parts = []
        for stratum in self.of:
            moved, influence = stratum.differences(np.array(pairs).T)
            part = np.zeros((len(pairs), len(pairs)))
            part[np.ix_(moved, moved)] = _covariance(influence)
            parts.append(part)
        return Parts(tuple(parts), tuple(stratum.units - 1.0 for stratum in self.of))

    def each(self, pairs: NDArray[np.intp]) -> PairParts:
        """The variance of each difference by itself."""
        variances = np.zeros((len(self.of), pairs.shape[1]))
        for row, stratum in zip(variances, self.of, strict=True):
            for some in blocks_of(pairs, stratum.units):
                moved, influence = stratum.differences(pairs[:, some])
                row[some.start + moved] = _factor(stratum.units) * np.einsum(
                    "ij,ij->i", influence, influence
                )
        return PairParts(variances, np.array([[one.units - 1.0] for one in self.of]))


def _covariance(influence: _FLOATS) -> _FLOATS:
    return np.asarray(_factor(influence.shape[1]) * (influence @ influence.T))


def _factor(units: int) -> float:
    """n/(n − 1); one unit shows no spread."""
    return units / (units - 1.0) if units > 1 else float("nan")

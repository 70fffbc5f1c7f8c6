"""How estimates vary together: by formula or by resampling, on the same rows or on others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.parts import PairParts, Parts
from rocsolid.summaries.strata import Stratum

_FLOATS = NDArray[np.float64]


class Covariation(ABC):
    """How estimates vary together, by whatever method.

    ``strata`` are the influences of independent units, empty where they are not known one by one.
    """

    __slots__ = ()

    @abstractmethod
    def covariance(self) -> _FLOATS: ...

    @abstractmethod
    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences, each the i-th estimate less the j-th, by its parts."""

    def each(self, pairs: NDArray[np.intp]) -> PairParts:
        """The variance of each difference by itself."""
        return PairParts.of([self.apart([(i, j)]) for i, j in pairs.T.tolist()])

    @property
    def strata(self) -> tuple[Stratum, ...]:
        return ()

    @property
    def largest(self) -> _FLOATS | None:
        """The largest influence that a unit can have on each estimate, where that is known."""
        return None

    def sizes(self) -> Sequence[float]:
        """How many units of the rarer kind each value rests on, where unseen ones may matter."""
        return ()


@dataclass(frozen=True, slots=True)
class Chosen(Covariation):
    """Some of several estimates, by their positions."""

    spread: Covariation
    at: tuple[int, ...]

    def covariance(self) -> _FLOATS:
        return self.spread.covariance()[np.ix_(self.at, self.at)]

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        return self.spread.apart([(self.at[i], self.at[j]) for i, j in pairs])

    @property
    def largest(self) -> _FLOATS | None:
        largest = self.spread.largest
        return None if largest is None else largest[list(self.at)]


@dataclass(frozen=True, slots=True)
class Apart(Covariation):
    """Independent estimates: their variances, each on ``df`` degrees of freedom.

    ``units`` are the strata of each, where they are known, and ``most`` the largest influence of a
    unit on each.

    >>> Apart((1.0, 2.0), (9.0, 9.0)).apart([(0, 1)]).total
    array([[3.]])
    """

    variances: tuple[float, ...]
    df: tuple[float, ...]
    units: tuple[tuple[Stratum, ...], ...] = ()
    most: tuple[float, ...] = ()

    def covariance(self) -> _FLOATS:
        return np.diag(self.variances)

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        sign = np.zeros((len(pairs), len(self.variances)))
        for row, (i, j) in zip(sign, pairs, strict=True):
            row[i], row[j] = 1.0, -1.0
        used = np.flatnonzero(sign.any(axis=0))
        return Parts(
            tuple(self.variances[at] * np.outer(sign[:, at], sign[:, at]) for at in used),
            tuple(self.df[at] for at in used),
        )

    @property
    def strata(self) -> tuple[Stratum, ...]:
        return tuple(
            Stratum(stratum.influence, (at,))
            for at, own in enumerate(self.units)
            for stratum in own
        )

    @property
    def largest(self) -> _FLOATS | None:
        return np.array(self.most) if self.most else None


@dataclass(frozen=True, slots=True, eq=False)
class Replicated(Covariation):
    """Estimates of the same resamples, a column a model: their sample covariance.

    ``df`` is one less than the units of the smaller class that was resampled.

    >>> Replicated(np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]), 9.0).covariance()
    array([[1., 0.],
           [0., 0.]])
    """

    values: _FLOATS
    df: float

    def covariance(self) -> _FLOATS:
        return _sample_covariance(self.values)

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        i, j = (list(side) for side in zip(*pairs, strict=True))
        covariance = _sample_covariance(self.values[:, i] - self.values[:, j])
        return Parts((covariance,), (self.df,))


def _sample_covariance(values: _FLOATS) -> _FLOATS:
    centred = values - values.mean(axis=0)
    return np.asarray(centred.T @ centred / (len(values) - 1.0))

"""How estimates vary together: by formula or by resampling, on the same rows or on others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.spread import skewness

_FLOATS = NDArray[np.float64]


class Covariation(Protocol):
    """How estimates vary together, however that was found."""

    def covariance(self) -> _FLOATS: ...

    def of_difference(self, i: int, j: int) -> float:
        """The variance of the i-th estimate less the j-th."""

    def against_first(self) -> _FLOATS:
        """The covariance of each estimate's difference from the first."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Independent estimates with their own variances, and sums of the cubes of their units' pulls.

    >>> Apart((1.0, 2.0), (0.0, 0.0)).of_difference(0, 1)
    3.0
    """

    variances: tuple[float, ...]
    cubes: tuple[float, ...]

    def covariance(self) -> _FLOATS:
        return np.diag(self.variances)

    def of_difference(self, i: int, j: int) -> float:
        return self.variances[i] + self.variances[j]

    def against_first(self) -> _FLOATS:
        return np.asarray(np.diag(self.variances[1:]) + self.variances[0])

    def skewness(self, i: int, j: int) -> float:
        """As `Spread.skewness`: the units of the j-th pull the other way."""
        return skewness(self.cubes[i] - self.cubes[j], self.of_difference(i, j))


@dataclass(frozen=True, slots=True, eq=False)
class Replicated:
    """Estimates of the same resamples, a column a model: their sample covariance.

    >>> Replicated(np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])).covariance()
    array([[1., 0.],
           [0., 0.]])
    """

    values: _FLOATS

    def covariance(self) -> _FLOATS:
        return _sample_covariance(self.values)

    def of_difference(self, i: int, j: int) -> float:
        return float(_sample_covariance(self.values[:, [i]] - self.values[:, [j]])[0, 0])

    def against_first(self) -> _FLOATS:
        return _sample_covariance(self.values[:, 1:] - self.values[:, :1])


def _sample_covariance(values: _FLOATS) -> _FLOATS:
    centred = values - values.mean(axis=0)
    return np.asarray(centred.T @ centred / (len(values) - 1.0))

"""How estimates vary together: by formula or by resampling, on the same rows or on others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.parts import Parts
from rocsolid.summaries.spread import skewness

_FLOATS = NDArray[np.float64]


class Covariation(Protocol):
    """How estimates vary together, however that was found."""

    def covariance(self) -> _FLOATS: ...

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences, each the i-th estimate less the j-th, by its parts."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some of several estimates, by their places."""

    spread: Covariation
    at: tuple[int, ...]

    def covariance(self) -> _FLOATS:
        return self.spread.covariance()[np.ix_(self.at, self.at)]

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        return self.spread.apart([(self.at[i], self.at[j]) for i, j in pairs])


@dataclass(frozen=True, slots=True)
class Apart:
    """Independent estimates: their variances, each on ``df`` degrees of freedom.

    ``cubes`` are sums of the cubes of their units' pulls.

    >>> Apart((1.0, 2.0), (9.0, 9.0), (0.0, 0.0)).apart([(0, 1)]).total
    array([[3.]])
    """

    variances: tuple[float, ...]
    df: tuple[float, ...]
    cubes: tuple[float, ...]

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

    def skewness(self, i: int, j: int) -> float:
        """As `Spread.skewness`: the units of the j-th pull the other way."""
        return skewness(self.cubes[i] - self.cubes[j], self.variances[i] + self.variances[j])


@dataclass(frozen=True, slots=True, eq=False)
class Replicated:
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

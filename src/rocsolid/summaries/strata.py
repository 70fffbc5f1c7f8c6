"""Influences of independent units on several values: what every test of a difference rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]
_CELLS = 1 << 20  # influences on differences worked on together
_DIGITS = 9  # influences that agree in so many digits stand side by side, whatever the rounding


@dataclass(frozen=True, slots=True, eq=False)
class Stratum:
    """Units drawn from one population: the positives, the negatives, all clusters, the queries.

    ``influence`` has a row a value and a column a unit; each row sums to 0. It is about the values
    at the places ``at``, and every other value does not depend on these units.
    """

    influence: _FLOATS
    at: tuple[int, ...]

    @classmethod
    def of_all(cls, influence: _FLOATS) -> Stratum:
        """Units that move every value."""
        return cls(influence, tuple(range(len(influence))))

    @classmethod
    def of_means(cls, values: _FLOATS, at: tuple[int, ...] | None = None) -> Stratum:
        """Units whose values are averaged: each moves the mean by its distance from it over n."""
        size = values.shape[1]
        influence = (values - values.mean(axis=1, keepdims=True)) / size
        return cls(influence, tuple(range(len(values))) if at is None else at)

    @property
    def units(self) -> int:
        return int(self.influence.shape[1])

    def ordered(self) -> Stratum:
        """The units in an order that follows from their influences alone, for draws with a seed."""
        largest = np.abs(self.influence).max(axis=1, keepdims=True)
        scaled = self.influence / np.where(largest > 0.0, largest, 1.0)
        return Stratum(self.influence[:, np.lexsort(np.round(scaled, _DIGITS))], self.at)

    def pooled(self, units: int, draw: np.random.Generator) -> Stratum:
        """No more than so many units, each the sum of some at random.

        Sums of squares and cubes keep their expectation, so that a studentised mean keeps its
        variance and its skewness.
        """
        if self.units <= units:
            return self
        order = draw.permutation(self.units)
        starts = np.arange(units) * self.units // units
        return Stratum(np.add.reduceat(self.influence[:, order], starts, axis=1), self.at)

    def differences(self, pairs: NDArray[np.intp]) -> tuple[NDArray[np.intp], _FLOATS]:
        """Which pairs these units move, and their influence on the differences, a row a pair.

        >>> one = Stratum(np.array([[1.0, -1.0], [0.5, -0.5]]), (0, 2))
        >>> one.differences(np.array([[0, 1], [2, 3]]))
        (array([0]), array([[ 0.5, -0.5]]))
        """
        row = np.full(max(int(pairs.max()), *self.at) + 1, len(self.at))
        row[list(self.at)] = np.arange(len(self.at))
        i, j = row[pairs]
        moved = np.flatnonzero((i < len(self.at)) | (j < len(self.at)))
        with_none = np.vstack([self.influence, np.zeros(self.units)])
        return moved, with_none[i[moved]] - with_none[j[moved]]


def skewness(strata: Sequence[Stratum], pairs: NDArray[np.intp]) -> _FLOATS:
    """Σp³/(Σp²)^{3/2} of the units' influences p on each difference; 0 where nothing varies.

    It is the skewness of a mean, so that of one unit over the root of how many there are.
    """
    square, cube = np.zeros((2, pairs.shape[1]))
    for stratum in strata:
        for some in blocks_of(pairs, stratum.units):
            moved, influence = stratum.differences(pairs[:, some])
            at = some.start + moved
            squares = influence * influence
            square[at] += squares.sum(axis=1)
            cube[at] += np.einsum("ij,ij->i", squares, influence)
    return np.asarray(cube / np.where(square > 0.0, square, 1.0) ** 1.5)


def blocks_of(pairs: NDArray[np.intp], units: int) -> Iterator[slice]:
    """Some pairs at a time, so that their differences fit in cache."""
    many = max(1, _CELLS // units)
    for start in range(0, pairs.shape[1], many):
        yield slice(start, min(start + many, pairs.shape[1]))

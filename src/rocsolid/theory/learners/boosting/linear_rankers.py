"""Weak rankers that are one feature, scaled to run from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.theory.learners.boosting.threshold_rankers import AS_GOOD

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LinearRanker:
    """h(x) = (x − low)/width; ``missing`` where x is NaN.

    It runs from 0 to 1 on the rows that set its scale and goes on beyond them, so that a sum of
    such rankers is linear.

    >>> LinearRanker(0, 1.0, 2.0, 0.0).values(np.array([1.0, 2.0, 5.0]))
    array([0. , 0.5, 2. ])
    """

    feature: int
    low: float
    width: float
    missing: float

    def values(self, column: Floats) -> Floats:
        """The weak ranker on one column, that of ``feature``."""
        scaled: Floats = (column - self.low) / self.width
        absent = np.isnan(column)
        if absent.any():
            scaled[absent] = self.missing
        return scaled


class LinearRankers:
    """The features of a matrix, each scaled to [0, 1] on its rows; one that is constant is 0."""

    def __init__(self, features: Floats) -> None:
        absent = np.isnan(features)
        present = ~absent
        self._low = np.min(features, axis=0, where=present, initial=np.inf)
        high = np.max(features, axis=0, where=present, initial=-np.inf)
        empty = ~present.any(axis=0)
        self._low[empty] = high[empty] = 0.0
        with np.errstate(over="ignore"):
            self._width = high - self._low
        too_wide = np.flatnonzero(np.isinf(self._width))
        if len(too_wide):
            at = too_wide[0]
            raise InputError(
                f"feature {at} runs from {self._low[at]:g} to {high[at]:g}, wider than a float64",
                where="X",
                fix="scale it down",
            )
        self._width[self._width == 0] = 1.0
        self._columns = features
        self._scaled = (features - self._low) / self._width
        self._scaled[absent] = 0.0
        self._gaps = np.flatnonzero(absent.any(axis=0))
        self._absent = absent[:, self._gaps].astype(np.float64)

    def best(self, u: Floats) -> tuple[LinearRanker, float]:
        """The weak ranker h with the largest |r|, r = Σᵢ uᵢ·h(xᵢ), and its r; u sums to 0."""
        r = np.stack([self._scaled.T @ u] * 2)  # a missing value counts as 0, or as 1
        r[1, self._gaps] += self._absent.T @ u
        size = np.abs(r)
        missing, at = divmod(int(np.argmax(size >= size.max() - AS_GOOD)), r.shape[1])
        ranker = LinearRanker(at, float(self._low[at]), float(self._width[at]), float(missing))
        return ranker, float(r[missing, at])

    def values(self, ranker: LinearRanker) -> Floats:
        """A weak ranker on every row."""
        return ranker.values(self._columns[:, ranker.feature])


def slopes(rankers: Sequence[LinearRanker], alpha: Floats, size: int) -> Floats:
    """The weights w for which Σ α·h(x) is w·x and a constant, where no value is missing.

    >>> slopes([LinearRanker(1, 0.0, 2.0, 0.0)], np.array([3.0]), 2)
    array([0. , 1.5])
    """
    weights = np.zeros(size)
    for ranker, step in zip(rankers, alpha, strict=True):
        weights[ranker.feature] += step / ranker.width
    return weights

"""What every test of a comparison starts from, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.measure import Measure
from rocsolid.comparison.spread import Spread
from rocsolid.inputs import BinaryRows
from rocsolid.results import Alternative, Estimate, Interval
from rocsolid.summaries.side_by_side import side_by_side

# A variance that rounding alone can leave behind: placements are off by some 1e-16, while one row
# of 10⁷ that is placed differently by half a row leaves 1e-29.
NO_VARIANCE = 1e-30


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of each pair: whether a − b is ``null``, and an interval for it."""

    null: float
    alternative: Alternative
    level: float
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Estimates by name, with the rows behind each and their covariance.

    ``spread`` is that of all of them together where rows are paired; without it they count as
    independent. ``units`` are the numbers of independent rows or clusters behind each.
    """

    measure: Measure
    estimates: dict[str, Estimate]
    rows: tuple[BinaryRows, ...]
    spread: Spread | None
    covariance: NDArray[np.float64]
    units: tuple[float, ...]

    @classmethod
    def of(
        cls,
        measure: Measure,
        rows: dict[str, BinaryRows],
        estimates: dict[str, Estimate],
        paired: bool,
    ) -> Compared:
        parts = tuple(rows.values())
        half = len(parts) // 2
        first, second = side_by_side(
            lambda: [measure.influence(part) for part in parts[:half]],
            lambda: [measure.influence(part) for part in parts[half:]],
            sum(map(len, parts)),
        )
        influences = first + second
        if paired:
            spread = Spread.of(parts[0], influences)
            units = (spread.units,) * len(parts)
            return cls(measure, estimates, parts, spread, spread.covariance(), units)
        spreads = [Spread.of(part, [one]) for part, one in zip(parts, influences, strict=True)]
        covariance = np.diag([float(spread.covariance()[0, 0]) for spread in spreads])
        return cls(
            measure, estimates, parts, None, covariance, tuple(spread.units for spread in spreads)
        )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.estimates)

    @property
    def values(self) -> NDArray[np.float64]:
        return np.array([estimate.value for estimate in self.estimates.values()])

    def pairs(self) -> list[tuple[int, int]]:
        """All pairs in the order in which every list of pairs here is."""
        return list(combinations(range(len(self.rows)), 2))

    def variance(self, i: int, j: int) -> float:
        """The variance of the difference of two estimates; exactly zero where rounding is all."""
        if self.spread is None:
            found = float(self.covariance[i, i] + self.covariance[j, j])
        else:
            found = self.spread.of_difference(i, j)
        return 0.0 if found <= NO_VARIANCE else found

    def against_first(self) -> NDArray[np.float64]:
        """The covariance of each estimate's difference from the first."""
        if self.spread is not None:
            return self.spread.against_first()
        own = np.diag(self.covariance)
        return np.asarray(np.diag(own[1:]) + own[0])


@dataclass(frozen=True, slots=True)
class Tested:
    """One pair's test. ``interval`` is ``None``, and the rest NaN, where the method gives none."""

    std_error: float
    statistic: float
    df: float | None
    p_value: float
    interval: Interval | None


Test = Callable[[Compared, Question], list[Tested]]
"""A test of every pair at once (resampling methods share their resamples), in ``pairs`` order."""


def described(compared: Compared) -> dict[str, Any]:
    """What the settings of a result say about the rows."""
    clusters = [
        None if part.cluster is None else int(part.cluster.max()) + 1 for part in compared.rows
    ]
    return {
        "weighted": any(part.weight is not None for part in compared.rows),
        "clusters": clusters[0] if compared.spread is not None else clusters,
    }

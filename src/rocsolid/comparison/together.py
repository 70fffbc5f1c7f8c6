"""The most extreme of many statistics, drawn in blocks without the full covariance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.redraws import farthest
from rocsolid.dataclass import dataclass
from rocsolid.summaries.products import products
from rocsolid.summaries.strata import Stratum
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_STREAM = 5
_UNITS = 512  # the most units of a stratum, which bounds the cost of a draw
SOURCE = (
    "Chernozhukov, Chetverikov and Kato, Annals of Statistics 41 (2013), 2786-2819 (Gaussian "
    "multipliers); Westfall and Young 1993"
)


@dataclass(slots=True, eq=False)
class FarthestDraws:
    """The most extreme of many normal errors, with the correlations of the estimates, in each draw.

    One normal number multiplies each unit's influences on all values. In a stratum with more than
    512 units, random groups of units are summed first.
    """

    resamples: int
    seed: int
    largest: _FLOATS = field(init=False)
    _normal: dict[tuple[int, int], _FLOATS] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.largest = np.zeros(self.resamples)

    def add(self, strata: Sequence[Stratum]) -> None:
        moves, squares = np.zeros((2, 1, 1))
        for number, stratum in enumerate(strata):
            influence = stratum.pooled(_UNITS, stream(self.seed, _STREAM, number, 0)).influence
            influence = influence * np.sqrt(stratum.units / max(stratum.units - 1.0, 1.0))
            moves = moves + products(self._multipliers(number, influence.shape[1]), influence)
            squares = squares + np.einsum("ij,ij->i", influence, influence)
        error = np.sqrt(np.where(squares > 0.0, squares, np.inf))
        np.maximum(self.largest, np.abs(moves / error).max(axis=1), out=self.largest)

    def _multipliers(self, stratum: int, units: int) -> _FLOATS:
        if (stratum, units) not in self._normal:
            draw = stream(self.seed, _STREAM, stratum, 1)
            self._normal[stratum, units] = draw.normal(size=(self.resamples, units))
        return self._normal[stratum, units]

    def together(self, p_values: _FLOATS, level: float) -> tuple[_FLOATS, float]:
        """Return the adjusted p-values, and the level of each of the simultaneous intervals.

        An adjusted p-value is the share of draws whose most extreme statistic reaches the value's
        own statistic. The p-value and the level lie between the unadjusted ones and Bonferroni's.
        """
        from scipy.special import ndtr, ndtri

        count, ordered = len(p_values), np.sort(self.largest)
        reached = len(ordered) - np.searchsorted(ordered, -ndtri(p_values / 2.0) - 1e-10)
        p = (1.0 + reached) / (1.0 + len(ordered))
        alpha = 1.0 - level
        critical = farthest(self.largest, level, "two-sided")
        ends = -ndtri(alpha / 2.0), -ndtri(alpha / 2.0 / count)
        of_each = level if critical <= ends[0] else 1.0 - 2.0 * float(ndtr(-min(critical, ends[1])))
        adjusted = np.clip(p, p_values, np.minimum(p_values * count, 1.0))
        return adjusted, level if count == 1 else of_each

"""What a comparison asks of a measure: an estimate, and how each row pulls it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, estimate
from rocsolid.engines.memory import summarise
from rocsolid.inputs import BinaryRows
from rocsolid.results import Estimate
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.weighted_placements import WeightedPlacements


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of a binary score, as far as comparing needs it.

    ``influence`` gives a number for each row, in the rows' order: the estimate is, to first order,
    a constant plus the weighted mean of the positives' numbers plus that of the negatives'. Each
    class may be shifted as one likes. It is ``None`` where no formula gives one. ``values`` are the
    lowest and the highest value. ``pairwise`` says that the value is the mean over pairs of a
    positive and a negative of φ in {0, ½, 1}, which the certified difference rests on, and the
    tests that exchange ranks. ``table`` makes of the rows a function of a table of counts of their
    distinct scores, which is what resampling asks for; the AUC has a faster way of its own.
    """

    name: str
    estimate: Callable[[BinaryRows, Options], Estimate]
    influence: Callable[[BinaryRows], NDArray[np.float64]] | None
    values: tuple[float, float] = (0.0, 1.0)
    pairwise: bool = False
    table: Callable[[BinaryRows], Callable[[ScoreCounts], float]] | None = None

    @property
    def span(self) -> tuple[float, float]:
        """What a difference of two values can be."""
        reach = self.values[1] - self.values[0]
        return -reach, reach


def _auc(rows: BinaryRows, options: Options) -> Estimate:
    return estimate(summarise(rows), options)


def _placements(rows: BinaryRows) -> NDArray[np.float64]:
    """The share of the other class on the right side of each row: DeLong's V10 and V01."""
    return WeightedPlacements.from_arrays(rows.positive, rows.score, rows.weight).placement


AUC = Measure("auc", _auc, _placements, pairwise=True)

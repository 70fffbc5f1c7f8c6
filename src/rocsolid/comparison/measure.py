"""What a comparison asks of a measure: an estimate, and how each row pulls it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, estimate
from rocsolid.engines.memory import summarise
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.results import Estimate
from rocsolid.summaries.weighted_placements import WeightedPlacements


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of a binary score, as far as comparing needs it.

    ``influence`` gives a number for each row, in the rows' order: the estimate is, to first order,
    a constant plus the weighted mean of the positives' numbers plus that of the negatives'. Each
    class may be shifted as one likes. ``pairwise`` says that the value is the mean over pairs of a
    positive and a negative of φ in {0, ½, 1}, which the certified difference rests on.
    """

    name: str
    estimate: Callable[[BinaryRows, Options], Estimate]
    influence: Callable[[BinaryRows], NDArray[np.float64]]
    pairwise: bool = False


def measure_of(measure: str | Measure) -> Measure:
    """A measure itself, or the one with that name."""
    if isinstance(measure, Measure):
        return measure
    if measure not in MEASURES:
        raise InputError(
            "unknown measure", where="measure", value=measure, fix=f"use {', '.join(MEASURES)}"
        )
    return MEASURES[measure]


def _auc(rows: BinaryRows, options: Options) -> Estimate:
    return estimate(summarise(rows), options)


def _placements(rows: BinaryRows) -> NDArray[np.float64]:
    """The share of the other class on the right side of each row: DeLong's V10 and V01."""
    return WeightedPlacements.from_arrays(rows.positive, rows.score, rows.weight).placement


MEASURES: dict[str, Measure] = {"auc": Measure("auc", _auc, _placements, pairwise=True)}

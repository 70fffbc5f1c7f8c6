"""A measure of labels and scores that are given as arrays."""

from __future__ import annotations

from typing import Any

from rocsolid.binary.estimate import Options
from rocsolid.inputs import binary_rows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.scored import ScoredRows
from rocsolid.results import Estimate


def scored_arrays(y_true: Any, y_score: Any, options: Options, **columns: Any) -> ScoredRows:
    """The rows of arrays; ``columns`` are their weights, frequencies and clusters."""
    reading = {name: getattr(options, name) for name in ("pos_label", "lower_is_better", "nan")}
    return ScoredRows(binary_rows(y_true, y_score, **reading, **columns))


def of_arrays(
    measure: BinaryMeasure, y_true: Any, y_score: Any, options: Options, **columns: Any
) -> Estimate:
    """The estimate, after what the measure has to say of the options."""
    measure.check(options)
    return measure.estimate(scored_arrays(y_true, y_score, options, **columns), options)

"""Matrices of scikit-learn's ranking measures as lists of documents, and their values by row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.per_query import per_query
from rocsolid.inputs.graded_rows import GradedRows

_RANKABLE = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")


def check_rankable(y_true: NDArray[Any], y_score: NDArray[Any]) -> None:
    """Targets with a row for each list and a column for each document."""
    y_type = type_of_target(y_true, input_name="y_true")
    if y_type not in _RANKABLE:
        raise ValueError(f"Only {_RANKABLE} formats are supported. Got {y_type} instead")
    if y_true.shape != y_score.shape:
        raise ValueError("y_true and y_score have different shape")


def values_by_row(
    measure: GradedMeasure, y_true: NDArray[Any], y_score: NDArray[Any], ignore_ties: bool
) -> NDArray[np.float64]:
    """The measure of each row's list; ties are averaged, or the later of two columns goes first."""
    if ignore_ties:
        y_true, y_score = y_true[:, ::-1], y_score[:, ::-1]
    lists, documents = y_true.shape
    rows = GradedRows(
        y_true.astype(np.float64).ravel(),
        y_score.astype(np.float64).ravel(),
        np.arange(lists + 1) * documents,
        np.arange(lists),
    )
    found, _ = per_query(rows, [measure], "input" if ignore_ties else "average")
    return found[0].value


def average(values: NDArray[np.float64], weight: Any) -> float:
    return float(np.average(values, weights=weight))

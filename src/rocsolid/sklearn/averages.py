"""A binary measure averaged over the columns, or the rows, of an indicator matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, check_consistent_length

Measure = Callable[[NDArray[Any], NDArray[Any], "NDArray[Any] | None"], float]

_AVERAGES = (None, "micro", "macro", "weighted", "samples")


def average_columns(
    measure: Measure,
    y_true: Any,
    y_score: Any,
    y_type: str,
    average: str | None,
    weight: NDArray[Any] | None,
) -> float | NDArray[np.float64]:
    """scikit-learn's averages of ``measure(labels, scores, weights)``.

    ``micro`` pools all entries, ``macro`` is the plain mean over columns, ``weighted`` the mean by
    the weight of their ones, ``samples`` the (weighted) mean over rows, None one value a column.
    """
    if average not in _AVERAGES:
        raise ValueError(f"average has to be one of {_AVERAGES}")
    if y_type != "multilabel-indicator":
        raise ValueError(f"{y_type} format is not supported")
    check_consistent_length(y_true, y_score, weight)
    y_true = check_array(y_true)
    y_score = check_array(y_score)
    if average == "micro":
        pooled = None if weight is None else np.repeat(weight, y_true.shape[1])
        return float(measure(y_true.ravel(), y_score.ravel(), pooled))
    if average == "samples":
        return _mean(_each(measure, y_true.T, y_score.T, None), weight)
    if average == "weighted":
        support = y_true.sum(axis=0) if weight is None else weight @ y_true
        if np.isclose(support.sum(), 0):
            return 0
        return _mean(_each(measure, y_true, y_score, weight), support)
    scores = _each(measure, y_true, y_score, weight)
    return scores if average is None else _mean(scores, None)


def _each(
    measure: Measure, y_true: NDArray[Any], y_score: NDArray[Any], weight: NDArray[Any] | None
) -> NDArray[np.float64]:
    columns = range(y_score.shape[1])
    return np.array([measure(y_true[:, c], y_score[:, c], weight) for c in columns], dtype=float)


def _mean(scores: NDArray[np.float64], weights: NDArray[Any] | None) -> float:
    if weights is None:
        return float(np.mean(scores))
    # a column without weight may be undefined: NaN times zero must not reach the mean
    return float(np.average(np.where(weights == 0, 0.0, scores), weights=weights))

"""The AUC of more than two classes: one against the rest, or all pairs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d

from rocsolid.sklearn.averages import Measure, average_columns


def indicator(y_true: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """One row a sample, one column a class, 1 where the sample is of the class.

    >>> indicator(np.array(["a", "c"]), np.array(["a", "b", "c"])).tolist()
    [[1, 0, 0], [0, 0, 1]]
    """
    return np.asarray(y_true[:, None] == classes, dtype=np.int64)


PairMeasure = Callable[[NDArray[np.bool_], NDArray[Any]], float]


def check_probabilities(y_score: NDArray[Any]) -> None:
    """One column a class, rows that add up to one."""
    if y_score.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
            f"multiple classes. Got `y_score.shape={y_score.shape}`."
        )
    if not np.allclose(1, y_score.sum(axis=1)):
        raise ValueError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum "
            "up to 1.0 over classes"
        )


def check_average(multi_class: str, average: str | None) -> None:
    """The averages that each way of pairing classes allows."""
    allowed: tuple[str | None, ...] = ("macro", "weighted", None)
    if multi_class == "ovr":
        allowed = ("micro", *allowed)
    if average not in allowed:
        raise ValueError(f"average must be one of {allowed} for multiclass problems")
    if multi_class == "ovo" and average is None:
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")


def column_classes(y_true: NDArray[Any], n_columns: int, labels: Any) -> NDArray[Any]:
    """The class of each column of scores: the labels given, or those that occur."""
    if labels is None:
        classes = np.unique(y_true)
        if len(classes) != n_columns:
            raise ValueError(
                "Number of classes in y_true not equal to the number of columns in 'y_score'"
            )
        return classes
    labels = column_or_1d(labels)
    classes = np.unique(labels)
    if len(classes) != len(labels):
        raise ValueError("Parameter 'labels' must be unique")
    if not np.array_equal(classes, labels):
        raise ValueError("Parameter 'labels' must be ordered")
    if len(classes) != n_columns:
        raise ValueError(
            f"Number of given labels, {len(classes)}, not equal to the number of columns in "
            f"'y_score', {n_columns}"
        )
    if len(np.setdiff1d(y_true, classes)):
        raise ValueError("'y_true' contains labels not in parameter 'labels'")
    return classes


def one_vs_rest(
    measure: Measure,
    y_true: NDArray[Any],
    y_score: NDArray[Any],
    classes: NDArray[Any],
    average: str | None,
    weight: NDArray[Any] | None,
) -> float | NDArray[np.float64]:
    """Each class against all others, then averaged as a multilabel target is."""
    columns = indicator(column_or_1d(y_true), classes)
    return average_columns(measure, columns, y_score, "multilabel-indicator", average, weight)


def one_vs_one(
    measure: PairMeasure,
    y_true: NDArray[Any],
    y_score: NDArray[Any],
    classes: NDArray[Any],
    average: str | None,
) -> float:
    """The mean over pairs of classes of the AUC in both directions (Hand & Till 2001)."""
    code = np.searchsorted(classes, y_true)
    pairs, prevalence = [], []
    for a, b in combinations(np.unique(code), 2):
        of_pair = (code == a) | (code == b)
        is_a = code[of_pair] == a
        a_first = measure(is_a, y_score[of_pair, a])
        b_first = measure(~is_a, y_score[of_pair, b])
        pairs.append((a_first + b_first) / 2)
        prevalence.append(of_pair.mean())
    return np.average(pairs, weights=prevalence if average == "weighted" else None)

"""The ROC curve."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from rocsolid.sklearn.parameters import ARRAY, FLAG, LABEL, WEIGHT, checked
from rocsolid.sklearn.thresholds import CheckedRows, Thresholds, binary_rows, thresholds

Curve = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


@checked(
    y_true=ARRAY,
    y_score=ARRAY,
    pos_label=[*LABEL, None],
    sample_weight=WEIGHT,
    drop_intermediate=FLAG,
)
def roc_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = True,
) -> Curve:
    """False positive rates, true positive rates, thresholds; as ``sklearn.metrics.roc_curve``.

    Thresholds descend from infinity. ``drop_intermediate`` leaves out points whose neighbours lie
    at equal steps on one line, which keeps the area.

    >>> fpr, tpr, threshold = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), tpr.tolist(), threshold.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.35, 0.1])
    """
    return curve(binary_rows(y_true, y_score, pos_label, sample_weight), drop_intermediate)


def curve(rows: CheckedRows, drop_intermediate: bool) -> Curve:
    """The curve of rows that are checked already."""
    table = thresholds(rows)
    if drop_intermediate and len(table.threshold) > 2:
        table = _corners(table)
    fpr = _rates(table.false_pos, "No negative samples in y_true, false positive value")
    tpr = _rates(table.true_pos, "No positive samples in y_true, true positive value")
    return fpr, tpr, np.append(np.inf, table.threshold[::-1].astype(np.float64))


def _corners(table: Thresholds) -> Thresholds:
    """The ends, and the points where the step to the next differs from the step before."""
    turn = (np.diff(table.false_pos, 2) != 0) | (np.diff(table.true_pos, 2) != 0)
    return table.keep(np.concatenate([[True], turn, [True]]))


def _rates(ascending_threshold: NDArray[np.float64], undefined: str) -> NDArray[np.float64]:
    counts = np.append(0.0, ascending_threshold[::-1])
    if counts[-1] > 0:
        return np.asarray(counts / counts[-1])
    warnings.warn(f"{undefined} should be meaningless", UndefinedMetricWarning, stacklevel=1)
    return np.full(len(counts), np.nan)

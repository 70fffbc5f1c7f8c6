"""The precision-recall curve."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.sklearn.parameters import ARRAY, FLAG, LABEL, WEIGHT, checked
from rocsolid.sklearn.thresholds import Thresholds, binary_rows, thresholds


@checked(
    y_true=ARRAY,
    y_score=ARRAY,
    pos_label=[*LABEL, None],
    sample_weight=WEIGHT,
    drop_intermediate=FLAG,
)
def precision_recall_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[Any]]:
    """Precision, recall, thresholds; as ``sklearn.metrics.precision_recall_curve``.

    Thresholds ascend; a last point of precision 1 and recall 0 has none. ``drop_intermediate``
    leaves out the inner points of each stretch of equal recall.

    >>> precision, recall, threshold = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> precision.round(3).tolist(), recall.tolist()
    ([0.5, 0.667, 0.5, 1.0, 1.0], [1.0, 1.0, 0.5, 0.5, 0.0])
    """
    table = thresholds(binary_rows(y_true, y_score, pos_label, sample_weight))
    if drop_intermediate and len(table.threshold) > 2:
        step = np.diff(table.true_pos) != 0
        table = table.keep(np.concatenate([[True], step[:-1] | step[1:], [True]]))
    precision, recall = precision_recall(table)
    return np.append(precision, 1.0), np.append(recall, 0.0), table.threshold


def precision_recall(table: Thresholds) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Precision and recall at each threshold of the table."""
    predicted = table.true_pos + table.false_pos
    precision = np.where(predicted != 0, table.true_pos / predicted, 0.0)
    total = table.true_pos[0]
    if total != 0:
        return precision, table.true_pos / total
    warnings.warn(
        "No positive class found in y_true, recall is set to one for all thresholds.",
        UserWarning,
        stacklevel=1,
    )
    return precision, np.ones(len(precision))

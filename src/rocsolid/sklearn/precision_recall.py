"""The precision-recall curve and average precision."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d

from rocsolid.binary.precision_steps import PrecisionSteps
from rocsolid.sklearn.averages import average_columns
from rocsolid.sklearn.labels import distinct, target_type
from rocsolid.sklearn.multiclass import indicator
from rocsolid.sklearn.parameters import ARRAY, AVERAGE, FLAG, LABEL, WEIGHT, checked
from rocsolid.sklearn.thresholds import CheckedRows, Thresholds, binary_rows, thresholds
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.sorted_classes import SortedClasses


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


@checked(y_true=ARRAY, y_score=ARRAY, average=AVERAGE, pos_label=LABEL, sample_weight=WEIGHT)
def average_precision_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    pos_label: Any = 1,
    sample_weight: Any = None,
) -> float | NDArray[np.float64]:
    """Mean precision, each threshold weighted by its step of recall.

    As ``sklearn.metrics.average_precision_score``, multi-class (one class against the rest) and
    multilabel targets included. No interpolation.

    >>> average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.833...
    """
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)
    y_type = target_type(y_true)
    classes = distinct(y_true)
    if y_type == "binary":
        if len(classes) == 2 and pos_label not in classes:
            raise ValueError(
                f"pos_label={pos_label} is not a valid label. It should be one of {classes}"
            )
        return _binary(y_true, y_score, pos_label, sample_weight)
    if y_type in ("multiclass", "multilabel-indicator") and pos_label != 1:
        raise ValueError(
            f"Parameter pos_label is fixed to 1 for {y_type} y_true. "
            "Do not set pos_label or set pos_label to 1."
        )
    if y_type == "multiclass":
        y_true = indicator(column_or_1d(y_true), classes)
        if np.shape(y_score) != y_true.shape:
            raise ValueError(
                "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
                f"multiple classes. Got `y_score.shape={np.shape(y_score)}`."
            )
        y_type = "multilabel-indicator"
    return average_columns(
        lambda y, s, w: _binary(y, s, 1, w), y_true, y_score, y_type, average, sample_weight
    )


def _binary(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> float:
    rows = binary_rows(y_true, y_score, pos_label, sample_weight)
    if rows.positive.any() and (rows.weight is None or rows.weight.min() > 0.0):
        return _by_steps(rows)
    precision, recall = precision_recall(thresholds(rows))  # scikit-learn's way with oddities
    gained = recall - np.append(recall[1:], 0.0)
    # rounding can leave -0.0
    return float(max(0.0, np.sum(gained * precision)))


def _by_steps(rows: CheckedRows) -> float:
    """As `rocsolid.pr_auc`: only the positives' scores are looked up among the negatives'."""
    if rows.weight is None:
        steps = PrecisionSteps.of_classes(SortedClasses.from_arrays(rows.positive, rows.score))
    else:
        steps = PrecisionSteps.of_table(ScoreCounts.from_arrays(*rows))
    return steps.area("step")

"""True and false positives at every distinct threshold, from the table of distinct scores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, check_array, check_consistent_length, column_or_1d

from rocsolid.sklearn.labels import distinct, positive_label, target_type
from rocsolid.summaries.score_counts import ScoreCounts


class Thresholds(NamedTuple):
    """How much weight of each class scores at or above each threshold; thresholds ascend."""

    threshold: NDArray[Any]
    true_pos: NDArray[np.float64]
    false_pos: NDArray[np.float64]

    def keep(self, rows: NDArray[Any]) -> Thresholds:
        return Thresholds(self.threshold[rows], self.true_pos[rows], self.false_pos[rows])


class CheckedRows(NamedTuple):
    """Checked rows: which are positive, their scores, their weights."""

    positive: NDArray[np.bool_]
    score: NDArray[Any]
    weight: NDArray[np.float64] | None


def binary_rows(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> CheckedRows:
    """Check a binary target and its scores in the order in which scikit-learn does."""
    y_type = target_type(y_true)
    if not (y_type == "binary" or (y_type == "multiclass" and pos_label is not None)):
        raise ValueError(f"{y_type} format is not supported")
    if pos_label is None:
        pos_label = positive_label(None, distinct(y_true))
    return scored_rows(np.asarray(np.asarray(y_true) == pos_label), y_score, sample_weight)


def scored_rows(positive: NDArray[np.bool_], y_score: Any, sample_weight: Any) -> CheckedRows:
    """Check the scores and weights of rows whose class is known; rows of weight zero go."""
    check_consistent_length(positive, y_score, sample_weight)
    positive = column_or_1d(positive)
    score = column_or_1d(y_score)
    assert_all_finite(score)
    np.diff(score[:1].repeat(2))  # NumPy's own error for what has no difference, such as strings
    if sample_weight is None:
        return CheckedRows(positive, score, None)
    weight = check_array(
        column_or_1d(sample_weight),
        ensure_2d=False,
        dtype=[np.float64, np.float32],
        input_name="sample_weight",
    )
    weighted = weight != 0
    if not weighted.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return CheckedRows(positive[weighted], score[weighted], weight[weighted].astype(np.float64))


def thresholds(rows: CheckedRows) -> Thresholds:
    """Count from the highest score down.

    >>> thresholds(CheckedRows(np.array([True, False, True]), np.array([3, 2, 1]), None)).true_pos
    array([2., 1., 1.])
    """
    counts = ScoreCounts.from_arrays(*rows)
    return Thresholds(counts.score, _from_above(counts.pos), _from_above(counts.neg))


def _from_above(column: NDArray[Any]) -> NDArray[np.float64]:
    return np.cumsum(column[::-1], dtype=np.float64)[::-1]

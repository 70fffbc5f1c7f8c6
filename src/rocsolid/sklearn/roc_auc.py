from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_array, check_consistent_length, column_or_1d

from rocsolid.sklearn.averages import (
    CheckedRows,
    Thresholds,
    average_columns,
    binary_rows,
    check_average,
    check_probabilities,
    column_classes,
    distinct,
    one_vs_one,
    one_vs_rest,
    positive_label,
    scored_rows,
    target_type,
    thresholds,
)
from rocsolid.sklearn.lists import (
    ARRAY,
    AVERAGE,
    FLAG,
    LABEL,
    MAX_FPR,
    MULTI_CLASS,
    WEIGHT,
    checked,
)
from rocsolid.summaries.placements import Placements, SortedClasses


@checked(x=ARRAY, y=ARRAY)
def auc(x: Any, y: Any) -> float:
    """Return the area under the points (x, y), as ``sklearn.metrics.auc``.

    ``x`` ascends or descends.

    >>> auc([0.0, 0.5, 1.0], [0.0, 1.0, 1.0])
    0.75
    """
    return trapezoid(x, y)


def trapezoid(x: Any, y: Any) -> float:
    check_consistent_length(x, y)
    x = column_or_1d(x)
    y = column_or_1d(y)
    if len(x) < 2:
        raise ValueError(
            f"At least 2 points are needed to compute area under curve, but x.shape = {len(x)}"
        )
    steps = x[1:] - x[:-1]
    descending = np.any(steps < 0)
    if descending and not np.all(steps <= 0):
        raise ValueError(f"x is neither increasing nor decreasing : {x}.")
    area = np.sum(steps * (y[1:] + y[:-1]) / 2.0)
    return float(-area if descending else area)


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
    """Return false- and true-positive rates and thresholds, as ``sklearn.metrics.roc_curve``.

    Thresholds descend from infinity. ``drop_intermediate`` removes points whose neighbours are at
    equal steps on one line, which does not change the area.

    >>> fpr, tpr, threshold = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), tpr.tolist(), threshold.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.35, 0.1])
    """
    return curve(binary_rows(y_true, y_score, pos_label, sample_weight), drop_intermediate)


def curve(rows: CheckedRows, drop_intermediate: bool) -> Curve:
    table = thresholds(rows)
    if drop_intermediate and len(table.threshold) > 2:
        table = _corners(table)
    fpr = _rates(table.false_pos, "No negative samples in y_true, false positive value")
    tpr = _rates(table.true_pos, "No positive samples in y_true, true positive value")
    return fpr, tpr, np.append(np.inf, table.threshold[::-1].astype(np.float64))


def _corners(table: Thresholds) -> Thresholds:
    """Keep the ends, and the points where the next step differs from the previous step."""
    turn = (np.diff(table.false_pos, 2) != 0) | (np.diff(table.true_pos, 2) != 0)
    return table.keep(np.concatenate([[True], turn, [True]]))


def _rates(ascending_threshold: NDArray[np.float64], undefined: str) -> NDArray[np.float64]:
    counts = np.append(0.0, ascending_threshold[::-1])
    if counts[-1] > 0:
        return np.asarray(counts / counts[-1])
    warnings.warn(f"{undefined} should be meaningless", UndefinedMetricWarning, stacklevel=1)
    return np.full(len(counts), np.nan)


@checked(
    y_true=ARRAY,
    y_score=ARRAY,
    average=AVERAGE,
    sample_weight=WEIGHT,
    max_fpr=MAX_FPR,
    multi_class=MULTI_CLASS,
    labels=WEIGHT,
)
def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: Any = None,
) -> float | NDArray[np.float64]:
    """Return the AUC of a binary, multi-class or multilabel target, as in ``sklearn.metrics``.

    With ``max_fpr`` below 1 the result is McClish's standardised partial area.

    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    y_type = target_type(y_true)
    y_true = check_array(y_true, ensure_2d=False, dtype=None)
    y_score = check_array(y_score, ensure_2d=False)
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)

    def with_labels(y: NDArray[Any], s: NDArray[Any], w: NDArray[Any] | None) -> float:
        classes = distinct(y)
        if len(classes) != 2:
            return _one_class()
        return binary(y == positive_label(None, classes), s, w, max_fpr)

    if y_type == "multiclass" or (
        y_type == "binary" and y_score.ndim == 2 and y_score.shape[1] > 2
    ):
        if max_fpr is not None and max_fpr != 1.0:
            raise ValueError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be"
                f" set to `None`, received `max_fpr={max_fpr}` instead"
            )
        if multi_class not in ("ovo", "ovr"):
            raise ValueError("multi_class must be in ('ovo', 'ovr')")
        check_probabilities(y_score)
        check_average(multi_class, average)
        classes = column_classes(y_true, y_score.shape[1], labels)
        if multi_class == "ovr":
            return one_vs_rest(with_labels, y_true, y_score, classes, average, sample_weight)
        if sample_weight is not None:
            raise ValueError(
                "sample_weight is not supported for multiclass one-vs-one ROC AUC, "
                "'sample_weight' must be None in this case."
            )
        return one_vs_one(binary, y_true, y_score, classes, average)
    if y_type == "binary":
        classes = distinct(y_true)
        if len(classes) != 2:
            return _one_class()
        return binary(y_true == classes[1], y_score, sample_weight, max_fpr)
    return average_columns(with_labels, y_true, y_score, y_type, average, sample_weight)


def binary(
    positive: NDArray[np.bool_],
    y_score: NDArray[Any],
    sample_weight: NDArray[Any] | None = None,
    max_fpr: float | None = None,
) -> float:
    """Return the AUC of rows of both classes, whole or up to a false-positive rate."""
    rows = scored_rows(positive, y_score, sample_weight)
    whole = max_fpr is None or max_fpr == 1
    if whole and rows.weight is None:
        return Placements.from_sorted(SortedClasses.from_arrays(rows.positive, rows.score)).auc
    fpr, tpr, _ = curve(rows, drop_intermediate=True)
    return trapezoid(fpr, tpr) if max_fpr is None or whole else _mcclish(fpr, tpr, max_fpr)


def _mcclish(fpr: NDArray[np.float64], tpr: NDArray[np.float64], max_fpr: float) -> float:
    """Return the area up to ``max_fpr``, scaled so that chance is 1/2 (McClish 1989, formula 5)."""
    if not 0 < max_fpr < 1:
        raise ValueError(f"Expected max_fpr in range (0, 1], got: {max_fpr!r}")
    stop = int(np.searchsorted(fpr, max_fpr, side="right"))
    at_max = np.interp(max_fpr, [fpr[stop - 1], fpr[stop]], [tpr[stop - 1], tpr[stop]])
    area = trapezoid(np.append(fpr[:stop], max_fpr), np.append(tpr[:stop], at_max))
    coin = 0.5 * max_fpr**2
    return 0.5 * (1 + (area - coin) / (max_fpr - coin))


def _one_class() -> float:
    warnings.warn(
        "Only one class is present in y_true. ROC AUC score is not defined in that case.",
        UndefinedMetricWarning,
        stacklevel=1,
    )
    return float("nan")

"""Averages of a binary measure over the columns, or the rows, of an indicator matrix."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import type_of_target

from rocsolid.binary.precision_steps import PrecisionSteps
from rocsolid.sklearn.lists import ARRAY, AVERAGE, FLAG, LABEL, WEIGHT, checked
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.products import products
from rocsolid.summaries.score_counts import ScoreCounts

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
    """Return one of scikit-learn's averages of ``measure(labels, scores, weights)``.

    ``micro`` pools all entries, ``macro`` is the plain mean over columns, ``weighted`` weights each
    column by its total weight of ones, ``samples`` is the (weighted) mean over rows, and ``None``
    returns a value for each column.
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
        support = y_true.sum(axis=0) if weight is None else products(weight[None], y_true.T)[0]
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


def indicator(y_true: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return a matrix with a row for each sample and a column for each class, 1 for its class.

    >>> indicator(np.array(["a", "c"]), np.array(["a", "b", "c"])).tolist()
    [[1, 0, 0], [0, 0, 1]]
    """
    return np.asarray(y_true[:, None] == classes, dtype=np.int64)


PairMeasure = Callable[[NDArray[np.bool_], NDArray[Any]], float]


def check_probabilities(y_score: NDArray[Any]) -> None:
    """Reject scores unless they have a column for each class and rows that sum to one."""
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
    allowed: tuple[str | None, ...] = ("macro", "weighted", None)
    if multi_class == "ovr":
        allowed = ("micro", *allowed)
    if average not in allowed:
        raise ValueError(f"average must be one of {allowed} for multiclass problems")
    if multi_class == "ovo" and average is None:
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")


def column_classes(y_true: NDArray[Any], n_columns: int, labels: Any) -> NDArray[Any]:
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
    """Average the measure of each class against all others, as for a multilabel target."""
    columns = indicator(column_or_1d(y_true), classes)
    return average_columns(measure, columns, y_score, "multilabel-indicator", average, weight)


def one_vs_one(
    measure: PairMeasure,
    y_true: NDArray[Any],
    y_score: NDArray[Any],
    classes: NDArray[Any],
    average: str | None,
) -> float:
    """Return the mean over class pairs of the AUC in both directions (Hand & Till 2001)."""
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


_DEFAULTS = ([0, 1], [-1, 1], [0], [-1], [1])


def target_type(y_true: Any) -> str:
    """Return scikit-learn's ``type_of_target``, without its sort if there are two whole numbers.

    >>> target_type(np.array([0, 1, 1])), target_type(["a", "b", "c"])
    ('binary', 'multiclass')
    """
    two = _two_values(y_true)
    if two is not None and (two.dtype.kind != "f" or all(map(_whole, two))):
        return "binary"
    return str(type_of_target(y_true, input_name="y_true"))


def distinct(y_true: Any) -> NDArray[Any]:
    """Return the distinct labels in ascending order.

    >>> distinct(["b", "a", "b"]).tolist()
    ['a', 'b']
    """
    two = _two_values(y_true)
    return np.unique(y_true) if two is None else two


def positive_label(pos_label: Any, classes: NDArray[Any]) -> Any:
    """Return the given label, or 1 if the labels are unambiguous.

    >>> positive_label(None, np.array([-1, 1]))
    1
    """
    if pos_label is not None:
        return pos_label
    if classes.dtype.kind not in "OUS" and classes.tolist() in _DEFAULTS:
        return 1
    values = ", ".join(repr(value) for value in classes.tolist())
    raise ValueError(
        f"y_true takes value in {{{values}}} and pos_label is not specified: either make y_true "
        "take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
    )


def _whole(value: Any) -> bool:
    """Return whether int64 is exact for the number; scikit-learn calls larger floats continuous."""
    return abs(value) < 2**63 and float(value).is_integer()


def _two_values(y_true: Any) -> NDArray[Any] | None:
    """Return the one or two values in a plain numeric column; ``None`` if there are more."""
    dtype = getattr(y_true, "dtype", None)
    if not (isinstance(dtype, np.dtype) and dtype.kind in "biuf"):
        return None
    column = np.asarray(y_true)
    if column.ndim != 1 or not len(column):
        return None
    low, high = column.min(), column.max()
    if not bool(np.all((column == low) | (column == high))):  # NaN equals nothing
        return None
    return np.array([low] if low == high else [low, high], dtype=dtype)


class Thresholds(NamedTuple):
    """The weight of each class at or above each threshold, in ascending order."""

    threshold: NDArray[Any]
    true_pos: NDArray[np.float64]
    false_pos: NDArray[np.float64]

    def keep(self, rows: NDArray[Any]) -> Thresholds:
        return Thresholds(self.threshold[rows], self.true_pos[rows], self.false_pos[rows])


class CheckedRows(NamedTuple):
    positive: NDArray[np.bool_]
    score: NDArray[Any]
    weight: NDArray[np.float64] | None


def binary_rows(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> CheckedRows:
    y_type = target_type(y_true)
    if not (y_type == "binary" or (y_type == "multiclass" and pos_label is not None)):
        raise ValueError(f"{y_type} format is not supported")
    if pos_label is None:
        pos_label = positive_label(None, distinct(y_true))
    return scored_rows(np.asarray(np.asarray(y_true) == pos_label), y_score, sample_weight)


def scored_rows(positive: NDArray[np.bool_], y_score: Any, sample_weight: Any) -> CheckedRows:
    """Check scores and weights of rows with known classes; remove rows of weight zero."""
    check_consistent_length(positive, y_score, sample_weight)
    positive = column_or_1d(positive)
    score = column_or_1d(y_score)
    assert_all_finite(score)
    np.diff(score[:1].repeat(2))  # raises NumPy's own error for values such as strings
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
    """Return precision, recall and thresholds, as ``sklearn.metrics.precision_recall_curve``.

    Thresholds ascend. The last point has precision 1, recall 0 and no threshold.
    ``drop_intermediate`` removes the inner points of each stretch of equal recall.

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
    """Return average precision, as computed by ``sklearn.metrics.average_precision_score``.

    Targets may be binary, multi-class (one class against the rest) or multilabel.

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
    precision, recall = precision_recall(thresholds(rows))  # as scikit-learn where a class is empty
    gained = recall - np.append(recall[1:], 0.0)
    # rounding can leave -0.0
    return float(max(0.0, np.sum(gained * precision)))


def _by_steps(rows: CheckedRows) -> float:
    """Return average precision as `rocsolid.pr_auc` does, from the positives' scores only."""
    if rows.weight is None:
        steps = PrecisionSteps.of_classes(SortedClasses.from_arrays(rows.positive, rows.score))
    else:
        steps = PrecisionSteps.of_table(ScoreCounts.from_arrays(*rows))
    return float(steps.area("step"))

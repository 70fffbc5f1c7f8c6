"""scikit-learn's measures of ranked lists, and its argument checks."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn import config_context
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils._param_validation import Interval, StrOptions, validate_params
from sklearn.utils.multiclass import type_of_target

from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.gains.gain import linear
from rocsolid.graded.discounted import GradedMeasure, RankedGains
from rocsolid.graded.items import per_query
from rocsolid.graded.ndcg import dcg_measure, ndcg_measure
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.inputs.matrices import tensor_in_main_memory

# validate_params is not public in scikit-learn, but unchanged since 1.3, and the only way to raise
# the exception (InvalidParameterError) that callers of scikit-learn may catch.


F = TypeVar("F", bound=Callable[..., Any])

ARRAY = ["array-like"]
WEIGHT = ["array-like", None]
FLAG = ["boolean"]
LABEL = [Real, str, "boolean"]
AVERAGE = [StrOptions({"macro", "micro", "samples", "weighted"}), None]
MULTI_CLASS = [StrOptions({"raise", "ovr", "ovo"})]
MAX_FPR = [Interval(Real, 0.0, 1, closed="right"), None]


def checked(**constraints: list[Any]) -> Callable[[F], F]:
    """Check the named arguments as scikit-learn does, then compute with NumPy, even for tensors."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def with_numpy(*args: Any, **kwargs: Any) -> Any:
            here = [tensor_in_main_memory(x, function.__name__) for x in args]
            keywords = {name: tensor_in_main_memory(x, name) for name, x in kwargs.items()}
            with config_context(array_api_dispatch=False):
                return function(*here, **keywords)

        validate = validate_params(constraints, prefer_skip_nested_validation=True)
        return cast(F, validate(with_numpy))

    return decorate


_RANKABLE = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")


def check_rankable(y_true: NDArray[Any], y_score: NDArray[Any]) -> None:
    y_type = type_of_target(y_true, input_name="y_true")
    if y_type not in _RANKABLE:
        raise ValueError(f"Only {_RANKABLE} formats are supported. Got {y_type} instead")
    if y_true.shape != y_score.shape:
        raise ValueError("y_true and y_score have different shape")


def values_by_row(
    measure: GradedMeasure, y_true: NDArray[Any], y_score: NDArray[Any], ignore_ties: bool
) -> NDArray[np.float64]:
    """Return the measure of each row's list; ties are averaged, or the later column is first."""
    if ignore_ties:
        y_true, y_score = y_true[:, ::-1], y_score[:, ::-1]
    lists, documents = y_true.shape
    rows = GradedRows(
        y_true.astype(np.float64).ravel(),
        y_score.astype(np.float64).ravel(),
        np.arange(lists + 1) * documents,
        np.arange(lists),
    )
    measured, _ = per_query(rows, [measure], "input" if ignore_ties else "average")
    return measured[0].value


def average(values: NDArray[np.float64], weight: Any) -> float:
    return float(np.average(values, weights=weight))


@checked(y_true=[*ARRAY, "sparse matrix"], y_score=ARRAY, sample_weight=WEIGHT)
def label_ranking_average_precision_score(
    y_true: Any, y_score: Any, *, sample_weight: Any = None
) -> float:
    """Return scikit-learn's ``label_ranking_average_precision_score``.

    For each true label of a row, the share of true labels among the labels ranked at least as high
    is averaged over the true labels, and then over the rows. Tied labels count as ranked above, and
    a row in which all or no labels are true counts 1.

    >>> scores = [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    >>> label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], scores)
    0.416...
    """
    check_consistent_length(y_true, y_score, sample_weight)
    y_true = check_array(y_true, ensure_2d=False, accept_sparse="csr")
    y_score = check_array(y_score, ensure_2d=False)
    if y_true.shape != y_score.shape:
        raise ValueError("y_true and y_score have different shape")
    y_type = type_of_target(y_true, input_name="y_true")
    if y_type != "multilabel-indicator" and not (y_type == "binary" and y_true.ndim == 2):
        raise ValueError(f"{y_type} format is not supported")
    if issparse(y_true):
        y_true = y_true.toarray()
    labels = np.asarray(y_true) != 0
    measure = GradedMeasure("LRAP", linear(), _formula, "", Cutoff())
    values = values_by_row(measure, labels, y_score, ignore_ties=False)
    # without a true label the measure is undefined
    return average(np.where(np.isnan(values), 1.0, values), sample_weight)


def _formula(lists: RankedGains) -> NDArray[np.float64]:
    """Return Σ over true labels of (true labels at or above)/(all labels at or above)."""
    true = np.cumsum(lists.gain, axis=1)
    every = np.arange(1.0, lists.width + 1.0) * np.ones((len(lists), 1))
    if lists.tied is not None:
        last = lists.tied.start + lists.tied.size - 1
        true, every = (lists.tied.spread(counts.ravel()[last]) for counts in (true, every))
    share = (lists.gain * true / every).sum(axis=1)
    positives = lists.positives
    return np.where(positives == 0, np.nan, share / np.maximum(positives, 1))


_K = [Interval(Integral, 1, None, closed="left"), None]
_BASE = [Interval(Real, 0.0, None, closed="neither")]


@checked(y_true=ARRAY, y_score=ARRAY, k=_K, sample_weight=WEIGHT, ignore_ties=FLAG)
def ndcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """Return the mean NDCG over rows, as ``sklearn.metrics.ndcg_score``.

    The gain is linear and the discount 1/log2(1+rank). Ties are averaged unless ``ignore_ties``,
    and a row without a relevant document counts 0.

    >>> ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]])
    0.69...
    """
    y_true, y_score = check_array(y_true, ensure_2d=False), check_array(y_score, ensure_2d=False)
    check_consistent_length(y_true, y_score, sample_weight)
    if y_true.min() < 0:
        raise ValueError("ndcg_score should not be used on negative y_true values.")
    if y_true.ndim > 1 and y_true.shape[1] <= 1:
        raise ValueError(
            "Computing NDCG is only meaningful when there is more than 1 document. "
            f"Got {y_true.shape[1]} instead."
        )
    check_rankable(y_true, y_score)
    measure = ndcg_measure("linear", "log2", as_cutoff(k))
    values = values_by_row(measure, y_true, y_score, ignore_ties)
    return average(np.where(np.isnan(values), 0.0, values), sample_weight)


@checked(y_true=ARRAY, y_score=ARRAY, k=_K, log_base=_BASE, sample_weight=WEIGHT, ignore_ties=FLAG)
def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """Return the mean DCG over rows, as ``sklearn.metrics.dcg_score``.

    The gain is linear and the discount 1/log(1+rank) to the base ``log_base``. Ties are averaged
    unless ``ignore_ties``.

    >>> dcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]])
    9.49...
    """
    y_true, y_score = check_array(y_true, ensure_2d=False), check_array(y_score, ensure_2d=False)
    check_consistent_length(y_true, y_score, sample_weight)
    check_rankable(y_true, y_score)
    measure = dcg_measure("linear", "natural", as_cutoff(k))
    values = values_by_row(measure, y_true, y_score, ignore_ties)
    gained = np.where(np.isnan(values), 0.0, values)
    return average(math.log(log_base) * gained, sample_weight)

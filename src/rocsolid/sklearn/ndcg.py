"""Discounted cumulative gain, as it is and normalised."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils._param_validation import Interval

from rocsolid.discounts import as_cutoff
from rocsolid.graded.dcg import dcg_measure
from rocsolid.graded.ndcg import ndcg_measure
from rocsolid.sklearn.lists import average, check_rankable, values_by_row
from rocsolid.sklearn.parameters import ARRAY, FLAG, WEIGHT, checked

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
    """The mean over rows of the discounted gain, divided by that of the ideal order.

    As ``sklearn.metrics.ndcg_score``: linear gain, 1/log2(1+rank), ties averaged unless they are
    ignored, a row without a relevant document counts 0.

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
    """The mean over rows of the discounted gain.

    As ``sklearn.metrics.dcg_score``: linear gain, 1/log(1+rank) to the base ``log_base``, ties
    averaged unless they are ignored.

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

"""Replacements for functions that people copy from each other, under the same names.

Each function accepts the copy's arguments and returns the same kind of result, so only the import
changes. Each description lists what differs. `rocsolid lint` finds the copies.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import whole
from rocsolid.discounts.discount import log2, table
from rocsolid.errors import InputError
from rocsolid.evaluation.questions import compare
from rocsolid.graded.ndcg import ndcg
from rocsolid.measures.whole_area import auc

__all__ = [
    "bootstrap_auc", "cal_group_auc", "delong_roc_test", "delong_roc_variance", "ndcg_at_k",
    "roc_auc_ci",
]  # fmt: skip


def delong_roc_variance(ground_truth: ArrayLike, predictions: ArrayLike) -> tuple[float, float]:
    """Return the AUC and its variance (DeLong et al. 1988).

    The copies ignore weights and clusters. `rocsolid.auc` accepts both, and its interval also holds
    where few rows are misplaced.

    >>> value, variance = delong_roc_variance([0, 0, 1, 1], [1, 3, 2, 4])
    >>> value, round(variance, 6)
    (0.75, 0.125)
    """
    estimate = auc(ground_truth, predictions)
    return estimate.value, math.nan if estimate.std_error is None else estimate.std_error**2


def delong_roc_test(
    ground_truth: ArrayLike, predictions_one: ArrayLike, predictions_two: ArrayLike
) -> NDArray[np.float64]:
    """Return log₁₀ of the p-value that two AUCs on the same rows are equal, as a 1 × 1 array.

    The copies use the normal distribution, whose p-values are too small on few rows; this function
    uses Student's t. `rocsolid.compare` also estimates the difference of the AUCs and accepts
    clusters.

    >>> y, one, two = [0, 0, 0, 1, 1, 1], [1, 3, 2, 5, 4, 6], [3, 5, 2, 1, 4, 6]
    >>> delong_roc_test(y, one, two).round(2)
    array([[-0.36]])
    """
    scores = {"one": predictions_one, "two": predictions_two}
    pair = compare(ground_truth, scores).pairs[0]
    with np.errstate(divide="ignore"):
        return np.log10([[float(pair.p_value)]])


def roc_auc_ci(y_true: ArrayLike, y_score: ArrayLike, positive: Any = 1) -> tuple[float, float]:
    """Return the limits of the AUC's 95 % interval.

    The copies use the variance of Hanley and McNeil (1982), which assumes one family of
    distributions, and cut a normal interval at 0 and 1. Such intervals cover too seldom near 1.
    This function returns the default interval of `rocsolid.auc`.

    >>> [round(limit, 3) for limit in roc_auc_ci([0, 0, 0, 1, 1, 1], [1, 3, 2, 5, 2, 6])]
    [0.232, 0.997]
    """
    interval = auc(np.asarray(y_true) == positive, y_score).interval
    return interval.low, interval.high


def bootstrap_auc(
    y: ArrayLike, s: ArrayLike, n_boot: int = 1000, seed: int = 0, alpha: float = 0.05
) -> tuple[float, float, float]:
    """Return the AUC and the limits of its bootstrap interval at level 1 − ``alpha``.

    The copies skip resamples of one class, centre the interval at the mean of the resamples, or use
    percentiles, and cover too seldom near 1. This function resamples within the classes; where few
    rows are misplaced, it joins the limits with those of the default interval.

    >>> value, low, high = bootstrap_auc([0, 0, 0, 1, 1, 1] * 5, [1, 3, 2, 5, 2, 6] * 5)
    >>> round(value, 4), low < value < high
    (0.8333, True)
    """
    value, low, high = auc(
        y, s, interval="bootstrap", resamples=n_boot, seed=seed, level=1.0 - alpha
    )
    return value, low, high


def cal_group_auc(labels: ArrayLike, preds: ArrayLike, user_id_list: ArrayLike) -> float:
    """Return the mean of the users' AUCs, weighted by their rows, to four decimals.

    As in the copies, users without a positive or without a negative do not count. The copies do not
    estimate the uncertainty of the mean. `rocsolid.auc` with ``within`` and ``counts="rows"``
    returns an interval with users as the units.

    >>> cal_group_auc([1, 0, 1, 0, 1, 1], [3, 1, 2, 4, 1, 2], ["a", "a", "a", "b", "b", "c"])
    0.6
    """
    estimate: Any = auc(labels, preds, within=user_id_list, counts="rows")
    return float(round(estimate.within, 4))


def ndcg_at_k(r: ArrayLike, k: int, method: int = 0) -> float:
    """Return the NDCG of grades in ranked order, with linear gains; 0 if no grade is above 0.

    ``method=0`` discounts the first two ranks alike (Järvelin and Kekäläinen 2002), as the copies
    do; 1 divides by log2(1 + rank). The copies compute the ideal order from the grades in ``r`` and
    so ignore relevant documents that were not retrieved. `rocsolid.ndcg` uses all judged documents.

    >>> round(ndcg_at_k([2, 3, 0, 1], 4), 4), round(ndcg_at_k([2, 3, 0, 1], 4, method=1), 4)
    (0.9767, 0.9079)
    """
    if method not in {0, 1}:
        raise InputError("there are two methods", where="method", value=method, fix="write 0 or 1")
    grades = np.asarray(r, np.float64)
    if not np.any(grades > 0.0):
        return 0.0
    depth = min(whole(k, "k", least=1), len(grades))
    discount = log2() if method else table(1.0 / np.log2(np.maximum(np.arange(1, depth + 1), 2)))
    order = -np.arange(len(grades))
    return ndcg(grades, order, k=depth, discount=discount, gain="linear").value

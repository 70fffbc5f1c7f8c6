"""Average precision of the order in which a row's labels are ranked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.multiclass import type_of_target

from rocsolid.discounts import Cutoff
from rocsolid.gains import linear
from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.ranked_gains import RankedGains
from rocsolid.sklearn.lists import average, values_by_row
from rocsolid.sklearn.parameters import ARRAY, WEIGHT, checked


@checked(y_true=[*ARRAY, "sparse matrix"], y_score=ARRAY, sample_weight=WEIGHT)
def label_ranking_average_precision_score(
    y_true: Any, y_score: Any, *, sample_weight: Any = None
) -> float:
    """The share of true labels among those ranked at least as high, over the true labels of a row.

    As ``sklearn.metrics.label_ranking_average_precision_score``: a tied label counts as ranked
    above, and a row with all labels or none counts 1.

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
    # without a label that is true the measure is not defined
    return average(np.where(np.isnan(values), 1.0, values), sample_weight)


def _formula(lists: RankedGains) -> NDArray[np.float64]:
    """Σ over true labels of (true labels down to it)/(all labels down to it), ties included."""
    true = np.cumsum(lists.gain, axis=1)
    every = np.arange(1.0, lists.width + 1.0) * np.ones((len(lists), 1))
    if lists.tied is not None:
        last = lists.tied.start + lists.tied.size - 1
        true, every = (lists.tied.spread(counts.ravel()[last]) for counts in (true, every))
    share = (lists.gain * true / every).sum(axis=1)
    positives = lists.positives
    return np.where(positives == 0, np.nan, share / np.maximum(positives, 1))

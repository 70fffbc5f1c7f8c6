"""R-precision: precision at the number of relevant documents."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.graded.cut_measure import relevance_measure
from rocsolid.graded.estimate import estimate_of
from rocsolid.graded.measure import GradedMeasure, found_by
from rocsolid.graded.options import GradedKeywords
from rocsolid.graded.ranked_gains import RankedGains
from rocsolid.results import QueryEstimate

MEANING = (
    "With R relevant documents for a query, on average a share of {value} of the first R documents "
    "is relevant."
)


def r_precision(
    relevance: Any, scores: Any, *, relevant: float = 1, **options: Unpack[GradedKeywords]
) -> QueryEstimate:
    """The mean over queries of precision at R, the query's number of relevant documents.

    >>> r_precision([1, 0, 1, 0], [4, 3, 2, 1]).per_query
    array([0.5])
    """
    return estimate_of(relevance, scores, r_precision_measure(relevant), options)


def r_precision_measure(relevant: float = 1) -> GradedMeasure:
    """R-precision by these conventions.

    >>> r_precision_measure(2).name
    'Rprec[relevant>=2]'
    """
    return relevance_measure("Rprec", r_precision_formula, MEANING, relevant, Cutoff())


def r_precision_formula(lists: RankedGains) -> NDArray[np.float64]:
    """Σ relevant / R down to rank R; a relevant document that is not retrieved counts in R."""
    positives = lists.positives
    found = found_by(lists, positives) / np.maximum(positives, 1)
    return np.where(positives == 0, np.nan, found)

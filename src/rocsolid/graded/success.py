"""Success: whether any relevant document is among the first."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.graded.cut_measure import relevance_measure, with_cutoffs
from rocsolid.graded.discounted import ranks_read
from rocsolid.graded.estimate import estimate_at
from rocsolid.graded.measure import Formula, GradedMeasure
from rocsolid.graded.options import GradedKeywords
from rocsolid.graded.ranked_gains import RankedGains
from rocsolid.graded.survival import survival
from rocsolid.results import QueryEstimate

MEANING = "For a share of {value} of the queries, a relevant document stands above the cut-off."


@with_cutoffs
def success(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """The share of queries with a relevant document among the first k (hit rate).

    Where documents are tied, a query counts the share of orders that succeed. The keywords are
    those of `rocsolid.ndcg`.

    >>> success([0, 1, 0, 0, 1], [3, 2, 1, 9, 8], qid=[1, 1, 1, 2, 2], k=1).value
    0.0
    """

    def build(cutoff: Cutoff) -> GradedMeasure:
        return success_measure(cutoff, relevant)

    return estimate_at(relevance, scores, k, build, options)


def success_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    """Success by these conventions.

    >>> success_measure(Cutoff(5)).name
    'success@5'
    """
    return relevance_measure("success", success_formula(cutoff), MEANING, relevant, cutoff)


def success_formula(cutoff: Cutoff) -> Formula:
    """P(some document down to rank k is relevant)."""

    def formula(lists: RankedGains) -> NDArray[np.float64]:
        last = np.minimum(ranks_read(cutoff, lists), lists.width)
        missed = survival(lists)[np.arange(len(lists)), last - 1]
        return np.where(lists.positives == 0, np.nan, 1.0 - missed)

    return formula

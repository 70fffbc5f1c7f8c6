"""Recall: the share of the relevant documents that is found."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.graded.cut_measure import relevance_measure, with_cutoffs
from rocsolid.graded.discounted import ranks_read
from rocsolid.graded.estimate import estimate_at
from rocsolid.graded.measure import Formula, GradedMeasure, found_by
from rocsolid.graded.options import GradedKeywords
from rocsolid.graded.ranked_gains import RankedGains
from rocsolid.results import QueryEstimate

MEANING = (
    "On average over queries, a share of {value} of the relevant documents stands in the list down "
    "to the cut-off."
)


@with_cutoffs
def recall(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """The mean over queries of the share of the relevant documents that is among the first k.

    Relevant documents that were judged but not retrieved count among all of them. ``relevant`` is
    the lowest grade that counts as relevant; the other keywords are those of `rocsolid.ndcg`.

    >>> recall([1, 0, 1, 1], [4, 3, 2, -float("inf")], k=2).per_query.round(4)
    array([0.3333])
    """

    def build(cutoff: Cutoff) -> GradedMeasure:
        return recall_measure(cutoff, relevant)

    return estimate_at(relevance, scores, k, build, options)


def recall_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    """Recall by these conventions.

    >>> recall_measure(Cutoff(100)).name
    'recall@100'
    """
    return relevance_measure("recall", recall_formula(cutoff), MEANING, relevant, cutoff)


def recall_formula(cutoff: Cutoff) -> Formula:
    """Σ relevant down to rank k, divided by all relevant documents of the query."""

    def share(lists: RankedGains) -> NDArray[np.float64]:
        positives = lists.positives
        found = found_by(lists, ranks_read(cutoff, lists)) / np.maximum(positives, 1)
        return np.where(positives == 0, np.nan, found)

    return share

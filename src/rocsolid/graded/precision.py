"""Precision: the share of relevant documents among the first."""

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
    "On average over queries, a share of {value} of the documents down to the cut-off is relevant."
)


@with_cutoffs
def precision(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """The mean over queries of the share of relevant documents among the first k.

    As in trec_eval, a list shorter than k is divided by k all the same; without ``k`` the whole
    list is read and divided by its length. ``relevant`` is the lowest grade that counts as
    relevant; the other keywords are those of `rocsolid.ndcg`. Ties are averaged exactly.

    >>> precision([1, 0, 1, 0], [4, 3, 2, 2], k=3).value
    0.5
    """

    def build(cutoff: Cutoff) -> GradedMeasure:
        return precision_measure(cutoff, relevant)

    return estimate_at(relevance, scores, k, build, options)


def precision_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    """Precision by these conventions.

    >>> precision_measure(Cutoff(10)).name
    'P@10'
    """
    return relevance_measure("P", precision_formula(cutoff), MEANING, relevant, cutoff)


def precision_formula(cutoff: Cutoff) -> Formula:
    """Σ relevant / k down to rank k."""

    def share(lists: RankedGains) -> NDArray[np.float64]:
        read = lists.length if cutoff.rule is None else ranks_read(cutoff, lists)
        found = found_by(lists, read) / np.maximum(read, 1)
        return np.where(lists.positives == 0, np.nan, found)

    return share

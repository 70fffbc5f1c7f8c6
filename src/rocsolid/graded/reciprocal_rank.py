"""Reciprocal rank: one over the rank of the first relevant document."""

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

MEANING = "On average over queries, one over the rank of the first relevant document is {value}."


@with_cutoffs
def reciprocal_rank(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """The mean over queries of 1/rank of the first relevant document, 0 if none is found (MRR).

    ``k`` stops the search after k documents. Among tied documents the first relevant one stands at
    each place in the share of orders that put it there, so a constant score earns what a random
    order earns. The other keywords are those of `rocsolid.ndcg`.

    >>> reciprocal_rank([0, 1, 0, 1], [4, 3, 2, 1]).per_query
    array([0.5])
    >>> reciprocal_rank([0, 1], [0, 0]).per_query
    array([0.75])
    """

    def build(cutoff: Cutoff) -> GradedMeasure:
        return reciprocal_rank_measure(cutoff, relevant)

    return estimate_at(relevance, scores, k, build, options)


def reciprocal_rank_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    """Reciprocal rank by these conventions.

    >>> reciprocal_rank_measure(Cutoff(10)).name
    'RR@10'
    """
    return relevance_measure("RR", expected_reciprocal(cutoff), MEANING, relevant, cutoff)


def expected_reciprocal(cutoff: Cutoff) -> Formula:
    """Σ P(the reader stops at rank r)/r, a document stopping the reader with its gain."""

    def formula(lists: RankedGains) -> NDArray[np.float64]:
        still = survival(lists)
        stops = -np.diff(still, axis=1, prepend=1.0)
        through = np.cumsum(stops / np.arange(1, lists.width + 1), axis=1)
        last = np.minimum(ranks_read(cutoff, lists), lists.width)
        return np.where(lists.positives == 0, np.nan, through[np.arange(len(lists)), last - 1])

    return formula

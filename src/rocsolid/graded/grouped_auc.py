"""The AUC of each query's list, averaged over queries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.graded.cut_measure import relevance_measure
from rocsolid.graded.estimate import estimate_of
from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.options import GradedKeywords
from rocsolid.graded.ranked_gains import RankedGains
from rocsolid.results import QueryEstimate

MEANING = (
    "On average over queries, a relevant document stands above a share of {value} of the others."
)


def grouped_auc(
    relevance: Any, scores: Any, *, relevant: float = 1, **options: Unpack[GradedKeywords]
) -> QueryEstimate:
    """The mean over queries of the AUC of the query's own list (GAUC), ties counting half.

    Each query counts the same. A query whose list has only relevant documents, or none, has no pair
    to order and is left out like one without relevant documents. Documents that are judged but not
    in the list are not looked at. For one AUC over the pairs of all queries together use
    `rocsolid.auc`. The keywords are those of `rocsolid.ndcg`.

    >>> grouped_auc([1, 0, 0, 1, 0], [3, 1, 5, 2, 2], qid=[1, 1, 1, 2, 2]).per_query
    array([0.5, 0.5])
    """
    return estimate_of(relevance, scores, grouped_auc_measure(relevant), options)


def grouped_auc_measure(relevant: float = 1) -> GradedMeasure:
    """Grouped AUC by these conventions.

    >>> grouped_auc_measure().name
    'GAUC'
    """
    measure = relevance_measure("GAUC", grouped_auc_formula, MEANING, relevant, Cutoff())
    return replace(measure, without="pair of a relevant document and another")


def grouped_auc_formula(lists: RankedGains) -> NDArray[np.float64]:
    """Σ over relevant documents of the others below and half of those tied, over all pairs."""
    rank = np.arange(lists.width)
    listed = rank < lists.length[:, None]
    other = np.where(listed, 1.0 - lists.gain, 0.0)
    relevant, others = lists.gain.sum(axis=1), other.sum(axis=1)
    if lists.tied is None:
        below = others[:, None] - np.cumsum(other, axis=1)
        won = (lists.gain * below).sum(axis=1)
    else:
        tied = lists.tied
        of_block, other_of_block = tied.totals(lists.gain), tied.totals(other)
        through = np.cumsum(other, axis=1).ravel()[tied.start + tied.size - 1]
        below = others[tied.row] - through
        won = np.bincount(tied.row, of_block * (below + other_of_block / 2), len(lists))
    pairs = relevant * others
    return np.where(pairs == 0.0, np.nan, won / np.where(pairs == 0.0, 1.0, pairs))

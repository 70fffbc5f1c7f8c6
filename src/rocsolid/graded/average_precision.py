"""Average precision."""

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
from rocsolid.results import QueryEstimate

MEANING = (
    "Averaged over relevant documents and then over queries, precision at their ranks is {value}."
)


@with_cutoffs
def average_precision(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """The mean over queries of average precision (MAP), as trec_eval's map and map_cut.

    `rocsolid.average_precision` says what it is; here flat arrays are one list.

    >>> average_precision([1, 0, 1, 0], [4, 3, 2, 1]).per_query.round(4)
    array([0.8333])
    >>> average_precision([1, 0, 1, 0], [0, 0, 0, 0]).per_query.round(4)
    array([0.6806])
    """

    def build(cutoff: Cutoff) -> GradedMeasure:
        return average_precision_measure(cutoff, relevant)

    return estimate_at(relevance, scores, k, build, options)


def average_precision_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    """Average precision by these conventions.

    >>> average_precision_measure(Cutoff()).name
    'AP'
    """
    return relevance_measure("AP", average_precision_formula(cutoff), MEANING, relevant, cutoff)


def average_precision_formula(cutoff: Cutoff) -> Formula:
    """Σ E[relevant at i · relevant down to i]/i, divided by all relevant documents."""

    def formula(lists: RankedGains) -> NDArray[np.float64]:
        both = _found_at_and_above(lists) / np.arange(1, lists.width + 1)
        last = np.minimum(ranks_read(cutoff, lists), lists.width)
        total = np.cumsum(both, axis=1)[np.arange(len(lists)), last - 1]
        positives = lists.positives
        return np.where(positives == 0, np.nan, total / np.maximum(positives, 1))

    return formula


def _found_at_and_above(lists: RankedGains) -> NDArray[np.float64]:
    """E[relevant at i · number of relevant documents down to i], a number for each cell.

    In a block with r relevant of b documents the j-th is relevant in a share r/b of the orders, and
    then each of the j−1 before it in a share (r−1)/(b−1).
    """
    if lists.tied is None:
        return np.asarray(lists.gain * np.cumsum(lists.gain, axis=1))
    tied = lists.tied
    of_block = tied.totals(lists.gain)
    size = tied.size.astype(np.float64)
    through = np.cumsum(lists.gain, axis=1).ravel()
    above = through[tied.start + tied.size - 1] - of_block
    place = np.arange(lists.width) - tied.spread(tied.rank_before)  # 0 for a block's first
    share = tied.spread(of_block / size)
    next_share = tied.spread(np.maximum(of_block - 1.0, 0.0) / np.maximum(size - 1.0, 1.0))
    return np.asarray(share * (tied.spread(above) + 1.0 + place * next_share))

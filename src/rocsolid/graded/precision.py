"""Measures of relevant documents: precision, recall, success, bpref and grouped AUC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, Unpack, cast, overload

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.gains.gain import at_least
from rocsolid.graded.discounted import (
    Formula,
    GradedMeasure,
    RankedGains,
    Reach,
    cutoff_in_name,
    found_by,
    ranks_read,
    survival,
)
from rocsolid.graded.estimate import GradedKeywords, estimate_at, estimate_of
from rocsolid.results.query_estimate import QueryEstimate


class CutMeasure(Protocol):
    """A function that returns an estimate, or a dictionary by cut-off if ``k`` is a list.

    ``relevant`` is the lowest relevant grade.
    """

    __name__: str

    @overload
    def __call__(
        self,
        relevance: Any,
        scores: Any,
        *,
        k: list[Any] | tuple[Any, ...],
        relevant: float = 1,
        **options: Unpack[GradedKeywords],
    ) -> dict[Any, QueryEstimate]: ...

    @overload
    def __call__(
        self,
        relevance: Any,
        scores: Any,
        *,
        k: Any = None,
        relevant: float = 1,
        **options: Unpack[GradedKeywords],
    ) -> QueryEstimate: ...


def with_cutoffs(function: Callable[..., QueryEstimate | dict[Any, QueryEstimate]]) -> CutMeasure:
    """Return the function, typed by the result that it returns."""
    return cast(CutMeasure, function)


def relevance_measure(
    name: str, formula: Formula, meaning: str, relevant: float, cutoff: Cutoff, reach: Reach = "all"
) -> GradedMeasure:
    """Build a measure of relevant documents; the name includes the lowest relevant grade unless 1.

    >>> from rocsolid.graded.precision import r_precision_formula
    >>> relevance_measure("P", r_precision_formula, "", 2, Cutoff(10)).name
    'P[relevant>=2]@10'
    """
    gain = at_least(relevant)
    of = "" if relevant == 1 else f"[relevant>={relevant:g}]"
    return GradedMeasure(
        name=f"{name}{of}{cutoff_in_name(cutoff)}",
        gain=gain,
        formula=formula,
        meaning=meaning,
        cutoff=cutoff,
        reach=reach,
    )


MEANING = (
    "Averaged over relevant documents and queries, a share of {value} of the documents judged not "
    "relevant stays below, unjudged documents being passed over."
)

_FLOATS = NDArray[np.float64]


def bpref(
    relevance: Any, scores: Any, *, relevant: float = 1, **options: Unpack[GradedKeywords]
) -> QueryEstimate:
    """Return the mean bpref over queries (Buckley and Voorhees 2004), as in trec_eval.

    With R relevant and N other judged documents, bpref is Σ 1 − min(above, R)/min(N, R) over the
    relevant documents in the list, divided by R, where ``above`` is the number of judged irrelevant
    documents above. Unjudged documents (relevance NaN) do not matter. Ties are averaged exactly.
    The keywords are as in `rocsolid.ndcg`.

    >>> nan = float("nan")
    >>> bpref([0, 1, nan, 1, 0], [9, 8, 7, 6, 5]).per_query
    array([0.5])
    """
    return estimate_of(relevance, scores, bpref_measure(relevant), options)


def bpref_measure(relevant: float = 1) -> GradedMeasure:
    return relevance_measure("bpref", bpref_formula, MEANING, relevant, Cutoff())


def bpref_formula(lists: RankedGains) -> _FLOATS:
    """Return bpref, averaged over orders of ties.

    In a block with n other judged documents, the number of these above a relevant document of the
    block is 0, 1, …, n with equal probabilities.
    """
    positives = lists.positives.astype(np.float64)
    bound = np.minimum(lists.others, positives)
    listed = np.arange(lists.width) < lists.length[:, None]
    known = listed if lists.judged is None else lists.judged
    unwanted = np.where(known & (lists.gain == 0.0), 1.0, 0.0)
    if lists.tied is None:
        above = np.minimum(np.cumsum(unwanted, axis=1), positives[:, None])
        lost = (lists.gain * above).sum(axis=1)
    else:
        tied = lists.tied
        of_block, n = tied.totals(lists.gain), tied.totals(unwanted)
        through = np.cumsum(unwanted, axis=1).ravel()[tied.start + tied.size - 1]
        mean = _mean_capped(through - n, n, positives[tied.row])
        lost = np.bincount(tied.row, of_block * mean, len(lists))
    relevant = lists.gain.sum(axis=1)
    share = relevant - lost / np.maximum(bound, 1.0)  # no other document judged: nothing is lost
    return np.where(positives == 0.0, np.nan, share / np.maximum(positives, 1.0))


def _mean_capped(start: _FLOATS, n: _FLOATS, cap: _FLOATS) -> _FLOATS:
    """Return the mean of min(start + x, cap) over x = 0, …, n.

    >>> _mean_capped(np.array([1.0]), np.array([3.0]), np.array([2.0]))
    array([1.75])
    """
    below = np.clip(cap - start, 0.0, n + 1.0)  # the number of x below the cap
    total = below * start + below * (below - 1.0) / 2.0 + (n + 1.0 - below) * cap
    return np.asarray(total / (n + 1.0))


PRECISION_MEANING = (
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
    """Return the mean over queries of the share of relevant documents among the first k.

    As in trec_eval, the divisor is k also for shorter lists; without ``k`` it is the length of the
    list. ``relevant`` is the lowest relevant grade; other keywords are as in `rocsolid.ndcg`. Ties
    are averaged exactly.

    >>> precision([1, 0, 1, 0], [4, 3, 2, 2], k=3).value
    0.5
    """
    return estimate_at(
        relevance, scores, k, lambda cutoff: precision_measure(cutoff, relevant), options
    )


def precision_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    return relevance_measure("P", precision_formula(cutoff), PRECISION_MEANING, relevant, cutoff)


def precision_formula(cutoff: Cutoff) -> Formula:
    """Return Σ relevant / k down to rank k."""

    def share(lists: RankedGains) -> NDArray[np.float64]:
        read = lists.length if cutoff.rule is None else ranks_read(cutoff, lists)
        shares = found_by(lists, read) / np.maximum(read, 1)
        return np.where(lists.positives == 0, np.nan, shares)

    return share


R_PRECISION_MEANING = (
    "With R relevant documents for a query, on average a share of {value} of the first R documents "
    "is relevant."
)


def r_precision(
    relevance: Any, scores: Any, *, relevant: float = 1, **options: Unpack[GradedKeywords]
) -> QueryEstimate:
    """Return the mean over queries of precision at R, the query's number of relevant documents.

    >>> r_precision([1, 0, 1, 0], [4, 3, 2, 1]).per_query
    array([0.5])
    """
    return estimate_of(relevance, scores, r_precision_measure(relevant), options)


def r_precision_measure(relevant: float = 1) -> GradedMeasure:
    return relevance_measure("Rprec", r_precision_formula, R_PRECISION_MEANING, relevant, Cutoff())


def r_precision_formula(lists: RankedGains) -> NDArray[np.float64]:
    """Return Σ relevant / R down to rank R; R includes relevant documents that are not
    retrieved.
    """
    positives = lists.positives
    shares = found_by(lists, positives) / np.maximum(positives, 1)
    return np.where(positives == 0, np.nan, shares)


RECALL_MEANING = (
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
    """Return the mean share of the relevant documents that are among the first k.

    The divisor includes relevant documents that were judged but not retrieved. ``relevant`` is the
    lowest relevant grade; other keywords are as in `rocsolid.ndcg`.

    >>> recall([1, 0, 1, 1], [4, 3, 2, -float("inf")], k=2).per_query.round(4)
    array([0.3333])
    """
    return estimate_at(
        relevance, scores, k, lambda cutoff: recall_measure(cutoff, relevant), options
    )


def recall_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    return relevance_measure("recall", recall_formula(cutoff), RECALL_MEANING, relevant, cutoff)


def recall_formula(cutoff: Cutoff) -> Formula:
    """Return Σ relevant down to rank k, divided by all relevant documents of the query."""

    def share(lists: RankedGains) -> NDArray[np.float64]:
        positives = lists.positives
        shares = found_by(lists, ranks_read(cutoff, lists)) / np.maximum(positives, 1)
        return np.where(positives == 0, np.nan, shares)

    return share


SUCCESS_MEANING = (
    "For a share of {value} of the queries, a relevant document stands above the cut-off."
)


@with_cutoffs
def success(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """Return the share of queries with a relevant document among the first k (hit rate).

    A query with tied documents counts the share of orders that succeed. The keywords are as in
    `rocsolid.ndcg`.

    >>> success([0, 1, 0, 0, 1], [3, 2, 1, 9, 8], qid=[1, 1, 1, 2, 2], k=1).value
    0.0
    """
    return estimate_at(
        relevance, scores, k, lambda cutoff: success_measure(cutoff, relevant), options
    )


def success_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    return relevance_measure(
        "success", success_formula(cutoff), SUCCESS_MEANING, relevant, cutoff, reach=None
    )


def success_formula(cutoff: Cutoff) -> Formula:
    """P(some document down to rank k is relevant)."""

    def formula(lists: RankedGains) -> NDArray[np.float64]:
        last = np.minimum(ranks_read(cutoff, lists), lists.width)
        missed = survival(lists)[np.arange(len(lists)), last - 1]
        return np.where(lists.positives == 0, np.nan, 1.0 - missed)

    return formula


GROUPED_AUC_MEANING = (
    "On average over queries, a relevant document stands above a share of {value} of the others."
)


def grouped_auc(
    relevance: Any, scores: Any, *, relevant: float = 1, **options: Unpack[GradedKeywords]
) -> QueryEstimate:
    """Return the mean over queries of the AUC of the query's list (GAUC), ties counting half.

    Each query counts equally. A query whose list has only relevant documents, or none, is treated
    as a query without relevant documents. Judged documents outside the list are ignored. For one
    AUC over the pairs of all queries use `rocsolid.auc`. The keywords are as in `rocsolid.ndcg`.

    >>> grouped_auc([1, 0, 0, 1, 0], [3, 1, 5, 2, 2], qid=[1, 1, 1, 2, 2]).per_query
    array([0.5, 0.5])
    """
    return estimate_of(relevance, scores, grouped_auc_measure(relevant), options)


def grouped_auc_measure(relevant: float = 1) -> GradedMeasure:
    measure = relevance_measure(
        "GAUC", grouped_auc_formula, GROUPED_AUC_MEANING, relevant, Cutoff()
    )
    return replace(measure, without="pair of a relevant document and another")


def grouped_auc_formula(lists: RankedGains) -> NDArray[np.float64]:
    """Return Σ over relevant documents of others below plus half of those tied, over all pairs."""
    rank = np.arange(lists.width)
    listed = rank < lists.length[:, None]
    irrelevant = np.where(listed, 1.0 - lists.gain, 0.0)
    relevant, others = lists.gain.sum(axis=1), irrelevant.sum(axis=1)
    if lists.tied is None:
        below = others[:, None] - np.cumsum(irrelevant, axis=1)
        won = (lists.gain * below).sum(axis=1)
    else:
        tied = lists.tied
        of_block, other_of_block = tied.totals(lists.gain), tied.totals(irrelevant)
        through = np.cumsum(irrelevant, axis=1).ravel()[tied.start + tied.size - 1]
        below = others[tied.row] - through
        won = np.bincount(tied.row, of_block * (below + other_of_block / 2), len(lists))
    pairs = relevant * others
    return np.where(pairs == 0.0, np.nan, won / np.where(pairs == 0.0, 1.0, pairs))

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.discounts.discount import exponential
from rocsolid.errors import InputError
from rocsolid.gains.gain import satisfaction
from rocsolid.graded.discounted import (
    Formula,
    GradedMeasure,
    RankedGains,
    cutoff_in_name,
    ranks_read,
    survival,
)
from rocsolid.graded.estimate import GradedKeywords, estimate_at, estimate_of
from rocsolid.graded.precision import relevance_measure, with_cutoffs
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.results.query_estimate import QueryEstimate

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
    """Return the mean average precision over queries (MAP), as trec_eval's map and map_cut.

    `rocsolid.average_precision` defines it; here flat arrays are one list.

    >>> average_precision([1, 0, 1, 0], [4, 3, 2, 1]).per_query.round(4)
    array([0.8333])
    >>> average_precision([1, 0, 1, 0], [0, 0, 0, 0]).per_query.round(4)
    array([0.6806])
    """
    return estimate_at(
        relevance, scores, k, lambda cutoff: average_precision_measure(cutoff, relevant), options
    )


def average_precision_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    return relevance_measure("AP", average_precision_formula(cutoff), MEANING, relevant, cutoff)


def average_precision_formula(cutoff: Cutoff) -> Formula:
    """Return Σ E[relevant at i · relevant down to i]/i, divided by all relevant documents."""

    def formula(lists: RankedGains) -> NDArray[np.float64]:
        both = _found_at_and_above(lists) / np.arange(1, lists.width + 1)
        last = np.minimum(ranks_read(cutoff, lists), lists.width)
        total = np.cumsum(both, axis=1)[np.arange(len(lists)), last - 1]
        positives = lists.positives
        return np.where(positives == 0, np.nan, total / np.maximum(positives, 1))

    return formula


def _found_at_and_above(lists: RankedGains) -> NDArray[np.float64]:
    """Return E[relevant at i · number of relevant documents down to i] for each cell.

    In a block with r relevant of b documents, the j-th is relevant in a share r/b of the orders,
    and then each of the j−1 before it in a share (r−1)/(b−1).
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


RBP_MEANING = (
    "For a reader who goes on to each next document with the measure's persistence, on average a "
    "share of {value} of the documents read is relevant."
)
RESIDUAL = "On average over queries, documents that nobody judged or listed could add {value}."


def rbp(
    relevance: Any,
    scores: Any,
    *,
    p: float = 0.8,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate:
    """Return the mean rank-biased precision over queries (Moffat and Zobel 2008).

    RBP is (1−p)·Σ p^(r−1) over the ranks r of relevant documents, for a reader who continues to the
    next document with probability ``p``. ``others`` contains the residual, the gain if every
    unjudged document and everything below the end of the list were relevant; a residual above .01
    causes a warning. Other keywords are as in `rocsolid.ndcg`.

    >>> result = rbp([1, 0, 1], [3, 2, 1], p=0.5)
    >>> result.value, result.others
    (0.625, {'RBP(p=0.5) residual': 0.125})
    """
    return estimate_of(relevance, scores, rbp_measure(p, relevant), options)


def rbp_measure(p: float = 0.8, relevant: float = 1) -> GradedMeasure:
    _check(p)

    def formula(lists: RankedGains) -> NDArray[np.float64]:
        return _or_nan(lists, _weighed(lists.mean_gain, p))

    measure = relevance_measure(
        f"RBP(p={p:g})", formula, RBP_MEANING, relevant, Cutoff(), exponential(1.0 / p)
    )
    return replace(measure, residual=rbp_residual_measure(p, relevant))


def rbp_residual_measure(p: float = 0.8, relevant: float = 1) -> GradedMeasure:
    """The possible RBP of unjudged documents and of documents below the list."""
    _check(p)
    measure = relevance_measure(f"RBP(p={p:g})", _residual(p), RESIDUAL, relevant, Cutoff(), None)
    return replace(measure, name=f"{measure.name} residual")


def _residual(p: float) -> Formula:
    def formula(lists: RankedGains) -> NDArray[np.float64]:
        below = np.asarray(p ** lists.length.astype(np.float64))
        if lists.judged is None:
            return _or_nan(lists, below)
        unknown = ~lists.judged & (np.arange(lists.width) < lists.length[:, None])
        share = unknown.astype(np.float64)
        if lists.tied is not None:
            share = lists.tied.means(share)
        return _or_nan(lists, below + _weighed(share, p))

    return formula


def _weighed(share: NDArray[np.float64], p: float) -> NDArray[np.float64]:
    weight = (1.0 - p) * p ** np.arange(share.shape[1])
    return np.asarray(np.cumsum(share * weight, axis=1)[:, -1])


def _or_nan(lists: RankedGains, value: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(lists.positives == 0, np.nan, value)


def _check(p: float) -> None:
    if not (isinstance(p, Real) and 0.0 < p < 1.0):
        raise InputError(
            "the persistence must lie strictly between 0 and 1",
            where="p",
            value=p,
            fix="use 0.8 for a patient reader, 0.5 for an impatient one",
        )


RECIPROCAL_RANK_MEANING = (
    "On average over queries, one over the rank of the first relevant document is {value}."
)


@with_cutoffs
def reciprocal_rank(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """Return the mean over queries of 1/rank of the first relevant document (MRR).

    A query without a relevant document among the first ``k`` counts 0. Ties are averaged exactly.
    Other keywords are as in `rocsolid.ndcg`.

    >>> reciprocal_rank([0, 1, 0, 1], [4, 3, 2, 1]).per_query
    array([0.5])
    >>> reciprocal_rank([0, 1], [0, 0]).per_query
    array([0.75])
    """
    return estimate_at(
        relevance, scores, k, lambda cutoff: reciprocal_rank_measure(cutoff, relevant), options
    )


def reciprocal_rank_measure(cutoff: Cutoff, relevant: float = 1) -> GradedMeasure:
    return relevance_measure(
        "RR", expected_reciprocal(cutoff), RECIPROCAL_RANK_MEANING, relevant, cutoff, "first"
    )


def expected_reciprocal(cutoff: Cutoff) -> Formula:
    """Return Σ P(the reader stops at rank r)/r, where a document's gain is the stopping
    probability.
    """

    def formula(lists: RankedGains) -> NDArray[np.float64]:
        still = survival(lists)
        stops = -np.diff(still, axis=1, prepend=1.0)
        through = np.cumsum(stops / np.arange(1, lists.width + 1), axis=1)
        last = np.minimum(ranks_read(cutoff, lists), lists.width)
        return np.where(lists.positives == 0, np.nan, through[np.arange(len(lists)), last - 1])

    return formula


ERR_MEANING = (
    "For a reader who stops at the first document that satisfies, one over the rank of that "
    "document is {value} on average."
)


@overload
def err(
    relevance: Any,
    scores: Any,
    *,
    k: list[Any] | tuple[Any, ...],
    max_grade: float | None = None,
    **options: Unpack[GradedKeywords],
) -> dict[Any, QueryEstimate]: ...


@overload
def err(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    max_grade: float | None = None,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate: ...


def err(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    max_grade: float | None = None,
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """Return the mean expected reciprocal rank over queries (Chapelle et al. 2009).

    A document of grade y satisfies the reader with probability (2^y − 1)/2^max_grade; otherwise the
    reader continues. ``max_grade`` is the top of the judgement scale, 4 in gdeval, and by default
    the largest grade that occurs. Ties are averaged exactly; other keywords are as in
    `rocsolid.ndcg`.

    >>> err([3, 2, 0], [3, 2, 1], max_grade=4).per_query
    array([0.49023438])
    """
    top = _top(relevance) if max_grade is None else max_grade
    return estimate_at(relevance, scores, k, lambda cutoff: err_measure(cutoff, top), options)


def err_measure(cutoff: Cutoff, max_grade: float = 4) -> GradedMeasure:
    gain = satisfaction(max_grade)
    return GradedMeasure(
        name=f"ERR[max={gain.top:g}]{cutoff_in_name(cutoff)}",
        gain=gain,
        formula=expected_reciprocal(cutoff),
        meaning=ERR_MEANING,
        cutoff=cutoff,
        reach="first",
    )


def _top(relevance: Any) -> float:
    here = in_main_memory(relevance, "relevance")
    try:
        grades = np.asarray(here, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "the largest grade is not known for relevance of this kind",
            where="max_grade",
            fix="give max_grade=, the top of the scale of grades",
        ) from None
    return max(float(np.nanmax(grades, initial=0.0)), 1.0)

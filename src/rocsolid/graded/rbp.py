"""Rank-biased precision, with what unjudged documents could add."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.errors import InputError
from rocsolid.graded.cut_measure import relevance_measure
from rocsolid.graded.estimate import estimate_of
from rocsolid.graded.measure import Formula, GradedMeasure
from rocsolid.graded.options import GradedKeywords
from rocsolid.graded.ranked_gains import RankedGains
from rocsolid.results import QueryEstimate

MEANING = (
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
    """The mean over queries of rank-biased precision (Moffat and Zobel 2008).

    (1−p)·Σ p^(r−1) over the ranks r of relevant documents, for a reader who goes on to the next
    document with probability ``p``. The residual, what RBP would gain if every unjudged document
    and everything below the end of the list were relevant, is in ``others`` and said in a warning
    where it is above .01: RBP lies between the value and the value plus the residual. The other
    keywords are those of `rocsolid.ndcg`.

    >>> result = rbp([1, 0, 1], [3, 2, 1], p=0.5)
    >>> result.value, result.others
    (0.625, {'RBP(p=0.5) residual': 0.125})
    """
    return estimate_of(relevance, scores, rbp_measure(p, relevant), options)


def rbp_measure(p: float = 0.8, relevant: float = 1) -> GradedMeasure:
    """RBP by these conventions.

    >>> rbp_measure(0.95).name
    'RBP(p=0.95)'
    """
    _check(p)

    def formula(lists: RankedGains) -> NDArray[np.float64]:
        return _or_nan(lists, _weighed(lists.mean_gain, p))

    measure = relevance_measure(f"RBP(p={p:g})", formula, MEANING, relevant, Cutoff())
    return replace(measure, residual=rbp_residual_measure(p, relevant))


def rbp_residual_measure(p: float = 0.8, relevant: float = 1) -> GradedMeasure:
    """What RBP could gain from documents that were not judged and from those below the list."""
    _check(p)
    measure = relevance_measure(f"RBP(p={p:g})", _residual(p), RESIDUAL, relevant, Cutoff())
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

"""Discounted cumulative gain."""

from __future__ import annotations

from typing import Any, Unpack, overload

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.discounts.named import as_discount
from rocsolid.gains import Gain
from rocsolid.gains.named import as_gain
from rocsolid.graded.estimate import estimate_at
from rocsolid.graded.measure import GradedMeasure, cutoff_in_name, rival_of
from rocsolid.graded.ndcg_formula import dcg_formula
from rocsolid.graded.options import GradedKeywords
from rocsolid.results import QueryEstimate

MEANING = "On average over queries the list gains {value}, later ranks counting less."


@overload
def dcg(
    relevance: Any,
    scores: Any,
    *,
    k: list[Any] | tuple[Any, ...],
    gain: Any = "linear",
    discount: Any = "log2",
    **options: Unpack[GradedKeywords],
) -> dict[Any, QueryEstimate]: ...


@overload
def dcg(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    gain: Any = "linear",
    discount: Any = "log2",
    **options: Unpack[GradedKeywords],
) -> QueryEstimate: ...


def dcg(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    gain: Any = "linear",
    discount: Any = "log2",
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """The mean over queries of Σ G(y_(r)) D(r) over the ranks r down to the cut-off.

    Järvelin and Kekäläinen 2002; the keywords are those of `rocsolid.ndcg`. A query without a
    relevant document gains nothing, so here it counts 0 unless ``empty`` says otherwise. DCG has no
    upper bound that is known beforehand, so it has no certified interval.

    >>> round(dcg([0, 1, 2, 3, 4], [0, 0, 0, 0, 0]).value, 4)
    5.8969
    """

    def build(cutoff: Cutoff) -> GradedMeasure:
        return dcg_measure(gain, discount, cutoff)

    return estimate_at(relevance, scores, k, build, options, empty=0)


def dcg_measure(gain: Any, discount: Any, cutoff: Cutoff) -> GradedMeasure:
    """DCG by these conventions.

    >>> dcg_measure("linear", "log2", Cutoff(5)).name
    'DCG[linear,log2]@5'
    """
    return _measure(as_gain(gain), discount, cutoff, rival_of(as_gain(gain)))


def _measure(gain: Gain, discount: Any, cutoff: Cutoff, rival: Gain | None) -> GradedMeasure:
    by = as_discount(discount)
    return GradedMeasure(
        name=f"DCG[{gain.name},{by.name}]{cutoff_in_name(cutoff)}",
        gain=gain,
        formula=dcg_formula(by, cutoff),
        meaning=MEANING,
        cutoff=cutoff,
        range=(0.0, float("inf")),
        rival=None if rival is None else _measure(rival, by, cutoff, None),
    )

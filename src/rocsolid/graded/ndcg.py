from __future__ import annotations

from typing import Any, Unpack, overload

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.discounts.discount import as_discount
from rocsolid.gains.gain import Gain, as_gain
from rocsolid.graded.discounted import (
    GradedMeasure,
    Ideal,
    check_ideal,
    cutoff_in_name,
    dcg_formula,
    ndcg_formula,
    rival_of,
)
from rocsolid.graded.estimate import GradedKeywords, estimate_at
from rocsolid.results.query_estimate import QueryEstimate

MEANING = (
    "On average over queries the list gains {value} of what the ideal order of its documents would "
    "gain, later ranks counting less."
)


@overload
def ndcg(
    relevance: Any,
    scores: Any,
    *,
    k: list[Any] | tuple[Any, ...],
    gain: Any = "linear",
    discount: Any = "log2",
    ideal: Ideal = "judged",
    **options: Unpack[GradedKeywords],
) -> dict[Any, QueryEstimate]: ...


@overload
def ndcg(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    gain: Any = "linear",
    discount: Any = "log2",
    ideal: Ideal = "judged",
    **options: Unpack[GradedKeywords],
) -> QueryEstimate: ...


def ndcg(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    gain: Any = "linear",
    discount: Any = "log2",
    ideal: Ideal = "judged",
    **options: Unpack[GradedKeywords],
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """Return the mean NDCG over queries: Σ G(y_(r)) D(r), divided by the sum for the ideal order.

    Järvelin and Kekäläinen (2002) define NDCG; the general form is from Wang et al. (2013). ``k``
    is an integer, `rocsolid.discounts.frac`, a function of the list's length, or ``None`` for the
    whole list; a list of cut-offs returns a dictionary of estimates by cut-off. ``gain`` is
    "linear" (y), "exp2" (2^y − 1), a table such as {1: 1, 2: 10} or a function; ``discount`` is
    "log2", "natural", "zipf", an object of `rocsolid.discounts`, a list or a function. The ideal
    list consists of all judged documents of the query, cut at k (``ideal="judged"``), or only of
    those in the list ("retrieved"). A score of −∞ marks a judged document that is not in the list.

    Documents with equal scores are averaged over all their orders, exactly, and the result contains
    the bounds over these orders. Queries without a relevant document have no NDCG; they are
    excluded and always reported. `rocsolid.graded.estimate.GradedKeywords` describes the keywords
    of all measures.

    >>> result = ndcg([3, 2, 0, 1, 1, 0], [9, 7, 8, 2, 5, 5], qid=[1, 1, 1, 1, 2, 2])
    >>> result.measure, result.per_query.round(4).tolist()
    ('nDCG[linear,log2]', [0.9305, 0.8155])
    >>> print(f"{result.worst:.4f} to {result.best:.4f}")
    0.7807 to 0.9652
    """
    check_ideal(ideal)
    return estimate_at(
        relevance, scores, k, lambda cutoff: ndcg_measure(gain, discount, cutoff, ideal), options
    )


def ndcg_measure(
    gain: Any, discount: Any, cutoff: Cutoff, ideal: Ideal = "judged"
) -> GradedMeasure:
    return _measure(as_gain(gain), discount, cutoff, ideal, rival=rival_of(as_gain(gain)))


def _measure(
    gain: Gain, discount: Any, cutoff: Cutoff, ideal: Ideal, rival: Gain | None
) -> GradedMeasure:
    by = as_discount(discount)
    of = "" if ideal == "judged" else ",ideal=retrieved"
    return GradedMeasure(
        name=f"nDCG[{gain.name},{by.name}{of}]{cutoff_in_name(cutoff)}",
        gain=gain,
        formula=ndcg_formula(by, cutoff, ideal),
        meaning=MEANING,
        cutoff=cutoff,
        rival=None if rival is None else _measure(rival, by, cutoff, ideal, rival=None),
        reach=by if ideal == "judged" else None,
    )


DCG_MEANING = "On average over queries the list gains {value}, later ranks counting less."


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
    """Return the mean DCG over queries: Σ G(y_(r)) D(r) over the ranks r down to the cut-off.

    Järvelin and Kekäläinen (2002) define DCG. The keywords are as in `rocsolid.ndcg`. A query
    without a relevant document counts 0, unless ``empty`` says otherwise. DCG has no upper bound
    that is known beforehand, so it has no certified interval.

    >>> round(dcg([0, 1, 2, 3, 4], [0, 0, 0, 0, 0]).value, 4)
    5.8969
    """
    return estimate_at(
        relevance, scores, k, lambda cutoff: dcg_measure(gain, discount, cutoff), options, empty=0
    )


def dcg_measure(gain: Any, discount: Any, cutoff: Cutoff) -> GradedMeasure:
    return _dcg_measure(as_gain(gain), discount, cutoff, rival_of(as_gain(gain)))


def _dcg_measure(gain: Gain, discount: Any, cutoff: Cutoff, rival: Gain | None) -> GradedMeasure:
    by = as_discount(discount)
    return GradedMeasure(
        name=f"DCG[{gain.name},{by.name}]{cutoff_in_name(cutoff)}",
        gain=gain,
        formula=dcg_formula(by, cutoff),
        meaning=DCG_MEANING,
        cutoff=cutoff,
        range=(0.0, float("inf")),
        rival=None if rival is None else _dcg_measure(rival, by, cutoff, None),
        reach=by,
    )

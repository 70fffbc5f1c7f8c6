"""Expected reciprocal rank."""

from __future__ import annotations

from typing import Any, Unpack, overload

import numpy as np

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.errors import InputError
from rocsolid.gains.formulas import satisfaction
from rocsolid.graded.estimate import estimate_at
from rocsolid.graded.measure import GradedMeasure, cutoff_in_name
from rocsolid.graded.options import GradedKeywords
from rocsolid.graded.reciprocal_rank import expected_reciprocal
from rocsolid.inputs.tensors import in_main_memory
from rocsolid.results import QueryEstimate

MEANING = (
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
    """The mean over queries of expected reciprocal rank (Chapelle et al. 2009).

    A document of grade y satisfies the reader with probability (2^y − 1)/2^max_grade, and the
    reader goes on otherwise. ``max_grade`` is the top of the scale on which documents were judged;
    gdeval always takes 4. Left out, it is the largest grade that occurs, which the name of the
    measure then shows. Ties are averaged exactly; keywords are those of `rocsolid.ndcg`.

    >>> err([3, 2, 0], [3, 2, 1], max_grade=4).per_query
    array([0.49023438])
    """
    top = _top(relevance) if max_grade is None else max_grade

    def build(cutoff: Cutoff) -> GradedMeasure:
        return err_measure(cutoff, top)

    return estimate_at(relevance, scores, k, build, options)


def err_measure(cutoff: Cutoff, max_grade: float = 4) -> GradedMeasure:
    """ERR by these conventions.

    >>> err_measure(Cutoff(20)).name
    'ERR[max=4]@20'
    """
    gain = satisfaction(max_grade)
    return GradedMeasure(
        name=f"ERR[max={gain.top:g}]{cutoff_in_name(cutoff)}",
        gain=gain,
        formula=expected_reciprocal(cutoff),
        meaning=MEANING,
        cutoff=cutoff,
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

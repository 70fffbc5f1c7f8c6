"""What the measures of relevant-or-not documents share: their signature and their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Unpack, cast, overload

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.gains.formulas import at_least
from rocsolid.graded.measure import Formula, GradedMeasure, cutoff_in_name
from rocsolid.graded.options import GradedKeywords
from rocsolid.results import QueryEstimate


class CutMeasure(Protocol):
    """One estimate, or a dictionary of them by cut-off where ``k`` is a list or a tuple.

    ``relevant`` is the lowest grade that counts as relevant.
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
    """The function as it is, which result it gives being known to type checkers."""
    return cast(CutMeasure, function)


def relevance_measure(
    name: str, formula: Formula, meaning: str, relevant: float, cutoff: Cutoff
) -> GradedMeasure:
    """A measure of which documents are relevant; the lowest such grade is named unless it is 1.

    >>> from rocsolid.graded.r_precision import r_precision_formula
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
    )

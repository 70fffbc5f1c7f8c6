"""Average precision of a table of rows or of ranked lists, as the call has one or the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Unpack, cast, overload

from rocsolid.graded.average_precision import average_precision as of_lists
from rocsolid.graded.options import GradedKeywords
from rocsolid.inputs.grades import grades
from rocsolid.inputs.matrices import is_matrix
from rocsolid.measures.precision_recall_area import pr_auc
from rocsolid.results import Estimate, QueryEstimate

_ROWS_TOO = ("lower_is_better", "nan", "interval", "level", "alternative", "resamples", "seed")
"""The keywords that say nothing about lists."""


class RowsOrLists(Protocol):
    """What the function gives, by what it is given."""

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
    ) -> Any: ...


def _typed(function: Callable[..., Any]) -> RowsOrLists:
    return cast(RowsOrLists, function)


@_typed
def average_precision(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> Estimate | QueryEstimate | dict[Any, QueryEstimate]:
    """Average precision: of a table of rows, or the mean over ranked lists (MAP).

    *Rows.* Two flat arrays alone are a table: the result is that of `rocsolid.pr_auc`, and the
    value is scikit-learn's ``average_precision_score``. Rows with equal scores have one threshold,
    and so one precision. Where ``relevance`` has grades, those from ``relevant`` on are positive.

    *Ranked lists.* With ``qid``, with matrices that have a row for each query, with ``k`` or
    with another keyword of lists (``doc``, ``rank``, ``ties``, ``empty``, ``unjudged``,
    ``negative``, ``interval="items"``) it is the mean over queries, as trec_eval's map and map_cut.
    A query's average precision is the sum of the precisions at the ranks of its relevant documents,
    divided by how many there are, in the list or not. With ``k`` only ranks down to k are summed,
    the divisor stays. Documents with equal scores are averaged exactly over all their orders.

    Without ties both give the same number. The other keywords are those of `rocsolid.ndcg`;
    `rocsolid.pr_auc` also takes weights and clusters.

    >>> y, s = [1, 0, 1, 0], [2, 2, 1, 1]
    >>> average_precision(y, s).value  # as scikit-learn: precision 1/2 at both thresholds
    0.5
    >>> average_precision([y], [s]).per_query.round(4)  # the mean over the four orders
    array([0.6667])
    """
    given = {name: value for name, value in options.items() if value is not None}
    of_rows = {name: value for name, value in given.items() if name in _ROWS_TOO}
    flat = not (is_matrix(relevance) or is_matrix(scores))
    if flat and k is None and of_rows == given and options.get("interval") != "items":
        positive = grades(relevance, unjudged="raise", negative="zero") >= relevant
        return pr_auc(positive, scores, **cast(dict[str, Any], of_rows))
    found: QueryEstimate | dict[Any, QueryEstimate]
    found = of_lists(relevance, scores, k=k, relevant=relevant, **options)
    return found

"""`rocsolid.compare` for measures of ranked lists: query by query, over queries as the sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from rocsolid.arguments import nearest
from rocsolid.comparison.queries.of_lists import ListOptions, QueryTest, compare_lists
from rocsolid.errors import InputError
from rocsolid.graded.measure_name import is_of_lists
from rocsolid.inputs.matrices import is_matrix
from rocsolid.measures.named import of_lists
from rocsolid.results.query_comparison import QueryComparison

_EXAMPLES = '"ndcg@10", "map" or "rr@10", or "gauc" for the AUC of each query\'s own list'


def of_queries(measure: Any, qid: Any, lists: Mapping[str, Any], relevance: Any) -> bool:
    """Whether a comparison is over queries: its measure says so, or what else is given."""
    if qid is not None or lists:
        return True
    return of_lists(measure, queries=is_matrix(relevance))


def compare_by_query(
    relevance: Any,
    scores: Mapping[str, Any],
    *,
    measure: Any,
    qid: Any,
    of_rows: Mapping[str, Any],
    test: QueryTest,
    level: float,
    lower_is_better: bool,
    nan: Literal["raise", "omit"],
    lists: ListOptions,
) -> QueryComparison:
    """`compare_lists` behind the keywords of `rocsolid.compare`.

    ``of_rows`` are keywords that only a comparison of rows has a use for; they must be ``None``.
    """
    _check_keywords(lists)
    if not is_of_lists(measure):
        what = "qid" if qid is not None else next(iter(lists))
        raise InputError(
            f"{what} is for measures of ranked lists, and {measure!r} is none"
            if isinstance(measure, str)
            else f"{what} is for measures of ranked lists, and this is none",
            where="measure",
            fix=f"name one, such as {_EXAMPLES}; or leave {what} out",
        )
    for name, value in of_rows.items():
        if value is not None:
            raise InputError(
                f"{name} has no meaning for a measure of ranked lists",
                where=name,
                fix=f"leave it out: each query of qid counts once, and {name} is for "
                "measures of all rows together",
            )
    if qid is None and not is_matrix(relevance):
        raise InputError(
            "nothing says which rows belong to which query",
            where="qid",
            fix="pass qid=, the query of each row, or matrices with a row for each query",
        )
    return compare_lists(
        relevance, scores, measure=measure, qid=qid, lower_is_better=lower_is_better, nan=nan,
        level=level, test=replace(test, power=lists.get("power", test.power)), **lists,
    )  # fmt: skip


def _check_keywords(lists: Mapping[str, Any]) -> None:
    known = ListOptions.__annotations__
    for name in lists:
        if name not in known:
            close = nearest(name, (*known, "qid", "measure", "test", "adjust", "level", "cluster"))
            raise InputError(
                "unknown keyword",
                value=name,
                fix=f"use {close!r}"
                if close
                else f"beside those of compare use {', '.join(known)}",
            )

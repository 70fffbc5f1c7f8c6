"""`rocsolid.compare` for measures of ranked lists: query by query, over queries as the sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from rocsolid.arguments import nearest
from rocsolid.comparison.keywords import OF_QUERIES, PairKeywords
from rocsolid.comparison.queries.of_lists import compare_lists
from rocsolid.errors import InputError
from rocsolid.graded.measure_name import is_of_lists
from rocsolid.graded.options import GradedKeywords
from rocsolid.graded.profile import OURS
from rocsolid.inputs.matrices import is_matrix
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.named import of_lists
from rocsolid.results.query_comparison import QueryComparison

KEYWORDS = (
    "doc", "rank", "ties", "empty", "unjudged", "negative", "interval", "relevant", "power",
)  # fmt: skip
"""The keywords of `rocsolid.compare` that are for measures of ranked lists alone."""
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
    options: EstimateOptions,
    lists: Mapping[str, Any],
    **how: Unpack[PairKeywords],
) -> QueryComparison:
    """`compare_lists` behind the keywords of `rocsolid.compare`.

    ``of_rows`` are keywords that only a comparison of rows has a use for; they must be ``None``.
    ``lists`` are those that only ranked lists have a use for.
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
    given = dict(lists)
    columns: GradedKeywords = {"qid": qid, "doc": given.pop("doc", None)}
    columns["rank"] = given.pop("rank", None)
    how["power"] = given.pop("power", OF_QUERIES["power"])
    return compare_lists(
        relevance, scores, measure=measure, columns=columns,
        options=replace(options, interval=given.pop("interval", options.interval)),
        profile=replace(OURS, **given), **how,
    )  # fmt: skip


def _check_keywords(lists: Mapping[str, Any]) -> None:
    for name in lists:
        if name not in KEYWORDS:
            others = ("qid", "measure", "test", "adjust", "level", "cluster")
            close = nearest(name, (*KEYWORDS, *others))
            raise InputError(
                "unknown keyword",
                value=name,
                fix=f"use {close!r}"
                if close
                else f"beside those of compare use {', '.join(KEYWORDS)}",
            )

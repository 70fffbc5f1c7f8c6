"""Score columns of a table compared query by query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from rocsolid.answer.answer import Answer
from rocsolid.comparison.keywords import OF_QUERIES, PairKeywords
from rocsolid.engines.engine import Columns, Reading
from rocsolid.errors import InputError, UnsoundError
from rocsolid.evaluation.column_names import column_names
from rocsolid.evaluation.evaluate_queries import evaluate_queries
from rocsolid.evaluation.option_pairs import OF_ROWS, refuse_pairs
from rocsolid.evaluation.query_keywords import check_query_keywords
from rocsolid.intervals.estimate_options import EstimateOptions


def compare_query_table(
    data: Any,
    *,
    label: str,
    scores: str | Sequence[str],
    qid: str,
    measure: str,
    reading: Reading = Reading(),
    **how: Any,
) -> Answer:
    """What `rocsolid.compare` with ``qid`` says of columns, in the order given, and their means.

    ``data`` is whatever `rocsolid.evaluate` reads, and the other arguments name its columns;
    ``how`` has the keywords of `rocsolid.compare`, and those of `rocsolid.evaluate` with ``qid``.
    Columns, weights and segments that only rows have a use for must be missing or ``None``.

    >>> table = {"query": [1, 1, 2, 2, 3, 3], "grade": [0, 2, 1, 0, 1, 0],
    ...          "a": [1, 3, 2, 0, 1, 2], "b": [2, 1, 2, 0, 2, 1]}
    >>> answer = compare_query_table(table, label="grade", scores=["a", "b"], qid="query",
    ...                              measure="ndcg@10", margin=0.1)
    >>> print(answer.comparisons["ndcg@10"].non_inferiority[0])
    a is not shown to be non-inferior to b at margin 0.1 (one-sided 5 %): ...
    """
    if how.pop("by", None) is not None:
        raise UnsoundError(
            "segments of ranked lists are evaluated, and not compared",
            where="by",
            fix="leave by out, or evaluate each segment by itself with rocsolid evaluate",
        )
    refuse_pairs(qid=qid, **{name: how.pop(name, None) for name in OF_ROWS})
    given = {name: value for name, value in how.items() if value is not None}
    columns = {name: given.pop(name) for name in ("lower_is_better", "nan") if name in given}
    pairs = {name: given.pop(name) for name in PairKeywords.__annotations__ if name in given}
    check_query_keywords(given)
    names = column_names(scores, "scores")
    if len(names) < 2:
        raise InputError(
            "there is one score, so nothing to compare",
            where="scores",
            value=names[0],
            fix="name a second score",
        )
    answer = evaluate_queries(
        data, Columns(label, names, **columns), qid, measure, best_first=False, reading=reading,
        options=EstimateOptions(level=pairs.get("level", OF_QUERIES["level"]), **columns),
        how=cast(PairKeywords, pairs), **given,
    )  # fmt: skip
    (measured,) = answer.measures
    if measured.comparison is None:
        raise UnsoundError(measured.said[-1].rstrip("."), where=qid, fix="evaluate more queries")
    return answer

"""Ranked lists of several systems, compared query by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.build import OF_QUERIES, PairKeywords
from rocsolid.comparison.queries.compare_queries import compare_queries
from rocsolid.errors import InputError
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.graded.estimate import (
    READING,
    GradedKeywords,
    MeasuredQueries,
    averaged_alike,
    measured,
    read_rows,
)
from rocsolid.graded.measure_name import is_of_lists
from rocsolid.graded.measure_name import measure as measure_of
from rocsolid.graded.profile import OURS, Profile
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.inputs.matrices import as_matrix, is_matrix, missing_alike
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.named import of_lists
from rocsolid.parameters import sorted_keywords
from rocsolid.remarks.comparisons import MissingInSomeSystem, TreatedAsIndependent
from rocsolid.remarks.remark import Remark
from rocsolid.results import QueryEstimate
from rocsolid.results.plain import attributes
from rocsolid.results.query_estimate import QueryComparison, ties_of

KEYWORDS = (
    "doc", "rank", "ties", "empty", "unjudged", "negative", "interval", "relevant", "power",
)  # fmt: skip
_EXAMPLES = '"ndcg@10", "map" or "rr@10", or "gauc" for the AUC of each query\'s own list'


def of_queries(measure: Any, qid: Any, lists: Mapping[str, Any], relevance: Any) -> bool:
    if qid is not None or lists:
        return True
    return is_of_lists(measure) and of_lists(measure, queries=is_matrix(relevance))


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
    """Compare ranked lists with the keywords of `rocsolid.compare`.

    ``of_rows`` contains the keywords for comparisons of rows, which must be ``None``. ``lists``
    contains the keywords that apply only to ranked lists.
    """
    others = ("qid", "measure", "test", "adjust", "level", "cluster")
    (given,) = sorted_keywords(lists, KEYWORDS, others=others)
    if not is_of_lists(measure):
        what = "qid" if qid is not None else next(iter(lists))
        called = repr(measure) if isinstance(measure, str) else "the measure"
        raise InputError(
            f"{what} is for measures of ranked lists, but {called} is not one",
            where="measure",
            fix=f"use a measure such as {_EXAMPLES}; or leave {what} out",
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
            "the query of each row is not given",
            where="qid",
            fix="pass qid=, the query of each row, or matrices with a row for each query",
        )
    columns: GradedKeywords = {
        "qid": qid, "doc": given.pop("doc", None), "rank": given.pop("rank", None),
    }  # fmt: skip
    how["power"] = given.pop("power", OF_QUERIES["power"])
    return compare_lists(
        relevance, scores, measure=measure, columns=columns,
        options=replace(options, interval=given.pop("interval", options.interval)),
        profile=replace(OURS, **given), **how,
    )  # fmt: skip


def compare_lists(
    relevance: Any,
    scores: Mapping[str, Any],
    *,
    measure: str | GradedMeasure,
    columns: GradedKeywords | None = None,
    profile: Profile = OURS,
    options: EstimateOptions | None = None,
    **how: Unpack[PairKeywords],
) -> QueryComparison:
    """Test every pair of systems for a difference of a measure's mean over queries.

    ``relevance`` and each of the ``scores`` have a row for each document, with its query in the
    column ``qid``; alternatively, all are matrices with a row for each query. ``rank`` maps each
    system to a column. With the option ``nan="omit"``, a document without a score from one of the
    systems is left out for all systems.

    >>> result = compare_lists([[1, 0, 2], [0, 1, 0]], {"a": [[3, 2, 1], [1, 2, 3]],
    ...                        "b": [[3, 2, 4], [1, 3, 2]]}, measure="ndcg@2")
    >>> print(f"{result.pairs[0].difference:.4f} on {result.settings['queries'][0]} queries")
    -0.4945 on 2 queries
    """
    known: GradedKeywords = columns or {}
    options = options or EstimateOptions()
    if isinstance(measure, str):
        measure_of(measure)  # rejects an unknown name before any work
    systems: dict[str, MeasuredQueries] = {}
    graded: GradedMeasure | None = None
    for name, column in _columns(scores, options.nan).items():
        own: GradedKeywords = {**known, "rank": _rank_of(name, known.get("rank"))}
        rows = read_rows(relevance, column, own, profile, options, _called(name))
        if graded is None:
            graded = (
                measure if isinstance(measure, GradedMeasure) else _named(measure, rows, profile)
            )
        (systems[name],) = measured(rows, [graded], profile.ties)
    first = next(iter(systems.values()))
    averages = averaged_alike(systems, options, profile)
    return compare_measured(first, *averages, options, profile, **how)


def compare_measured(
    first: MeasuredQueries,
    estimates: Mapping[str, QueryEstimate],
    left_out: tuple[Remark, ...],
    options: EstimateOptions,
    profile: Profile,
    **how: Unpack[PairKeywords],
) -> QueryComparison:
    """Compare the means of systems; ``first`` is one of the systems."""
    how["level"] = options.level
    measure = first.of.measure
    low, high = measure.range
    return compare_queries(
        {
            name: estimate.per_query[~np.isnan(estimate.per_query)]
            for name, estimate in estimates.items()
        },
        estimates,
        measure=measure.name,
        range=(low, high) if np.isfinite(high) else None,
        warnings=(*left_out, *_left_out(first, how.get("paired", True)), *_tied(estimates)),
        settings={
            **attributes(profile, READING),
            **attributes(options, "lower_is_better nan"),
            "missing": profile.settings["missing"],
            "omitted": first.omitted,
        },
        **how,
    )


def _named(text: str, rows: GradedRows, profile: Profile) -> GradedMeasure:
    return measure_of(text, replace(profile, top=float(np.nanmax(rows.relevance, initial=1.0))))


def _rank_of(name: str, rank: Any) -> Any:
    if rank is not None and (not isinstance(rank, Mapping) or name not in rank):
        raise InputError(
            "every system has ranks of its own",
            where="rank",
            value=name,
            fix="pass a mapping of the systems' names to columns of ranks",
        )
    return None if rank is None else rank[name]


def _columns(scores: Any, nan: str) -> dict[str, Any]:
    """Return the scores by name; a document without a score from one system is NaN for all."""
    if not isinstance(scores, Mapping):
        raise InputError(
            f"the scores must be named, not a {type(scores).__name__}",
            where="scores",
            fix='pass a mapping of names to columns, such as {"a": s_a, "b": s_b}',
        )
    columns = {str(name): column for name, column in scores.items()}
    if len(columns) < len(scores):
        raise InputError("two names read the same", where="scores", value=list(scores))
    if len(columns) < 2:
        raise InputError(
            "a comparison needs at least two systems", where="scores", value=list(columns)
        )
    if nan != "omit":
        return columns
    numbers = {name: _numbers(column, name) for name, column in columns.items()}
    if len({each.shape for each in numbers.values()}) > 1:
        return columns  # rejected when the columns are read
    alike, gone = missing_alike(numbers)
    return alike if gone.any() else columns


def _numbers(column: Any, name: str) -> NDArray[Any]:
    if not is_matrix(column):
        return valid_scores(column, name=_called(name), nan="allow")
    matrix = as_matrix(column, _called(name))
    return valid_scores(matrix.ravel(), name=_called(name), nan="allow").reshape(matrix.shape)


def _called(name: str) -> str:
    return f"scores of {name!r}"


def _left_out(queries: MeasuredQueries, paired: bool) -> tuple[Remark, ...]:
    remarks: list[Remark] = []
    if queries.omitted:
        remarks.append(MissingInSomeSystem(queries.omitted))
    if not paired:
        remarks.append(TreatedAsIndependent(queries=True))
    return tuple(remarks)


def _tied(estimates: Mapping[str, QueryEstimate]) -> list[Remark]:
    return [
        text.of(name)
        for name, estimate in estimates.items()
        for text in ties_of(estimate.tied, estimate.worst, estimate.best)
    ]

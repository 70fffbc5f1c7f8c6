"""Ranked lists of several systems, compared query by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.queries.compare_queries import compare_queries
from rocsolid.errors import InputError
from rocsolid.graded.estimate import MeasuredQueries, measured
from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.measure_name import measure as measure_of
from rocsolid.graded.measure_options import Conventions
from rocsolid.graded.options import Empty, GradedOptions
from rocsolid.graded.systems import MissingQueries, averaged_alike
from rocsolid.inputs.graded_rows import GradedRows, graded_rows
from rocsolid.inputs.grades import Negative, Unjudged
from rocsolid.inputs.matrices import as_matrix, is_matrix, missing_alike
from rocsolid.inputs.scores import scores as valid_scores
from rocsolid.remarks.comparisons import MissingInSomeSystem, TreatedAsIndependent
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative, QueryEstimate
from rocsolid.results.plain import attributes
from rocsolid.results.query_comparison import QueryComparison
from rocsolid.results.query_estimate import ties_of
from rocsolid.summaries.query_lists import Ties


class ListOptions(TypedDict, total=False):
    """Keywords of `rocsolid.compare` that are for measures of ranked lists alone.

    ``doc``, ``ties``, ``empty``, ``unjudged``, ``negative`` and ``interval`` are those of
    `rocsolid.ndcg`; ``rank`` is a column for each system, by name. ``relevant`` is the lowest
    relevant grade. ``power`` is that of the least detectable difference.
    """

    doc: Any
    rank: Mapping[str, Any]
    ties: Ties
    empty: Empty
    unjudged: Unjudged
    negative: Negative
    interval: str
    relevant: float
    power: float


@dataclass(frozen=True, slots=True)
class QueryTest:
    """How systems are compared over queries; `compare_queries` documents each field.

    ``as_given`` keeps the order of the systems where they would else be the best first.
    """

    test: str = DEFAULT
    adjust: str = "max-t"
    paired: bool = True
    null: float = 0.0
    margin: float | None = None
    alternative: Alternative = "two-sided"
    power: float = 0.8
    resamples: int = 10_000
    seed: int = 0
    as_given: bool = False

    @property
    def in_order(self) -> bool:
        """Whether it matters which system of a pair comes first, or was said to."""
        equality = self.margin is None and self.null == 0.0 and self.alternative == "two-sided"
        return self.as_given or not equality


def compare_lists(
    relevance: Any,
    scores: Mapping[str, Any],
    *,
    measure: str | GradedMeasure,
    qid: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    level: float = 0.95,
    test: QueryTest | None = None,
    **lists: Unpack[ListOptions],
) -> QueryComparison:
    """Every pair of systems tested for a difference of a measure's mean over queries.

    ``relevance`` and each of the ``scores`` have a row for each document, with its query in
    ``qid``; or they are matrices with a row for each query. ``measure`` is a name such as
    "ndcg@10". ``nan="omit"`` leaves a document out for every system if one of them has no score
    for it.

    >>> found = compare_lists([[1, 0, 2], [0, 1, 0]], {"a": [[3, 2, 1], [1, 2, 3]],
    ...                       "b": [[3, 2, 4], [1, 3, 2]]}, measure="ndcg@2")
    >>> print(f"{found.pairs[0].difference:.4f} on {found.settings['queries'][0]} queries")
    -0.4945 on 2 queries
    """
    chosen = test or QueryTest()
    options = GradedOptions(
        ties=lists.get("ties", "average"),
        empty=lists.get("empty", "exclude"),
        unjudged=lists.get("unjudged", "zero"),
        negative=lists.get("negative", "raise"),
        lower_is_better=lower_is_better,
        nan=nan,
        interval=lists.get("interval", "auto"),
        level=level,
    )
    if isinstance(measure, str):
        measure_of(measure)  # refused before any work
    found: dict[str, MeasuredQueries] = {}
    one: GradedMeasure | None = None
    for name, column in _columns(scores, nan).items():
        rows = _rows(relevance, column, name, qid, options, lists)
        if one is None:
            one = measure if isinstance(measure, GradedMeasure) else _named(measure, rows, lists)
        (found[name],) = measured(rows, [one], options.ties)
    return compare_measured(found, options, chosen)


def compare_measured(
    systems: Mapping[str, MeasuredQueries],
    options: GradedOptions,
    test: QueryTest,
    missing: MissingQueries = "zero",
) -> QueryComparison:
    """The comparison of systems whose queries are measured already, in the same order for all."""
    estimates, said = averaged_alike(systems, options, missing)
    first = next(iter(systems.values()))
    measure = first.of.measure
    low, high = measure.range
    return compare_queries(
        {name: one.per_query[~np.isnan(one.per_query)] for name, one in estimates.items()},
        estimates,
        measure=measure.name,
        range=(low, high) if np.isfinite(high) else None,
        paired=test.paired,
        test=test.test,
        adjust=test.adjust,
        null=test.null,
        margin=test.margin,
        level=options.level,
        alternative=test.alternative,
        power=test.power,
        resamples=test.resamples,
        seed=test.seed,
        warnings=(*said, *_left_out(first, test.paired), *_tied(estimates)),
        settings={
            **attributes(options, "ties empty unjudged negative lower_is_better nan"),
            "missing": missing,
            "omitted": first.omitted,
        },
    )


def _named(text: str, rows: GradedRows, lists: ListOptions) -> GradedMeasure:
    top = float(np.nanmax(rows.relevance, initial=1.0))
    return measure_of(text, Conventions(relevant=lists.get("relevant", 1), max=top))


def _rows(
    relevance: Any, column: Any, name: str, qid: Any, options: GradedOptions, lists: ListOptions
) -> GradedRows:
    rank = lists.get("rank")
    if rank is not None and (not isinstance(rank, Mapping) or name not in rank):
        raise InputError(
            "every system has ranks of its own",
            where="rank",
            value=name,
            fix="pass a mapping of the systems' names to columns of ranks",
        )
    return graded_rows(
        relevance,
        column,
        qid=qid,
        doc=lists.get("doc"),
        rank=None if rank is None else rank[name],
        unjudged=options.unjudged,
        negative=options.negative,
        lower_is_better=options.lower_is_better,
        nan=options.nan,
        name=_called(name),
    )


def _columns(scores: Any, nan: str) -> dict[str, Any]:
    """The scores by name; those of a document that some system did not score are NaN for all."""
    if not isinstance(scores, Mapping):
        raise InputError(
            f"the scores must be named, not a {type(scores).__name__}",
            where="scores",
            fix='pass a mapping of names to columns, such as {"a": s_a, "b": s_b}',
        )
    found = {str(name): column for name, column in scores.items()}
    if len(found) < len(scores):
        raise InputError("two names read the same", where="scores", value=list(scores))
    if len(found) < 2:
        raise InputError(
            "a comparison needs at least two systems", where="scores", value=list(found)
        )
    if nan != "omit":
        return found
    numbers = {name: _numbers(column, name) for name, column in found.items()}
    if len({each.shape for each in numbers.values()}) > 1:
        return found  # refused where the columns are read
    alike, gone = missing_alike(numbers)
    return alike if gone.any() else found


def _numbers(column: Any, name: str) -> NDArray[Any]:
    if not is_matrix(column):
        return valid_scores(column, name=_called(name), nan="allow")
    matrix = as_matrix(column, _called(name))
    return valid_scores(matrix.ravel(), name=_called(name), nan="allow").reshape(matrix.shape)


def _called(name: str) -> str:
    return f"scores of {name!r}"


def _left_out(one: MeasuredQueries, paired: bool) -> tuple[Remark, ...]:
    found: list[Remark] = []
    if one.omitted:
        found.append(MissingInSomeSystem(one.omitted))
    if not paired:
        found.append(TreatedAsIndependent(queries=True))
    return tuple(found)


def _tied(estimates: Mapping[str, QueryEstimate]) -> list[Remark]:
    """Systems whose place in the ranking rests on how ties are counted."""
    return [
        text.of(name)
        for name, one in estimates.items()
        for text in ties_of(one.tied, one.worst, one.best)
    ]

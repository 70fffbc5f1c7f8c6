"""Measure blocks of whole queries, so that an engine can release its rows.

The result is the same to the last bit, however queries are assigned to blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.build import PairKeywords, over_queries
from rocsolid.comparison.queries.of_lists import compare_measured
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.evaluation.query_numbers import MeasuredRuns, QueryNumbers, SegmentOfQueries
from rocsolid.evaluation.sample import Sample
from rocsolid.graded.by_profile import Judged, limits_of, measures_of, refuse, rows_of
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.graded.estimate import MeasuredQueries, averaged_alike
from rocsolid.graded.profile import OURS, Profile
from rocsolid.graded.query_values import QueryValues, joined, query_values
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.folds import Segments, segments_of
from rocsolid.inputs.graded_rows import GradedRows, graded_rows, grades
from rocsolid.inputs.groups import codes, plain
from rocsolid.inputs.matrices import missing_alike
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.tables import Table
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.remarks.lists import (
    GainMatters,
    OneQueryCompared,
    OpenOrder,
    OpenResidual,
    UnscoredRows,
)
from rocsolid.remarks.remark import Remark
from rocsolid.results.plain import attributes, each_once

_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankedTable:
    """The columns of ranked lists in a table, and their measures; it can be pickled.

    ``cluster`` is the column of the query's cluster. ``best_first`` puts the better score first in
    each pair. ``top`` is the largest grade of the whole table; without it a measure that depends on
    it (ERR, unless its name contains ``max=``) is refused.
    """

    label: str
    qid: str
    scores: tuple[str, ...]
    measures: tuple[str, ...]
    profile: Profile = OURS
    by: tuple[str, ...] = ()
    doc: str | None = None
    top: float | None = None
    lower_is_better: bool = False
    nan: Literal["raise", "omit"] = "raise"
    best_first: bool = True
    cluster: str | None = None

    @property
    def of_queries(self) -> tuple[str, ...]:
        """The columns with one value per query."""
        return (*self.by, *(() if self.cluster is None else (self.cluster,)))

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that group or name rows."""
        return (self.qid, *self.of_queries, *(() if self.doc is None else (self.doc,)))

    @property
    def numbers(self) -> tuple[str, ...]:
        return (self.label, *self.scores)

    @property
    def needs_top(self) -> bool:
        return self._named(1.0) != self._named(2.0)

    def built(self) -> dict[str, GradedMeasure]:
        if self.top is None and self.needs_top:
            raise InputError(
                "the highest possible grade is not known",
                where="measures",
                value=list(self.measures),
                fix="add it to the name of the measure, such as err(max=4)@20",
            )
        return measures_of(self.measures, self.profile, self.top or 1.0)

    def _named(self, top: float) -> list[str]:
        return [each.name for each in measures_of(self.measures, self.profile, top).values()]


def query_values_of_block(
    block: Mapping[str, NDArray[Any]], table: RankedTable, rows: Rows = ARRAY_ROWS
) -> QueryValues:
    """Measure the queries of a block, which contains all of their rows and no others.

    ``block`` has the columns of ``table.keys`` and ``table.numbers`` by name. The order of rows
    matters only to ``ties="input"``. ``rows`` defines how errors name rows.

    >>> table = RankedTable("grade", "query", ("a",), ("ndcg@10",))
    >>> first, second = (
    ...     query_values_of_block({"grade": np.array([1, 0]), "query": np.array([q, q]),
    ...                            "a": np.array([0.1, 0.7])}, table)
    ...     for q in ("x", "y")
    ... )
    >>> (first + second).value.round(4)
    array([[[0.6309, 0.6309]]])
    """
    measures = list(table.built().values())
    profile = table.profile
    texts = {name: f"column {name!r}" for name in (*table.keys, *table.numbers)}
    check_lengths({texts[name]: len(block[name]) for name in texts})
    queries = _Queries.of(block[table.qid], texts[table.qid], rows)
    keys = [
        queries.constant(
            block[name],
            texts[name],
            table.qid,
            rows,
            "clusters" if name == table.cluster else "segments",
        )
        for name in table.of_queries
    ]
    grade = grades(
        block[table.label], negative=profile.negative, name=texts[table.label], rows=rows
    )
    numbers = {
        name: valid_scores(
            block[name],
            name=texts[name],
            nan="raise" if table.nan == "raise" else "allow",
            rows=rows,
        )
        for name in table.scores
    }
    if profile.precision == "float32":  # by value, before long integers become mere places
        numbers = {name: each.astype(np.float64) for name, each in numbers.items()}
    alike, gone = missing_alike(numbers)
    systems = []
    for name, score in alike.items():
        ranked = graded_rows(
            grade,
            score,
            qid=queries.of_row,
            doc=None if table.doc is None else block[table.doc],
            lower_is_better=table.lower_is_better,
            nan="omit" if gone.any() else "raise",
            name=texts[name],
        )
        both = replace(ranked, qids=queries.names)
        systems.append(_as_the_tool(Judged(both, both), profile))
    return query_values(systems, measures, profile.ties, keys, queries.counted(gone))


def _as_the_tool(judged: Judged, profile: Profile) -> GradedRows:
    refuse(judged, profile)
    # a query that is to be left out is left out for all scores, so it stays until all are known
    return rows_of(judged, replace(profile, missing="zero"))[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Queries:
    of_row: _INT
    names: NDArray[Any]

    @classmethod
    def of(cls, qid: NDArray[Any], name: str, rows: Rows) -> _Queries:
        code, distinct = codes(qid, name, rows=rows)
        first = np.full(len(distinct), len(code))
        np.minimum.at(first, code, np.arange(len(code)))
        order = np.argsort(first)
        number = np.empty(len(distinct), dtype=np.int64)
        number[order] = np.arange(len(distinct))
        return cls(number[code], distinct[order])

    def counted(self, which: NDArray[np.bool_]) -> _INT:
        return np.bincount(self.of_row[which], minlength=len(self.names)).astype(np.int64)

    def constant(
        self, key: NDArray[Any], name: str, qid: str, rows: Rows, word: str
    ) -> NDArray[Any]:
        code, distinct = codes(key, name, rows=rows)
        segment = np.zeros(len(self.names), dtype=np.int64)
        segment[self.of_row] = code
        other = np.flatnonzero(segment[self.of_row] != code)
        if other.size:
            row = other[0]
            query = self.of_row[row]
            values = [distinct[segment[query]], distinct[code[row]]]
            raise InputError(
                f"a query has rows in two {word}, but {word} consist of whole queries: {qid} "
                f"{plain(self.names[query])!r}",
                where=f"{name}, {rows.name([row])}",
                value=sorted((plain(value) for value in values), key=str),
                fix="use a column that is the same for all rows of a query",
            )
        return np.asarray(distinct[segment])


def clustered(
    parts: Sequence[QueryValues], table: RankedTable, options: EstimateOptions, source: str
) -> tuple[dict[str, Sample], dict[tuple[str, str], tuple[Remark, ...]]]:
    """The value of every query for each score, by measure as requested and by cluster.

    A query without a value for some score is left out for all, as without clusters. The second
    result has the notes on lists by measure and score.
    """
    values = joined(parts).in_order()
    samples: dict[str, Sample] = {}
    remarks: dict[tuple[str, str], tuple[Remark, ...]] = {}
    for name, systems in _by_measure(values, table).items():
        estimates, left_out = averaged_alike(systems, options, table.profile)
        for score, estimate in estimates.items():
            own = tuple(each for each in estimate.warnings if isinstance(each, _OF_LISTS))
            remarks[name, score] = (*own, *left_out, *_limits(values, table))
        first = next(iter(systems.values())).of.measure
        low, high = first.range
        kept = ~np.isnan(next(iter(estimates.values())).per_query)
        samples[name] = Sample(
            {score: estimate.per_query[kept] for score, estimate in estimates.items()},
            measure=first.name, unit="query", source=source, cluster=values.keys[-1][kept],
            range=(low, high) if np.isfinite(high) else None,
        )  # fmt: skip
    return samples, remarks


_OF_LISTS = (GainMatters, OpenOrder, OpenResidual, UnscoredRows)
"""Remarks about lists, which apply to any unit of the mean."""


_By = dict[str, dict[str, MeasuredQueries]]  # measure as requested, then score


def query_numbers(
    parts: Sequence[QueryValues],
    table: RankedTable,
    options: EstimateOptions,
    how: PairKeywords,
    *,
    source: str,
    rows: int,
    library: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> QueryNumbers:
    """The numbers of a table from the parts of `query_values_of_block`, in any order.

    The queries are sorted by key, so that the result does not depend on the order of the rows.
    ``progress`` is called with the number of finished segments and the total.

    >>> from rocsolid.evaluation.query_estimates import query_values_of_block
    >>> table = RankedTable("grade", "query", ("a",), ("rr",))
    >>> part = query_values_of_block({"grade": np.array([0, 1, 1]), "query": np.array([1, 1, 2]),
    ...                               "a": np.array([3, 2, 1])}, table)
    >>> numbers = query_numbers([part], table, EstimateOptions(), {}, source="", rows=3)
    >>> next(numbers.results).value
    0.75
    """
    values = joined(parts).in_order()
    if not len(values):
        raise InputError("there are no rows", where=source, fix="pass at least one row")
    whole = _by_measure(values, table)
    measures = tuple(
        measured_systems(
            name, systems, options, table.profile, how, best_first=table.best_first, noun="score"
        )
        for name, systems in whole.items()
    )
    segments = None
    if table.by:
        keys = dict(zip(table.by, values.keys, strict=True))
        segments = segments_of(Table(keys, ARRAY_ROWS, source), table.by)
    return QueryNumbers(
        source=source,
        library=library,
        label=table.label,
        qid=table.qid,
        n_rows=rows,
        queries=len(values),
        scores=table.scores,
        measures=measures,
        notes=_limits(values, table),
        settings={
            **table.profile.settings,
            **attributes(table, "relevant=profile.relevant lower_is_better nan"),
            "omitted": int(values.omitted.sum()),
            **attributes(options, "interval level alternative"),
            **over_queries(how, "test adjust resamples seed"),
        },
        segments=segments,
        parts=()
        if segments is None
        else tuple(_segments(values, segments, table, options, progress)),
    )


def _by_measure(values: QueryValues, table: RankedTable) -> _By:
    built = table.built()
    measured = values.measured(list(built.values()))
    return {
        name: {score: measured[i][j] for i, score in enumerate(table.scores)}
        for j, name in enumerate(built)
    }


def _segments(
    values: QueryValues,
    segments: Segments,
    table: RankedTable,
    options: EstimateOptions,
    progress: Callable[[int, int], None] | None,
) -> list[SegmentOfQueries]:
    measured = []
    every = options.together(len(segments))
    order = np.argsort(segments.code, kind="stable")
    ends = np.cumsum(np.bincount(segments.code, minlength=len(segments)))
    for segment, which in enumerate(np.split(order, ends[:-1])):
        if progress is not None:
            progress(segment, len(segments))
        for name, systems in _by_measure(values.taken(which), table).items():
            try:
                estimates, left_out = averaged_alike(systems, options, table.profile)
            except (InputError, UnsoundError) as error:  # all queries together went through
                measured.append(SegmentOfQueries(segment, name, {}, len(which), reason=error.what))
            else:
                sure, _ = averaged_alike(systems, every, table.profile)
                together = {score: estimate.certified for score, estimate in sure.items()}
                measured.append(
                    SegmentOfQueries(
                        segment, name, estimates, len(which), left_out, together=together
                    )
                )
    return measured


def _limits(values: QueryValues, table: RankedTable) -> tuple[Remark, ...]:
    limits = [
        (name, text)
        for name, lengths, top in zip(table.scores, values.length, values.top, strict=True)
        for text in limits_of(lengths, float(np.nanmax(top, initial=0.0)), table.profile)
    ]
    return each_once(limits, everywhere=len(table.scores))


def measured_systems(
    name: str,
    systems: Mapping[str, MeasuredQueries],
    options: EstimateOptions,
    profile: Profile,
    how: PairKeywords,
    *,
    best_first: bool = True,
    noun: str = "run",
) -> MeasuredRuns:
    """Systems best first, so that no difference is negative; in the given order if the test needs
    it.

    >>> import numpy as np
    >>> from rocsolid.graded.estimate import measured
    >>> from rocsolid.graded.measure_name import measure
    >>> from rocsolid.graded.profile import OURS
    >>> from rocsolid.inputs.graded_rows import graded_rows
    >>> rows = graded_rows([0, 1, 1, 0], [1, 2, 3, 4], qid=[1, 1, 2, 2])
    >>> (one,) = measured(rows, [measure("rr")], "average")
    >>> found = measured_systems("rr", {"a": one}, EstimateOptions(), OURS, {})
    >>> found.estimates["a"].value, found.comparison
    (0.75, None)
    """
    estimates, left_out = averaged_alike(systems, options, profile)
    order = sorted(estimates, key=lambda name: -estimates[name].value)
    ordered = {name: estimates[name] for name in order}
    counted = next(iter(estimates.values())).n_queries
    if len(systems) < 2 or counted < 2:
        if len(systems) > 1:
            left_out += (OneQueryCompared(noun),)
        return MeasuredRuns(name, ordered, None, left_out, noun)
    hypothesis = over_queries(how, "null margin alternative")
    if best_first and hypothesis == over_queries({}, "null margin alternative"):
        estimates = ordered
    first = next(iter(systems.values()))
    comparison = compare_measured(first, estimates, left_out, options, profile, **how)
    return MeasuredRuns(name, ordered, comparison, left_out, noun)

"""From the numbers of all queries to estimates, comparisons and segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rocsolid.comparison.keywords import PairKeywords, over_queries
from rocsolid.comparison.queries.of_lists import compare_measured
from rocsolid.errors import InputError, UnsoundError
from rocsolid.evaluation.query_block import RankedTable
from rocsolid.evaluation.query_numbers import MeasuredRuns, QueryNumbers, SegmentOfQueries
from rocsolid.graded.by_profile import limits_of
from rocsolid.graded.estimate import MeasuredQueries
from rocsolid.graded.profile import Profile
from rocsolid.graded.query_values import QueryValues, joined
from rocsolid.graded.systems import averaged_alike
from rocsolid.inputs import Table
from rocsolid.inputs.rows import ARRAY_ROWS
from rocsolid.inputs.segments import Segments, segments_of
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.remarks.lists import OneQueryCompared
from rocsolid.remarks.remark import Remark
from rocsolid.results.each_once import each_once
from rocsolid.results.plain import attributes

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
    """The numbers of a table from the parts that `query_values_of_block` made, in whatever order.

    The queries are taken in ascending order of their keys, so that the result does not depend on
    the order of the rows, nor on how queries were dealt to blocks. ``rows`` is the number of rows
    that there were. ``progress`` is called with the segments done and all there are.

    >>> from rocsolid.evaluation.query_block import query_values_of_block
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
    """Where the profile's tool itself would not take the table."""
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
    """Best first, so that no difference is negative; in the order given where the test needs it.

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
        systems = {name: systems[name] for name in order}
    comparison = compare_measured(systems, options, profile, **how)
    return MeasuredRuns(name, ordered, comparison, left_out, noun)

"""Values of any declared measure on random samples of a query's items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.binary.grouped_rows import GroupedRows
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import score_counts
from rocsolid.errors import InputError, UnsoundError
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.graded.items import per_query
from rocsolid.graded.measure_name import measure as list_measure
from rocsolid.graded.profile import OURS
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.named import measure_of, of_lists
from rocsolid.summaries.groups import Groups

_F = NDArray[np.float64]

Declared = GradedMeasure | BinaryMeasure


def declared(measures: Iterable[Any], *, queries: bool, top: float = 1.0) -> tuple[Declared, ...]:
    """Return the measures of these names, or weights of the ROC curve.

    Average precision, precision and recall belong to rows and to lists: with ``queries``, to lists.
    ``top`` is the largest grade, for measures that do not name one.

    >>> [measure.name for measure in declared(["auc", "rbp(p=0.5)", "ap"], queries=True)]
    ['auc', 'RBP(p=0.5)', 'AP']
    """
    profile = replace(OURS, top=max(top, 1.0))
    every = [
        list_measure(text, profile) if of_lists(text, queries=queries) else measure_of(text)
        for text in measures
    ]
    for i, measure in enumerate(every):
        if measure.name in [other.name for other in every[:i]]:
            raise InputError("a measure is requested twice", where="measures", value=measure.name)
    return tuple(every)


@dataclass(frozen=True, slots=True, eq=False)
class QueryRows:
    """The grades of a query's items, NaN if not judged, and a score of each ranker."""

    grade: _F
    scores: tuple[_F, ...]

    @property
    def positive(self) -> NDArray[np.bool_]:
        """The positives of a measure of two classes: the documents that measures of lists count."""
        return np.asarray(self.grade >= OURS.relevant)


def sampled_values(
    rows: QueryRows,
    time: NDArray[np.int32],
    windows: Sequence[tuple[int, int]],
    measures: Sequence[Declared],
) -> _F:
    """Return values by ranker, measure, window and sample; NaN where a measure is undefined.

    Row i of ``time`` numbers the items; the sample of a window (low, high) contains the items with
    low < time ≤ high.

    >>> rows = QueryRows(np.array([0.0, 1.0, 1.0]), (np.array([2.0, 3.0, 1.0]),))
    >>> time = np.array([[1, 2, 3]], dtype=np.int32)
    >>> measures = declared(["auc", "rr"], queries=True)
    >>> sampled_values(rows, time, [(0, 2), (0, 3)], measures)[0, :, :, 0]
    array([[1. , 0.5],
           [1. , 1. ]])
    """
    # all samples of a whole list are that list
    timed = [time[:1] if high - low == time.shape[1] else time for low, high in windows]
    inside = [(t > low) & (t <= high) for t, (low, high) in zip(timed, windows, strict=True)]
    items = np.concatenate([np.nonzero(chosen)[1] for chosen in inside])
    sizes = np.repeat([high - low for low, high in windows], [len(t) for t in timed])
    grade, positive = rows.grade[items], rows.positive[items]
    shape = (len(rows.scores), len(measures), len(windows), len(time))
    values = np.empty(shape)
    ends = np.cumsum([len(t) for t in timed])[:-1]
    for r, score in enumerate(rows.scores):
        columns = _of_samples(grade, positive, score[items], sizes, measures)
        for j, column in enumerate(columns):
            for i, of_window in enumerate(np.split(column, ends)):
                values[r, j, i] = of_window
    return values


def _of_samples(
    grade: _F,
    positive: NDArray[np.bool_],
    score: _F,
    sizes: NDArray[np.int64],
    measures: Sequence[Declared],
) -> list[_F]:
    """Return each measure of samples whose rows follow one another."""
    of_queries = [measure for measure in measures if isinstance(measure, GradedMeasure)]
    samples = np.arange(len(sizes))
    queries = GradedRows(grade, score, np.concatenate([[0], np.cumsum(sizes)]), samples)
    by_list = iter(per_query(queries, (), values_only=of_queries)[0] if of_queries else ())
    rows, groups = BinaryRows(positive, score), Groups.of(np.repeat(samples, sizes), len(sizes))
    ranked = GroupedRows.of(rows, groups) if len(of_queries) < len(measures) else None
    values = []
    for measure in measures:
        if isinstance(measure, GradedMeasure):
            values.append(next(by_list).value)
            continue
        assert ranked is not None
        columns = measure.columns(ranked, Options())
        value = np.full(len(sizes), np.nan) if columns is None else columns.value.copy()
        for group in samples if columns is None else ranked.left_out:
            value[group] = _of_rows(measure, rows.subset(groups.rows(int(group))))
        values.append(value)
    return values


def _of_rows(measure: BinaryMeasure, rows: BinaryRows) -> float:
    if rows.positive.all() or not rows.positive.any():
        return float("nan")
    try:
        of_table = measure.of_table(rows)
        if of_table is None:
            return float(measure.estimate(ScoredRows(rows), Options()).value)
        return float(of_table(score_counts(rows)))
    except UnsoundError:  # such as a cut below the last row
        return float("nan")

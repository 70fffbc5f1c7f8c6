"""Some numbers for each measured query, from blocks of whole queries.

Measures use one query at a time, so rows can be measured in blocks of whole queries, at their
source. The mean over queries, its interval and every comparison are functions of these numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.gains.gain import LARGEST
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.graded.estimate import MeasuredQueries, measured
from rocsolid.graded.items import ListCounts, PerQuery
from rocsolid.inputs.delimited import listed
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.inputs.groups import codes
from rocsolid.summaries.groups import Ties

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class QueryValues:
    """Values of scores by measures for some whole queries; the last axis of arrays is the query.

    ``keys`` are the columns of segments. By (score, measure, query): ``value``; ``worst`` and
    ``best``, its bounds over the orders of tied documents; ``judged``, the share of judged
    documents among those that the measure uses; ``beside``, the value with the other gain or the
    residual (NaN if there is neither). By (score, query): ``length`` of the list, number of
    ``tied`` documents, ``top`` grade (NaN: none judged), and whether some grade is neither 0 nor 1
    (``graded``). ``omitted`` counts the rows of a query without a score.

    ``a + b`` contains the queries of two parts, and `joined` those of many. All fields are plain
    arrays, so parts can be pickled. The numbers of a query do not depend on other queries.
    """

    qids: NDArray[Any]
    keys: tuple[NDArray[Any], ...]
    value: _FLOATS
    worst: _FLOATS
    best: _FLOATS
    judged: _FLOATS
    beside: _FLOATS
    length: _INT
    tied: _INT
    top: _FLOATS
    graded: NDArray[np.bool_]
    omitted: _INT

    def __len__(self) -> int:
        return len(self.qids)

    def __add__(self, other: QueryValues) -> QueryValues:
        return joined([self, other])

    def taken(self, which: NDArray[np.intp]) -> QueryValues:
        return QueryValues(
            self.qids[which],
            tuple(key[which] for key in self.keys),
            **{name: getattr(self, name)[..., which] for name in _BY_QUERY},
        )

    def in_order(self) -> QueryValues:
        """Return the queries in ascending order of identifiers.

        Sums are then equal to the last bit. Identifiers without an order keep theirs.
        """
        code, distinct = codes(self.qids, "qid")
        if len(distinct) < len(code):
            twice = distinct[np.bincount(code) > 1]
            raise InputError(
                "the rows of a query came in two blocks, each measured as a whole query",
                where=f"qid {listed(twice.tolist(), 3)}",
                fix="keep all rows of a query in one block",
            )
        return self.taken(np.argsort(code))

    def measured(self, measures: Sequence[GradedMeasure]) -> list[list[MeasuredQueries]]:
        """Return the measured queries by score and measure, for averages and comparisons."""
        return [
            [self._measured(score, at, measure) for at, measure in enumerate(measures)]
            for score in range(len(self.length))
        ]

    def _measured(self, score: int, column: int, measure: GradedMeasure) -> MeasuredQueries:
        columns = (self.value, self.worst, self.best, self.judged)
        nothing = np.full(len(self), np.nan)

        def beside(further: GradedMeasure | None) -> PerQuery | None:
            values = self.beside[score, column]
            return None if further is None else PerQuery(further, values, nothing, nothing, nothing)

        return MeasuredQueries(
            PerQuery(measure, *(values[score, column] for values in columns)),
            beside(measure.rival if self._gain_matters(score) else None),
            ListCounts(self.length[score], self.tied[score], None),
            self.qids,
            int(self.omitted.sum()),
            beside(measure.residual),
        )

    def _gain_matters(self, score: int) -> bool:
        return bool(self.graded[score].any()) and not _too_large(self.top[score])


_BY_QUERY = tuple(field.name for field in fields(QueryValues))[2:]


def joined(parts: Sequence[QueryValues]) -> QueryValues:
    """Return the queries of all parts, in the order of the parts.

    >>> from rocsolid.graded.precision import precision_measure
    >>> from rocsolid.discounts.cutoff import Cutoff
    >>> def block(relevance, qid):
    ...     rows = GradedRows(np.array(relevance), np.array([2.0, 1.0]), np.array([0, 2]),
    ...                       np.array([qid]))
    ...     return query_values([rows], [precision_measure(Cutoff(1))])
    >>> both = joined([block([0.0, 1.0], "q2"), block([1.0, 0.0], "q1")])
    >>> both.in_order().qids.tolist(), both.in_order().value[0, 0].tolist()
    (['q1', 'q2'], [1.0, 0.0])
    """
    if not parts:
        raise InputError("there is no block of queries", fix="pass at least one")
    return QueryValues(
        np.concatenate([part.qids for part in parts]),
        tuple(np.concatenate(same) for same in zip(*(part.keys for part in parts), strict=True)),
        **{
            name: np.concatenate([getattr(part, name) for part in parts], axis=-1)
            for name in _BY_QUERY
        },
    )


def query_values(
    systems: Sequence[GradedRows],
    measures: Sequence[GradedMeasure],
    ties: Ties = "average",
    keys: Sequence[NDArray[Any]] = (),
    omitted: _INT | None = None,
) -> QueryValues:
    """Return every measure of every query, for several scores of the same queries.

    ``keys`` and ``omitted`` have an entry for each query.

    >>> from rocsolid.graded.measure_name import measure
    >>> rows = GradedRows(np.array([0.0, 1.0]), np.array([2.0, 1.0]), np.array([0, 2]),
    ...                   np.array(["q"]))
    >>> query_values([rows], [measure("rr"), measure("P_1")]).value[:, :, 0]
    array([[0.5, 0. ]])
    """
    qids = systems[0].qids
    shape = (len(systems), len(measures), len(qids))
    value, worst, best, judged, beside = (np.full(shape, np.nan) for _ in range(5))
    length, tied = (np.zeros((len(systems), len(qids)), dtype=np.int64) for _ in range(2))
    top = np.full((len(systems), len(qids)), np.nan)
    graded = np.zeros((len(systems), len(qids)), dtype=np.bool_)
    for i, rows in enumerate(systems):
        top[i], graded[i] = _grades(rows)
        for j, queries in enumerate(measured(rows, measures, ties)):
            per = queries.of
            value[i, j], worst[i, j], best[i, j] = per.value, per.worst, per.best
            judged[i, j] = per.judged
            length[i], tied[i] = queries.counts.length, queries.counts.tied
            if (further := queries.rival or queries.residual) is not None:
                beside[i, j] = further.value
            elif queries.of.measure.rival is not None and not _too_large(top[i]):
                beside[i, j] = queries.of.value  # both gains are equal for the grades 0 and 1
    nothing = np.zeros(len(qids), dtype=np.int64)
    return QueryValues(
        qids, tuple(keys), value, worst, best, judged, beside, length, tied, top, graded,
        nothing if omitted is None else omitted,
    )  # fmt: skip


def _grades(rows: GradedRows) -> tuple[_FLOATS, NDArray[np.bool_]]:
    """Return the largest grade of each query, and whether some grade is neither 0 nor 1."""
    of_row = np.repeat(np.arange(len(rows.qids)), rows.sizes)
    grade = rows.relevance
    top = np.full(len(rows.qids), np.nan)
    np.fmax.at(top, of_row, grade)
    other = (grade != 0.0) & (grade != 1.0) & (grade == grade)
    return top, np.bincount(of_row[other], minlength=len(rows.qids)) > 0


def _too_large(top: _FLOATS) -> bool:
    return bool((top > LARGEST).any())

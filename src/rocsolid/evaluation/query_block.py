"""A block of whole queries measured: what an engine does with rows before they are given up.

`query_values_of_block` turns the rows of some whole queries into a few numbers a query. The parts
of any number of blocks are joined, and `query_numbers` turns the numbers of all queries into
estimates and comparisons. However queries were dealt to blocks, the result is the same to the last
bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.graded.by_profile import Judged, measures_of, refuse, rows_of
from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.profile import OURS, Profile
from rocsolid.graded.query_values import QueryValues, query_values
from rocsolid.inputs import codes, plain
from rocsolid.inputs import scores as valid_scores
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.graded_rows import GradedRows, graded_rows
from rocsolid.inputs.grades import grades
from rocsolid.inputs.matrices import missing_alike
from rocsolid.inputs.rows import ARRAY_ROWS, Rows

_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankedTable:
    """Where a table has ranked lists, and which measures are taken of them.

    ``profile`` says how the lists are read. ``best_first`` puts the better score first in each
    pair; otherwise pairs are in the order given. ``top`` is the largest grade of the whole table,
    and ``None`` where nobody looked: then a measure that depends on it (ERR, unless its name says
    ``max=``) is refused. It can be pickled, so that it goes to where the rows are.
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

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that group or name rows."""
        return (self.qid, *self.by, *(() if self.doc is None else (self.doc,)))

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns of numbers; a missing one is NaN."""
        return (self.label, *self.scores)

    @property
    def needs_top(self) -> bool:
        """Whether a measure depends on the largest grade of the whole table."""
        return self._named(1.0) != self._named(2.0)

    def built(self) -> dict[str, GradedMeasure]:
        """The measures under the names that they were requested by."""
        if self.top is None and self.needs_top:
            raise InputError(
                "the top of the scale of grades is not known",
                where="measures",
                value=list(self.measures),
                fix="say it in the name of the measure, such as err(max=4)@20",
            )
        return measures_of(self.measures, self.profile, self.top or 1.0)

    def _named(self, top: float) -> list[str]:
        return [each.name for each in measures_of(self.measures, self.profile, top).values()]


def query_values_of_block(
    block: Mapping[str, NDArray[Any]], table: RankedTable, rows: Rows = ARRAY_ROWS
) -> QueryValues:
    """The numbers of the queries in a block, which holds all of their rows and no others.

    ``block`` has the columns of ``table.keys`` and ``table.numbers`` by name. Rows of a query need
    not stand together; their order matters to ``ties="input"`` alone. Everything about the rows is
    checked here, and ``rows`` says how an error names them. With ``nan="omit"`` a row that lacks
    one of the scores is left out for all.

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
    named = {name: f"column {name!r}" for name in (*table.keys, *table.numbers)}
    check_lengths({named[name]: len(block[name]) for name in named})
    queries = _Queries.of(block[table.qid], named[table.qid], rows)
    keys = [queries.constant(block[name], named[name], table.qid, rows) for name in table.by]
    grade = grades(
        block[table.label], negative=profile.negative, name=named[table.label], rows=rows
    )
    numbers = {
        name: valid_scores(
            block[name],
            name=named[name],
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
            name=named[name],
        )
        both = replace(ranked, qids=queries.names)
        systems.append(_as_the_tool(Judged(both, both), profile))
    return query_values(systems, measures, profile.ties, keys, queries.counted(gone))


def _as_the_tool(judged: Judged, profile: Profile) -> GradedRows:
    """The rows that the profile's tool sees; what stops it stops here."""
    refuse(judged, profile)
    # a query that is to be left out is left out for all scores, so it stays until all are known
    return rows_of(judged, replace(profile, missing="zero"))[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Queries:
    """The queries of a block in order of first appearance, and which of them each row is from."""

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
        """How many rows of each query are marked."""
        return np.bincount(self.of_row[which], minlength=len(self.names)).astype(np.int64)

    def constant(self, key: NDArray[Any], name: str, qid: str, rows: Rows) -> NDArray[Any]:
        """The one value of a segment column in each query."""
        code, distinct = codes(key, name, rows=rows)
        segment = np.zeros(len(self.names), dtype=np.int64)
        segment[self.of_row] = code
        other = np.flatnonzero(segment[self.of_row] != code)
        if other.size:
            row = other[0]
            query = self.of_row[row]
            values = [distinct[segment[query]], distinct[code[row]]]
            raise InputError(
                f"a query has rows in two segments, and segments are made of whole queries: "
                f"{qid} {plain(self.names[query])!r}",
                where=f"{name}, {rows.name([row])}",
                value=sorted((plain(value) for value in values), key=str),
                fix="take a column that is the same for all rows of a query",
            )
        return np.asarray(distinct[segment])

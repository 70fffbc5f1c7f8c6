"""Judgements: the grade of a document for a query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.errors import InputError
from rocsolid.inputs.grades import Negative
from rocsolid.inputs.trec.arrow import QRELS
from rocsolid.inputs.trec.columns import RawColumns
from rocsolid.inputs.trec.repeats import (
    Duplicates,
    RepeatedDocuments,
    check_duplicates,
    kept,
    repeats,
)
from rocsolid.inputs.trec.sources import read_columns


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Judged documents, each once a query, with finite grades of 0 or more.

    ``queries[query]`` are the query ids of the rows, ``document`` is a pyarrow column of text.
    ``repeated`` judgements said the same again, ``conflicting`` documents had several grades, and
    ``negative`` rows had a grade below 0 that was made 0 or taken out.
    """

    queries: tuple[str, ...]
    query: NDArray[np.int32]
    document: Any
    grade: NDArray[np.float64]
    source: str
    repeated: int = 0
    conflicting: int = 0
    negative: int = 0

    def __len__(self) -> int:
        return len(self.grade)


def read_qrels(
    source: Any, *, negative: Negative = "raise", duplicates: Duplicates = "raise"
) -> Qrels:
    """Judgements from a TREC file, a table, JSON, or ``{query: {document: grade}}``.

    ``negative`` says what a grade below 0 means: an error, 0 ("zero"), or a document that nobody
    judged ("unjudged"). ``duplicates`` says which line counts where a document has different
    grades for one query: none, it is an error ("raise"), the first, or the one with the best
    grade. Lines that repeat the same grade are counted and do no harm.

    >>> qrels = read_qrels({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}})
    >>> qrels.queries, qrels.grade.tolist(), len(qrels)
    (('q1', 'q2'), [2.0, 0.0, 1.0], 3)
    """
    if isinstance(source, Qrels):
        return source
    one_of(negative, get_args(Negative), "negative")
    check_duplicates(duplicates)
    columns = read_columns(source, QRELS)
    copies = repeats(columns)
    conflicting = _conflicts(columns, copies, duplicates)
    repeated = 0
    if len(copies.rows):
        distinct = len(np.unique(copies.same))
        repeated = len(copies.rows) - distinct
        columns = columns.subset(kept(columns, copies, duplicates))
    columns, below = _judged(columns, negative)
    return Qrels(
        columns.queries,
        columns.query,
        columns.document,
        columns.value,
        columns.source,
        repeated,
        conflicting,
        below,
    )


def _conflicts(columns: RawColumns, copies: RepeatedDocuments, duplicates: Duplicates) -> int:
    """How many documents have several grades for one query."""
    if not len(copies.rows):
        return 0
    grade = columns.value[copies.rows]
    order = np.lexsort((copies.rows, grade, copies.same))
    same, sorted_grade = copies.same[order], grade[order]
    differs = (same[1:] == same[:-1]) & (sorted_grade[1:] != sorted_grade[:-1])
    documents = np.unique(same[1:][differs])
    if len(documents) and duplicates == "raise":
        at = copies.rows[copies.same == documents[0]]
        raise InputError(
            f"{columns.named(at[0])} is judged more than once, with different grades",
            where=columns.rows.name(at),
            value=columns.value[at].tolist(),
            fix='keep one line, or pass duplicates="first" or duplicates="best"',
        )
    return len(documents)


def _judged(columns: RawColumns, negative: Negative) -> tuple[RawColumns, int]:
    below = columns.value < 0.0
    count = int(np.count_nonzero(below))
    if not count:
        return columns, 0
    if negative == "raise":
        raise InputError(
            f"{count:,} grade{'s are' if count > 1 else ' is'} negative",
            where=columns.rows.where(columns.source, below)
            if columns.rows.number is None
            else columns.rows.name(np.flatnonzero(below)),
            value=float(columns.value[below][0]),
            fix='say what it means: negative="zero" or negative="unjudged"',
        )
    if negative == "unjudged":
        return columns.subset(~below), count
    return replace(columns, value=np.where(below, 0.0, columns.value)), count

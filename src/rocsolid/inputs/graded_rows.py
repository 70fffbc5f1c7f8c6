"""Grades of relevance: finite and not negative; NaN marks an unjudged document."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid import parameters
from rocsolid.arguments import flag, one_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import check_lengths, column, missing_values, reverse, scores
from rocsolid.inputs.groups import codes, stable_order
from rocsolid.inputs.matrices import is_matrix, unrolled
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.parameters import Negative as Negative

Unjudged = Literal[parameters.Unjudged, "raise"]
"""The treatment of documents without a grade: gain 0, removed from the lists, or an error."""


def grades(
    relevance: Any,
    *,
    unjudged: Unjudged = "zero",
    negative: Negative = "raise",
    name: str = "relevance",
    rows: Rows = ARRAY_ROWS,
) -> NDArray[np.float64]:
    """The grades as float64, with NaN for unjudged documents.

    >>> grades([0, 2, None])
    array([ 0.,  2., nan])
    >>> grades([0, -1], negative="zero")
    array([0., 0.])
    >>> grades([0, -1])
    Traceback (most recent call last):
    ...
    rocsolid.errors.InputError: a grade is negative: -1.0 (relevance, row 1, counting from 0). Fix:
    choose its meaning: negative="zero" or negative="unjudged".
    """
    given = scores(relevance, name=name, nan="allow", rows=rows)
    grade = given.astype(np.float64)
    if given.dtype.kind == "f":
        missing, infinite = np.isnan(grade), np.isinf(grade)
        if unjudged == "raise" and missing.any():
            error = missing_values(name, missing, rows)
            raise InputError(
                error.what,
                where=error.where,
                fix='fill them in, or choose their meaning: unjudged="zero" or unjudged="condense"',
            )
        if infinite.any():
            raise InputError(
                "a grade is not finite",
                where=rows.where(name, infinite),
                value=float(grade[infinite][0]),
                fix="use the grade NaN for an unjudged document",
            )
    below = grade < 0.0
    if not below.any():
        return grade
    if negative == "raise":
        raise InputError(
            "a grade is negative",
            where=rows.where(name, below),
            value=float(grade[below][0]),
            fix='choose its meaning: negative="zero" or negative="unjudged"',
        )
    grade[below] = 0.0 if negative == "zero" else np.nan
    return grade


_EXACT = 1 << 53  # up to here every integer is a float64


@dataclass(frozen=True, slots=True, eq=False)
class GradedRows:
    """Documents grouped by query: query q has the rows ``offsets[q]`` to ``offsets[q + 1]``.

    ``qids``, and the documents of each query, are in order of first appearance. A ``relevance`` of
    NaN marks an unjudged document. A higher ``score`` is better; −∞ marks a judged document that
    was not retrieved, which is part of the ideal list only. ``doc_order`` numbers the documents by
    their identifiers in text order, and ``rank`` is the rank column; both break ties. ``omitted``
    counts rows without a score.
    """

    relevance: NDArray[np.float64]
    score: NDArray[np.float64]
    offsets: NDArray[np.int64]
    qids: NDArray[Any]
    doc_order: NDArray[np.int64] | None = None
    rank: NDArray[np.float64] | None = None
    omitted: int = 0

    def __len__(self) -> int:
        return len(self.relevance)

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)


def graded_rows(
    relevance: Any,
    score: Any,
    *,
    qid: Any = None,
    doc: Any = None,
    rank: Any = None,
    unjudged: Unjudged = "zero",
    negative: Negative = "raise",
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    name: str = "scores",
) -> GradedRows:
    """Validate columns of the same rows, or two matrices with a row per query.

    A missing grade (NaN) is an unjudged document, unless ``unjudged="raise"``; with "condense" such
    documents are removed from the lists. ``nan="omit"`` leaves out the rows whose **score** is
    missing and counts them. Errors call the scores ``name``.

    >>> rows = graded_rows([0, 2, 1], [0.3, 0.9, 0.4], qid=["b", "a", "b"])
    >>> rows.qids.tolist(), rows.offsets.tolist(), rows.relevance.tolist()
    (['b', 'a'], [0, 2, 3], [0.0, 1.0, 2.0])
    """
    one_of(nan, ("raise", "omit"), "nan")
    one_of(unjudged, get_args(Unjudged), "unjudged")
    one_of(negative, get_args(Negative), "negative")
    flag(lower_is_better, "lower_is_better")
    columns = {"relevance": relevance, "scores": score, "qid": qid, "doc": doc, "rank": rank}
    numbering = ARRAY_ROWS
    if is_matrix(relevance) or is_matrix(score):
        numbering, columns = unrolled(columns)
    allow: Literal["raise", "allow"] = "raise" if nan == "raise" else "allow"
    grade = grades(columns["relevance"], unjudged=unjudged, negative=negative, rows=numbering)
    score_values = scores(columns["scores"], name=name, nan=allow, rows=numbering)
    others = {name: columns[name] for name in ("qid", "doc", "rank") if columns[name] is not None}
    keys = {name: column(values, name, rows=numbering) for name, values in others.items()}
    check_lengths(
        {"relevance": len(grade), name: len(score_values), **{k: len(v) for k, v in keys.items()}}
    )
    order, offsets, qids = _by_query(keys.get("qid"), len(grade))
    rows = GradedRows(
        grade,
        _ordered(score_values, lower_is_better),
        offsets,
        qids,
        None if doc is None else _text_order(keys["doc"]),
        None if rank is None else _ranks(keys["rank"], score_values, numbering),
    )
    if order is not None:
        rows = _taken(rows, order, rows.offsets)
    if nan == "omit":
        rows = _without(rows, np.isnan(rows.score), omitted=True)
    if unjudged == "condense":
        rows = _without(rows, np.isnan(rows.relevance), omitted=False)
    return rows


def _by_query(
    keys: NDArray[Any] | None, n: int
) -> tuple[NDArray[np.intp] | None, NDArray[np.int64], NDArray[Any]]:
    """The order that groups the rows (``None`` if grouped already), the offsets, and the keys."""
    if keys is None:
        return None, np.array([0, n]), np.array([0])
    heads = _heads(keys)
    place = Rows(number=lambda found: heads[found].tolist())
    code, distinct = codes(keys[heads], "qid", rows=place)
    if len(distinct) == len(heads):
        return None, np.append(heads, n), keys[heads]
    first = np.full(len(distinct), n)
    np.minimum.at(first, code, np.arange(len(code)))
    number = np.empty(len(distinct), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(distinct))
    of_row = np.repeat(number[code], np.diff(np.append(heads, n)))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(of_row))))
    if bool(np.all(of_row[1:] >= of_row[:-1])):
        return None, offsets, keys[heads][np.sort(first)]
    return stable_order(of_row), offsets, keys[heads][np.sort(first)]


def _heads(keys: NDArray[Any]) -> NDArray[np.intp]:
    """The rows whose key differs from the previous one."""
    try:
        differs = np.asarray(keys[1:] != keys[:-1], dtype=np.bool_)
    except (TypeError, ValueError):  # a missing value that answers no question
        return np.arange(len(keys))
    return np.flatnonzero(np.concatenate(([True], differs)))


def _ordered(values: NDArray[Any], lower_is_better: bool) -> NDArray[np.float64]:
    """Scores as float64 in exactly the same order; −∞ is kept."""
    if lower_is_better:
        values = reverse(values)
    if values.dtype.kind in "iu":
        if not len(values) or max(abs(int(values.min())), abs(int(values.max()))) <= _EXACT:
            return values.astype(np.float64)
    elif values.dtype.itemsize <= 8:
        return values.astype(np.float64, copy=False)
    # longer integers and floats: their places in the order, which are all that a ranking needs
    distinct, place = np.unique(values, return_inverse=True)
    score: NDArray[np.float64] = place.astype(np.float64)
    if distinct.dtype.kind == "f":
        score[np.isneginf(values)] = -np.inf
        score[np.isnan(values)] = np.nan
    return score


def _text_order(doc: NDArray[Any]) -> NDArray[np.int64]:
    """Rank the documents in text order, as trec_eval compares them: "10" before "9"."""
    code, distinct = codes(doc, "doc")
    if distinct.dtype.kind in "US":
        return code
    place = np.empty(len(distinct), dtype=np.int64)
    place[np.argsort(distinct.astype(str), kind="stable")] = np.arange(len(distinct))
    return place[code]


def _ranks(rank: NDArray[Any], score: NDArray[Any], named: Rows) -> NDArray[np.float64]:
    """The rank column; only documents that were not retrieved may lack a rank."""
    ranks = scores(rank, name="rank", nan="allow", rows=named).astype(np.float64)
    lost = np.isnan(ranks) & (score > -np.inf)
    if lost.any():
        raise missing_values("rank", lost, named)
    return ranks


def _taken(
    rows: GradedRows, chosen: NDArray[np.intp], offsets: NDArray[np.int64], omitted: int = 0
) -> GradedRows:
    return GradedRows(
        rows.relevance[chosen],
        rows.score[chosen],
        offsets,
        rows.qids,
        None if rows.doc_order is None else rows.doc_order[chosen],
        None if rows.rank is None else rows.rank[chosen],
        omitted,
    )


def _without(rows: GradedRows, drop: NDArray[np.bool_], *, omitted: bool) -> GradedRows:
    """Remove some documents; a query without remaining documents keeps an empty list."""
    dropped = int(np.count_nonzero(drop))
    if not dropped:
        return rows
    kept = np.concatenate(([0], np.cumsum(~drop)))
    return _taken(
        rows, np.flatnonzero(~drop), kept[rows.offsets], rows.omitted + (dropped if omitted else 0)
    )

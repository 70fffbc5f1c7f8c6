"""Runs and judgements in which every document occurs once per query."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.graded_rows import Negative
from rocsolid.inputs.rows import Rows
from rocsolid.inputs.trec.lines import QRELS, RUN, RawColumns, texts_at
from rocsolid.inputs.trec.sources import read_columns

_MIX = np.uint64(0xBF58476D1CE4E5B9)  # the odd multipliers of SplitMix64 (Steele et al. 2014)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_HALF = np.uint64(32)


def document_keys(query: NDArray[np.int32], hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hash (query, document) with the documents' `text_hashes`.

    Different pairs collide once in 2⁶⁴ pairs, so the texts of equal keys must still be compared.
    """
    keys = (query.astype(np.uint64) + np.uint64(1)) * _STEP
    keys ^= hashes
    return _mixed(keys)


def text_hashes(texts: Any) -> NDArray[np.uint64]:
    hashes = np.empty(len(texts), dtype=np.uint64)
    start = 0
    for chunk in texts.chunks:
        end = start + len(chunk)
        if len(chunk):
            hashes[start:end] = _hashes(chunk)
        start = end
    return hashes


def _hashes(texts: Any) -> NDArray[np.uint64]:
    """Hash eight bytes of every text at a time; the last eight may overlap the previous ones."""
    _, offsets, content = texts.buffers()
    edges = np.frombuffer(offsets, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    start, length = edges[:-1].astype(np.int64), np.diff(edges)
    size = int(edges[-1])
    padded = np.zeros(size + 8, dtype=np.uint8)
    if size:
        padded[:size] = np.frombuffer(content, dtype=np.uint8, count=size)
    # a word begins at every byte, and none of them is copied
    words: NDArray[np.uint64] = np.ndarray((size + 1,), "<u8", padded.data, strides=(1,))
    value = words[start].astype(np.uint64, copy=False)
    short = np.flatnonzero(length < 8)
    # without what follows the text: half of it twice, as no shift reaches all 64 bits
    half = (8 - length[short]).astype(np.uint64) * np.uint64(4)
    value[short] = value[short] << half << half
    hashes = _mixed(value ^ (length.astype(np.uint64) * _STEP))
    for done in range(8, int(length.max()), 8):
        rows = np.flatnonzero(length > done)
        place = start[rows] + np.minimum(done, length[rows] - 8)
        hashes[rows] = _mixed(hashes[rows] ^ words[place])
    return hashes


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    keys *= _MIX
    keys ^= keys >> _SHIFT
    return keys


Duplicates = Literal["raise", "first", "best"]
"""The treatment of a repeated document: an error, its first line, or its line with the highest
score or grade (the first of those)."""


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedDocuments:
    """The rows of repeated documents in the order of the file, and the number of their document."""

    rows: NDArray[np.intp]
    same: NDArray[np.intp]


_SORTED = 1 << 13  # rows that are sorted together: as many as stay in the processor's cache


def repeats(columns: RawColumns, keys: NDArray[np.uint64]) -> RepeatedDocuments:
    """Every row whose query and document, with these `document_keys`, occur more than once."""
    twice = _repeated(columns.query, keys)
    if not len(twice):
        return RepeatedDocuments(np.empty(0, np.intp), np.empty(0, np.intp))
    rows = np.flatnonzero(np.isin(keys, twice))
    # keys may collide, texts may not
    found: dict[tuple[int, str], int] = {}
    pairs = zip(
        columns.query[rows].tolist(), texts_at(columns.document, rows).to_pylist(), strict=True
    )
    same = np.array([found.setdefault(pair, len(found)) for pair in pairs], dtype=np.intp)
    repeated = np.bincount(same)[same] > 1
    return RepeatedDocuments(rows[repeated], same[repeated])


def _repeated(query: NDArray[np.int32], keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The keys that occur more than once; grouped queries are sorted in small pieces."""
    ends = np.array([len(keys)])
    if bool(np.all(query[1:] >= query[:-1])):
        ends = np.flatnonzero(np.append(query[1:] != query[:-1], True)) + 1
        ends = ends[np.append(np.diff(ends // _SORTED) > 0, True)]
    start, repeated = 0, keys[:0]
    for end in ends.tolist():
        some, start = keys[start:end], end
        # half of the bits are sorted in half of the time, and among few keys rarely alike
        if len(some) > 4 * _SORTED or len(_equal_neighbours((some >> _HALF).astype(np.uint32))):
            repeated = np.append(repeated, _equal_neighbours(some))
    return repeated


def _equal_neighbours(values: NDArray[Any]) -> NDArray[Any]:
    ordered = np.sort(values)
    equal: NDArray[Any] = ordered[1:][ordered[1:] == ordered[:-1]]
    return equal


def check_duplicates(duplicates: Duplicates) -> None:
    one_of(duplicates, get_args(Duplicates), "duplicates")


def kept(
    columns: RawColumns, copies: RepeatedDocuments, duplicates: Duplicates
) -> NDArray[np.bool_]:
    """The rows to keep, so that every document occurs once."""
    if duplicates == "best":
        order = np.lexsort((copies.rows, -columns.value[copies.rows], copies.same))
    else:
        order = np.lexsort((copies.rows, copies.same))
    same = copies.same[order]
    extra = np.ones(len(columns), dtype=np.bool_)
    extra[copies.rows[order][1:][same[1:] == same[:-1]]] = False
    return extra


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Retrieved documents, once per query, in their original order.

    ``queries[query]`` are the query ids of the rows, ``document`` is a pyarrow column of text, and
    ``keys`` are the `document_keys`. ``rank`` is the rank column, or None with the reason in
    ``no_rank``. ``duplicates`` counts the repeated lines that were left out, and ``duplicate``
    describes the first.
    """

    queries: tuple[str, ...]
    query: NDArray[np.int32]
    document: Any
    keys: NDArray[np.uint64]
    score: NDArray[np.float64]
    rank: NDArray[np.int32] | None
    no_rank: str
    rows: Rows
    source: str
    duplicates: int = 0
    duplicate: str = ""

    def __len__(self) -> int:
        return len(self.score)


def read_run(source: Any, *, duplicates: Duplicates = "raise") -> Run:
    """Read a run from a TREC file, a table, JSON, or ``{query: {document: score}}``.

    A document listed twice for one query is an error, as in trec_eval, unless ``duplicates``
    selects a line: "first", or "best" for the line with the highest score.

    >>> run = read_run({"q1": {"d2": 1.5, "d1": 0.5}})
    >>> run.queries, run.score.tolist(), run.document.to_pylist()
    (('q1',), [1.5, 0.5], ['d2', 'd1'])
    """
    if isinstance(source, Run):
        return source
    check_duplicates(duplicates)
    columns = read_columns(source, RUN)
    keys = document_keys(columns.query, text_hashes(columns.document))
    copies = repeats(columns, keys)
    count, first = 0, ""
    if len(copies.rows):
        count = len(copies.rows) - len(np.unique(copies.same))
        rows = copies.rows[copies.same == copies.same[0]]
        first = f"{columns.named(rows[0])}, {columns.rows.name(rows)}"
        if duplicates == "raise":
            raise InputError(
                f"{columns.named(rows[0])} is retrieved more than once; there "
                f"{'is' if count == 1 else 'are'} {count:,} such repeated "
                f"line{'' if count == 1 else 's'}",
                where=columns.rows.name(rows),
                fix='write every document once, or pass duplicates="first" or duplicates="best"',
            )
        stays = kept(columns, copies, duplicates)
        columns, keys = columns.subset(stays), keys[stays]
    return Run(
        columns.queries,
        columns.query,
        columns.document,
        keys,
        columns.value,
        columns.rank,
        columns.no_rank,
        columns.rows,
        columns.source,
        count,
        first,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Judged documents, once per query, with finite grades of 0 or more.

    ``queries[query]`` are the query ids of the rows, and ``document`` is a pyarrow column of text.
    ``repeated`` counts judgements that repeat an earlier one, ``conflicting`` documents with
    several grades, and ``negative`` rows whose grade below 0 was set to 0 or removed.
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
    """Read judgements from a TREC file, a table, JSON, or ``{query: {document: grade}}``.

    ``negative`` sets the meaning of a grade below 0: an error, 0 ("zero"), or an unjudged document
    ("unjudged"). ``duplicates`` selects a line if a document has different grades for one query: an
    error ("raise"), the first, or the line with the best grade.

    >>> qrels = read_qrels({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}})
    >>> qrels.queries, qrels.grade.tolist(), len(qrels)
    (('q1', 'q2'), [2.0, 0.0, 1.0], 3)
    """
    if isinstance(source, Qrels):
        return source
    one_of(negative, get_args(Negative), "negative")
    check_duplicates(duplicates)
    columns = read_columns(source, QRELS)
    copies = repeats(columns, document_keys(columns.query, text_hashes(columns.document)))
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
            fix='choose its meaning: negative="zero" or negative="unjudged"',
        )
    if negative == "unjudged":
        return columns.subset(~below), count
    return replace(columns, value=np.where(below, 0.0, columns.value)), count

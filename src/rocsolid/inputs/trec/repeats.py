"""Documents that a query has more than once, by a 64-bit number of each (query, document)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.inputs.trec.columns import RawColumns, texts_at

_MIX = np.uint64(0xBF58476D1CE4E5B9)  # the odd multipliers of SplitMix64 (Steele et al. 2014)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def document_keys(query: NDArray[np.int32], document: Any) -> NDArray[np.uint64]:
    """Equal for equal (query, document); different ones collide about once in 2⁶⁴ pairs.

    A key is a hash: whoever finds two alike must still compare the texts. ``document`` is a chunked
    pyarrow column of text.
    """
    keys = np.empty(len(query), dtype=np.uint64)
    start = 0
    for chunk in document.chunks:
        end = start + len(chunk)
        if len(chunk):
            keys[start:end] = _hashes(chunk)
        start = end
    keys ^= (query.astype(np.uint64) + np.uint64(1)) * _STEP
    return _mixed(keys)


def _hashes(texts: Any) -> NDArray[np.uint64]:
    """Eight bytes of every text at a time."""
    _, offsets, content = texts.buffers()
    edges = np.frombuffer(offsets, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    start, length = edges[:-1].astype(np.int64), np.diff(edges).astype(np.int64)
    size = int(edges[-1])
    padded = np.zeros(size + 8, dtype=np.uint8)
    if size:
        padded[:size] = np.frombuffer(content, dtype=np.uint8, count=size)
    # a word begins at every byte, and none of them is copied
    words: NDArray[np.uint64] = np.ndarray((size + 1,), "<u8", padded.data, strides=(1,))
    hashes = length.astype(np.uint64) * _STEP
    for word in range(0, int(length.max()), 8):
        rows = np.flatnonzero(length > word)
        value = words[start[rows] + word].astype(np.uint64, copy=False)
        beyond = np.clip(8 - (length[rows] - word), 0, 7)
        value <<= beyond.astype(np.uint64) * np.uint64(8)  # without what follows the text
        hashes[rows] = _mixed(hashes[rows] ^ value)
    return hashes


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    keys *= _MIX
    keys ^= keys >> _SHIFT
    return keys


Duplicates = Literal["raise", "first", "best"]
"""What a document that comes twice means: an error, its first line, or its line with the highest
score or grade (the first of those)."""


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedDocuments:
    """The rows of repeated documents in the order of the file, and the number of their document."""

    rows: NDArray[np.intp]
    same: NDArray[np.intp]


def repeats(columns: RawColumns) -> RepeatedDocuments:
    """Every row whose query and document come more than once."""
    keys = document_keys(columns.query, columns.document)
    keys.sort()  # in place: most files repeat nothing, and a second copy would cost memory
    twice = keys[1:][keys[1:] == keys[:-1]]
    if not len(twice):
        return RepeatedDocuments(np.empty(0, np.intp), np.empty(0, np.intp))
    keys = document_keys(columns.query, columns.document)
    rows = np.flatnonzero(np.isin(keys, twice))
    # keys may collide, texts may not
    found: dict[tuple[int, str], int] = {}
    pairs = zip(
        columns.query[rows].tolist(), texts_at(columns.document, rows).to_pylist(), strict=True
    )
    same = np.array([found.setdefault(pair, len(found)) for pair in pairs], dtype=np.intp)
    repeated = np.bincount(same)[same] > 1
    return RepeatedDocuments(rows[repeated], same[repeated])


def check_duplicates(duplicates: Duplicates) -> None:
    """One of the three ways, spelt right."""
    one_of(duplicates, get_args(Duplicates), "duplicates")


def kept(
    columns: RawColumns, copies: RepeatedDocuments, duplicates: Duplicates
) -> NDArray[np.bool_]:
    """Which rows stay: every document once."""
    if duplicates == "best":
        order = np.lexsort((copies.rows, -columns.value[copies.rows], copies.same))
    else:
        order = np.lexsort((copies.rows, copies.same))
    same = copies.same[order]
    extra = np.ones(len(columns), dtype=np.bool_)
    extra[copies.rows[order][1:][same[1:] == same[:-1]]] = False
    return extra

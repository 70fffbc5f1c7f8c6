"""Documents that a query has more than once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.checks import one_of
from rocsolid.inputs.trec.columns import RawColumns, texts_at
from rocsolid.inputs.trec.keys import document_keys

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
    columns: RawColumns, found: RepeatedDocuments, duplicates: Duplicates
) -> NDArray[np.bool_]:
    """Which rows stay: every document once."""
    if duplicates == "best":
        order = np.lexsort((found.rows, -columns.value[found.rows], found.same))
    else:
        order = np.lexsort((found.rows, found.same))
    same = found.same[order]
    extra = np.ones(len(columns), dtype=np.bool_)
    extra[found.rows[order][1:][same[1:] == same[:-1]]] = False
    return extra

"""What a run and a file of judgements have in common: a query, a document and a number a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.rows import Rows
from rocsolid.inputs.trec.arrow import to_arrow, to_numpy


@dataclass(frozen=True, slots=True, eq=False)
class RawColumns:
    """Rows as they came in: ``queries[query]`` are the query ids, ``document`` a pyarrow column.

    Queries are numbered in the order in which they appear. ``rank`` is None where some rank is
    missing or no whole number; ``no_rank`` then says why.
    """

    queries: tuple[str, ...]
    query: NDArray[np.int32]
    document: Any
    value: NDArray[np.float64]
    rank: NDArray[np.int32] | None
    no_rank: str
    rows: Rows
    source: str

    def __len__(self) -> int:
        return len(self.value)

    def named(self, row: int) -> str:
        """The document and the query of a row, as an error or an audit quotes them."""
        return f"document {self.document[row].as_py()!r} of query {self.queries[self.query[row]]!r}"

    def subset(self, keep: NDArray[np.bool_]) -> RawColumns:
        """Some of the rows, in the same order; every query keeps its number, used or not."""
        import pyarrow as pa

        positions = np.flatnonzero(keep)
        place = self.rows
        return replace(
            self,
            query=self.query[keep],
            document=pa.chunked_array([texts_at(self.document, positions)]),
            value=self.value[keep],
            rank=None if self.rank is None else self.rank[keep],
            rows=Rows(place.noun, place.note, lambda found: _numbers(place, positions[found])),
        )


def texts_at(document: Any, rows: NDArray[np.intp]) -> Any:
    """The texts of some rows, which ascend, as one pyarrow array.

    pyarrow's own ``take`` joins all chunks first, which would hold every text twice.

    >>> import pyarrow as pa
    >>> texts_at(pa.chunked_array([["a", "b"], ["c"]]), np.array([0, 2])).to_pylist()
    ['a', 'c']
    """
    import pyarrow as pa

    ends = np.cumsum([len(chunk) for chunk in document.chunks])
    cuts = np.searchsorted(rows, ends)
    pieces, first, start = [], 0, 0
    for chunk, last, end in zip(document.chunks, cuts.tolist(), ends.tolist(), strict=True):
        if last > first:
            pieces.append(chunk.take(to_arrow(rows[first:last] - start)))
        first, start = last, end
    return pa.concat_arrays(pieces) if pieces else pa.nulls(0, pa.string())


def text_codes(texts: Any) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The distinct texts of a pyarrow array in order of appearance, and a number for each row.

    >>> import pyarrow as pa
    >>> text_codes(pa.array(["b", "a", "b"]))
    (('b', 'a'), array([0, 1, 0], dtype=int32))
    """
    coded = texts.dictionary_encode()
    return tuple(coded.dictionary.to_pylist()), to_numpy(coded.indices)


def _numbers(rows: Rows, at: Sequence[int] | NDArray[np.intp]) -> list[int]:
    positions = [int(i) for i in at]
    return positions if rows.number is None else rows.number(positions)

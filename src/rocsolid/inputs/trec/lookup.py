"""Finds the judgement of a document for a query, for millions of documents at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.trec.arrow import to_arrow, to_numpy
from rocsolid.inputs.trec.qrels import Qrels


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """The judgements as sorted whole numbers, one for each (query, document).

    Most documents of a run are judged for no query at all. Looking every document up among the few
    that are is exact and cheap, where numbering all documents of the run would not be.
    """

    documents: Any
    keys: NDArray[np.int64]
    rows: NDArray[np.int32]

    def of(self, query: NDArray[np.int32], document: Any) -> NDArray[np.int32]:
        """The row of the judgements for each document of a query, or −1.

        ``query`` numbers the queries as the judgements do; −1 is one that they lack.
        """
        found: NDArray[np.int32] = np.full(len(query), -1, dtype=np.int32)
        start = 0
        for code in _codes(document, self.documents):
            end = start + len(code)
            at = np.flatnonzero((code >= 0) & (query[start:end] >= 0)) + start
            key = query[at].astype(np.int64) * len(self.documents) + code[at - start]
            place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
            hit = self.keys[place] == key
            found[at[hit]] = self.rows[place[hit]]
            start = end
        return found


def lookup(qrels: Qrels) -> Lookup:
    """The judgements, ready to be looked up in."""
    documents = qrels.document.unique()
    code = np.concatenate(list(_codes(qrels.document, documents)))
    keys = qrels.query.astype(np.int64) * len(documents) + code
    rows = np.argsort(keys)
    return Lookup(documents, keys[rows], rows.astype(np.int32))


def _codes(texts: Any, documents: Any) -> Iterator[NDArray[np.int32]]:
    """Each chunk's places among the documents, or −1; the table of these is made once for all."""
    import pyarrow as pa
    import pyarrow.compute as pc

    absent = to_arrow(np.array([-1])).cast(pa.int32())[0]
    for chunk in pc.index_in(texts, value_set=documents).chunks:
        yield to_numpy(pc.fill_null(chunk, absent))

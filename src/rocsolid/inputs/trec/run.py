"""A run: the documents that a system retrieved for each query, with their scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.rows import Rows
from rocsolid.inputs.trec.arrow import RUN
from rocsolid.inputs.trec.repeats import Duplicates, check_duplicates, kept, repeats
from rocsolid.inputs.trec.sources import read_columns


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Retrieved documents, each once a query, in the order in which they came.

    ``queries[query]`` are the query ids of the rows, ``document`` is a pyarrow column of text.
    ``rank`` is the rank column as written, or None, and then ``no_rank`` says why. ``duplicates``
    counts the lines that were left out because their document was there already, and
    ``duplicate`` describes the first.
    """

    queries: tuple[str, ...]
    query: NDArray[np.int32]
    document: Any
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
    """A run from a TREC file, a table, JSON, or ``{query: {document: score}}``.

    A document that comes twice for one query is an error, as in trec_eval, unless ``duplicates``
    says which line counts: "first", or "best" for the one with the highest score.

    >>> run = read_run({"q1": {"d2": 1.5, "d1": 0.5}})
    >>> run.queries, run.score.tolist(), run.document.to_pylist()
    (('q1',), [1.5, 0.5], ['d2', 'd1'])
    """
    if isinstance(source, Run):
        return source
    check_duplicates(duplicates)
    columns = read_columns(source, RUN)
    copies = repeats(columns)
    count, first = 0, ""
    if len(copies.rows):
        count = len(copies.rows) - len(np.unique(copies.same))
        rows = copies.rows[copies.same == copies.same[0]]
        first = f"{columns.named(rows[0])}, {columns.rows.name(rows)}"
        if duplicates == "raise":
            raise InputError(
                f"{columns.named(rows[0])} is retrieved more than once; there are {count:,} such "
                "lines too many",
                where=columns.rows.name(rows),
                fix='write every document once, or pass duplicates="first" or duplicates="best"',
            )
        columns = columns.subset(kept(columns, copies, duplicates))
    return Run(
        columns.queries,
        columns.query,
        columns.document,
        columns.value,
        columns.rank,
        columns.no_rank,
        columns.rows,
        columns.source,
        count,
        first,
    )

"""Documents ranked within their queries: many short lists side by side, a long one alone.

Lists of like length become the rows of a matrix, which NumPy sorts row by row; one sort of all
rows by (query, score) would take several times longer. What is sorted here is scores alone: any
number of measures can then be read off the same ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.errors import InputError
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.side_by_side import side_by_side
from rocsolid.summaries.tied_blocks import TiedBlocks

Ties = Literal["average", "trec", "rank", "input"]
"""How documents with equal scores are ordered: in all ways at once, or in one way."""

_INT = NDArray[np.int64]
_BOOLS = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class QueryLists:
    """Some queries as the rows of a matrix, documents best first.

    Row i is the list of query ``query[i]``; its cell j is row ``row[i, j]`` of the data, at rank
    j + 1. The first ``length[i]`` cells are the list; up to ``size[i]`` follow documents that were
    not retrieved; the rest is padding. ``tied`` are the blocks of equal scores, ``None`` where all
    scores differ; within them the order is arbitrary unless it was requested (``broken``).
    ``contradicted`` marks lists whose rank column disagrees with the scores.
    """

    query: _INT
    row: NDArray[np.intp]
    length: _INT
    size: _INT
    tied: TiedBlocks | None
    tied_documents: _INT
    broken: bool
    contradicted: NDArray[np.bool_] | None = None

    @property
    def listed(self) -> NDArray[np.bool_]:
        """Which cells are documents of the list."""
        return np.arange(self.row.shape[1]) < self.length[:, None]

    @property
    def real(self) -> NDArray[np.bool_]:
        """Which cells are documents, in the list or not."""
        return np.arange(self.row.shape[1]) < self.size[:, None]


def query_lists(rows: GradedRows, ties: Ties = "average") -> Iterator[QueryLists]:
    """All queries, each in exactly one of the matrices; those without documents are in none.

    >>> rows = GradedRows(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.9, 0.5]),
    ...                   np.array([0, 3]), np.array([7]))
    >>> [(lists.row.tolist(), lists.tied is not None) for lists in query_lists(rows)]
    [([[1, 0, 2]], True)]
    """
    tiebreak = _tiebreak(rows, ties)
    for some, row, real in _matrices(rows):
        yield _ranked(rows, some, row, real, ties, tiebreak)


def for_each(rows: GradedRows, ties: Ties, task: Callable[[QueryLists], None]) -> None:
    """Hand every matrix of `query_lists` to the task, in no given order, on up to two threads.

    The task may write to arrays by query: each query is in one matrix only.
    """
    tiebreak = _tiebreak(rows, ties)
    matrices, one_at_a_time = _matrices(rows), Lock()

    def work() -> None:
        while True:
            with one_at_a_time:
                matrix = next(matrices, None)
            if matrix is None:
                return
            task(_ranked(rows, *matrix, ties, tiebreak))

    side_by_side(work, work, len(rows))


def _matrices(rows: GradedRows) -> Iterator[tuple[_INT, NDArray[np.intp], _BOOLS]]:
    """Queries, the rows of their documents, and which cells are not padding."""
    groups = Groups(
        np.arange(len(rows)), rows.offsets[:-1], rows.sizes, np.zeros(len(rows.qids), np.int64)
    )
    yield from groups.matrices()
    for query in groups.large():
        yield np.array([query]), groups.rows(query)[None, :], np.ones((1, 1), dtype=np.bool_)


def _tiebreak(rows: GradedRows, ties: Ties) -> NDArray[np.float64] | NDArray[np.int64] | None:
    """The column in whose ascending order equal scores stand; ``None``: as the rows stand."""
    one_of(ties, get_args(Ties), "ties")
    if ties == "trec":
        if rows.doc_order is None:
            raise InputError(
                'ties="trec" puts the greater document identifier first, and there are none',
                where="doc",
                fix="pass doc=, the identifier of the document in each row",
            )
        return -rows.doc_order
    if ties == "rank":
        if rows.rank is None:
            raise InputError(
                'ties="rank" needs the rank column',
                where="rank",
                fix="pass rank=, the rank of the document in each row",
            )
        return rows.rank
    return None


def _ranked(
    rows: GradedRows,
    query: _INT,
    row: NDArray[np.intp],
    real: _BOOLS,
    ties: Ties,
    tiebreak: NDArray[np.float64] | NDArray[np.int64] | None,
) -> QueryLists:
    # downwards, as NumPy sorts upwards: −∞ (not in the list) goes last, and padding (NaN) after it
    down = np.negative(rows.score[row])
    if not np.all(real):
        down[~real] = np.nan
    order = np.argsort(down, axis=1)
    ranked_down = down.ravel()[order + np.arange(0, down.size, down.shape[1])[:, None]]
    listed = ranked_down < np.inf
    same = (ranked_down[:, 1:] == ranked_down[:, :-1]) & listed[:, 1:]
    in_block = np.zeros(row.shape, dtype=np.bool_)
    in_block[:, 1:] = same
    in_block[:, :-1] |= same
    tied_documents = np.count_nonzero(in_block, axis=1)
    has_ties = tied_documents > 0
    if ties != "average" and has_ties.any():
        # the sort above leaves equal scores in any order, for speed; here they are put in one
        if tiebreak is None:
            order[has_ties] = np.argsort(down[has_ties], axis=1, kind="stable")
        else:
            order[has_ties] = np.lexsort((tiebreak[row[has_ties]], down[has_ties]), axis=1)
    size = rows.sizes[query]
    return QueryLists(
        query,
        # row[i, j] is the first row of the query plus j, and padding repeats the last one
        row[:, :1] + np.minimum(order, size[:, None] - 1),
        np.count_nonzero(listed, axis=1),
        size,
        _blocks(same) if has_ties.any() else None,
        tied_documents,
        ties != "average",
        None if rows.rank is None else _contradicted(rows.rank[row], down),
    )


def _blocks(same: NDArray[np.bool_]) -> TiedBlocks:
    starts = np.ones((len(same), same.shape[1] + 1), dtype=np.bool_)
    np.logical_not(same, out=starts[:, 1:])
    return TiedBlocks.of(starts)


def _contradicted(rank: NDArray[np.float64], down: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where the scores rise somewhere in the order of the ranks."""
    rank = np.where(down < np.inf, rank, np.inf)  # what is not in the list has no rank
    by_rank = np.take_along_axis(down, np.argsort(rank, axis=1, kind="stable"), axis=1)
    return np.asarray((by_rank[:, 1:] < by_rank[:, :-1]).any(axis=1))

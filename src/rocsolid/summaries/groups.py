"""Groups of rows, and ranked lists of queries, in matrices instead of loops.

Lists of similar length become the rows of a matrix, which NumPy sorts row by row. Any number of
measures use the same ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Lock
from typing import TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.inputs.groups import stable_order
from rocsolid.parameters import Ties as Ties
from rocsolid.summaries.placements import side_by_side

# Groups up to this size are processed together as the rows of a matrix; larger groups are processed
# one by one.
ALONE = 4096
_CELLS = 1 << 17  # cells of a matrix, which fit in the cache

_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The rows in order of their groups: group g is ``order[start[g] : start[g] + size[g]]``.

    ``omitted`` counts the rows of each group that lack a score.

    >>> groups = Groups.of(np.array([1, 0, 1]), 2)
    >>> groups.rows(1)
    array([0, 2])
    """

    order: NDArray[np.intp]
    start: _INT
    size: _INT
    omitted: _INT

    @classmethod
    def of(cls, code: _INT, count: int, left_out: _INT | None = None) -> Groups:
        """Build from each row's group code, 0 to count − 1, and the codes of omitted rows."""
        size = np.bincount(code, minlength=count)
        gone = np.bincount([] if left_out is None else left_out, minlength=count)
        return cls(stable_order(code), np.cumsum(size) - size, size, gone.astype(np.int64))

    def __len__(self) -> int:
        return len(self.size)

    def rows(self, group: int) -> NDArray[np.intp]:
        return self.order[self.start[group] : self.start[group] + self.size[group]]

    def matrices(self) -> Iterator[tuple[_INT, NDArray[np.intp], NDArray[np.bool_]]]:
        """Yield groups of similar size, the matrix of their rows, and a mask of real cells.

        Repeats of the last row of a shorter group pad the matrix. Groups of more than ``ALONE``
        rows are left out.
        """
        small = np.flatnonzero((self.size > 0) & (self.size <= ALONE))
        small = small[np.argsort(self.size[small], kind="stable")]
        ascending = self.size[small]
        first = 0
        while first < len(small):
            # groups that fill the matrix, none more than a quarter shorter than the longest
            shortest = int(ascending[first])
            alike = np.searchsorted(ascending, max(shortest + 1, shortest * 4 // 3), side="right")
            last = min(int(alike), first + max(1, _CELLS // shortest))
            some = small[first:last]
            size, column = self.size[some][:, None], np.arange(int(ascending[last - 1]))
            rows = self.order[self.start[some][:, None] + np.minimum(column, size - 1)]
            yield some, rows, column < size
            first = last

    def large(self) -> Iterator[int]:
        """Yield the groups that ``matrices`` leaves out."""
        yield from np.flatnonzero(self.size > ALONE).tolist()


_FLOATS = NDArray[np.float64]
_Cell = TypeVar("_Cell", bound=np.generic)


_FEW = 16  # up to this many levels of a gain, comparing with each level is faster


@dataclass(frozen=True, slots=True, eq=False)
class TiedBlocks:
    """Blocks of tied documents in a matrix of ranked lists; an untied document is a block.

    Block b begins at ``start[b]`` of the flattened matrix and has ``size[b]`` documents.

    >>> blocks = TiedBlocks.of(np.array([[True, False, True], [True, True, False]]))
    >>> blocks.start, blocks.size
    (array([0, 2, 3, 4]), array([2, 1, 1, 2]))
    """

    start: _INT
    size: _INT
    shape: tuple[int, int]

    @classmethod
    def of(cls, starts: NDArray[np.bool_]) -> TiedBlocks:
        """Build from a mask of the first cells of blocks; each row begins a block."""
        start = np.flatnonzero(starts)
        return cls(start, np.diff(np.append(start, starts.size)), (len(starts), starts.shape[1]))

    @property
    def rank_before(self) -> _INT:
        """The number of documents above each block."""
        return self.start % self.shape[1]

    @property
    def block(self) -> _INT:
        """The index of each cell's block."""
        return np.repeat(np.arange(len(self.start)), self.size).reshape(self.shape)

    @property
    def row(self) -> _INT:
        return self.start // self.shape[1]

    def totals(self, matrix: _FLOATS) -> _FLOATS:
        totals: _FLOATS = np.add.reduceat(matrix.ravel(), self.start)
        return totals

    def spread(self, per_block: NDArray[np.float64] | _INT) -> _FLOATS:
        """A matrix with each block's number in all its cells."""
        return np.repeat(per_block.astype(np.float64), self.size).reshape(self.shape)

    def means(self, matrix: _FLOATS) -> _FLOATS:
        """Replace each cell by the mean of its block.

        >>> blocks = TiedBlocks.of(np.array([[True, False, True]]))
        >>> blocks.means(np.array([[1.0, 0.0, 3.0]]))
        array([[0.5, 0.5, 3. ]])
        """
        # relative to the block's first cell, so that the mean of equal numbers is exact
        first = matrix.ravel()[self.start]
        return self.spread(first + self.totals(matrix - self.spread(first)) / self.size)

    def within(self, rows: NDArray[np.intp]) -> TiedBlocks:
        """The blocks of some lists.

        >>> blocks = TiedBlocks.of(np.array([[True, False], [True, True]]))
        >>> blocks.within(np.array([1])).size
        array([1, 1])
        """
        starts = np.zeros(self.shape, dtype=np.bool_)
        starts.ravel()[self.start] = True
        return TiedBlocks.of(starts[rows])

    def sorted_within(self, matrix: _FLOATS) -> _FLOATS:
        """Sort the cells of each block in ascending order.

        >>> blocks = TiedBlocks.of(np.array([[True, False, True]]))
        >>> blocks.sorted_within(np.array([[2.0, 1.0, 0.0]]))
        array([[1., 2., 0.]])
        """
        # (block, value) as one integer, so that a plain sort does it
        levels = np.unique(matrix)
        block = self.block * len(levels)
        key = block.copy()
        if len(levels) > _FEW:
            key += np.searchsorted(levels, matrix)
        else:
            for level in levels[1:]:
                key += matrix >= level
        key.sort(axis=1)  # does not move blocks
        ordered: _FLOATS = levels[key - block]
        return ordered

    def turned(self, matrix: NDArray[_Cell]) -> NDArray[_Cell]:
        """Reverse the order within each block.

        >>> blocks = TiedBlocks.of(np.array([[True, False, True]]))
        >>> blocks.turned(np.array([[1.0, 2.0, 0.0]]))
        array([[2., 1., 0.]])
        """
        ends = np.repeat(2 * self.start + self.size - 1, self.size)
        return matrix.ravel()[ends - np.arange(matrix.size)].reshape(self.shape)


_BOOLS = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class QueryLists:
    """Queries as rows of a matrix, with the documents of each ordered best first.

    Row i is the list of query ``query[i]``; cell j is the row ``row[i, j]`` of the data. The first
    ``length[i]`` cells are the list, the cells up to ``size[i]`` are documents that were not
    retrieved, and the rest is padding. ``tied`` contains the blocks of equal scores, or ``None`` if
    all scores differ; their order is arbitrary unless ties were ``broken``. ``contradicted`` marks
    lists whose rank column contradicts the scores.
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
        """A mask of retrieved documents."""
        return np.arange(self.row.shape[1]) < self.length[:, None]

    @property
    def real(self) -> NDArray[np.bool_]:
        """A mask of all documents."""
        return np.arange(self.row.shape[1]) < self.size[:, None]


def query_lists(rows: GradedRows, ties: Ties = "average") -> Iterator[QueryLists]:
    """Yield matrices that together contain every query with documents once.

    >>> rows = GradedRows(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.9, 0.5]),
    ...                   np.array([0, 3]), np.array([7]))
    >>> [(lists.row.tolist(), lists.tied is not None) for lists in query_lists(rows)]
    [([[1, 0, 2]], True)]
    """
    tiebreak = _tiebreak(rows, ties)
    for some, row, real in _matrices(rows):
        yield _ranked(rows, some, row, real, ties, tiebreak)


def for_each(rows: GradedRows, ties: Ties, task: Callable[[QueryLists], None]) -> None:
    """Call the task with every matrix of `query_lists`, in any order, on up to two threads.

    A query is in one matrix only, so the task may write to arrays by query.
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
    groups = Groups(
        np.arange(len(rows)), rows.offsets[:-1], rows.sizes, np.zeros(len(rows.qids), np.int64)
    )
    yield from groups.matrices()
    for query in groups.large():
        yield np.array([query]), groups.rows(query)[None, :], np.ones((1, 1), dtype=np.bool_)


def _tiebreak(rows: GradedRows, ties: Ties) -> NDArray[np.float64] | NDArray[np.int64] | None:
    """The column that orders equal scores; ``None`` for the order of the rows."""
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
    # negated, since NumPy sorts upwards: −∞ (not in the list) comes last, then padding (NaN)
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
        # the sort above is not stable, for speed; this sort orders equal scores
        if tiebreak is None:
            order[has_ties] = np.argsort(down[has_ties], axis=1, kind="stable")
        else:
            order[has_ties] = np.lexsort((tiebreak[row[has_ties]], down[has_ties]), axis=1)
    size = rows.sizes[query]
    return QueryLists(
        query,
        # row[i, j] is the first row of the query plus j, and padding repeats the last row
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
    rank = np.where(down < np.inf, rank, np.inf)  # documents outside the list have no rank
    by_rank = np.take_along_axis(down, np.argsort(rank, axis=1, kind="stable"), axis=1)
    return np.asarray((by_rank[:, 1:] < by_rank[:, :-1]).any(axis=1))

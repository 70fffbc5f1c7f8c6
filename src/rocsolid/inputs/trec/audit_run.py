"""The audit of one run: every count from whole columns at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.errors import InputError
from rocsolid.inputs.trec.audit import Audit
from rocsolid.inputs.trec.qrels import Qrels
from rocsolid.inputs.trec.run import Run
from rocsolid.inputs.trec.ties import Ties


class RankCheck(NamedTuple):
    """Rows whose score is higher than that of the row one rank up, with that row.

    ``repeated`` counts the rows whose rank another document of the query has, too.
    """

    rows: NDArray[np.intp]
    above: NDArray[np.intp]
    repeated: int


def check_ranks(
    query: NDArray[Any], rank: NDArray[np.int32], score: NDArray[np.float64]
) -> RankCheck:
    """Every place where the score rises from one rank to the next of the same query.

    The rows are grouped by query. Evaluation tools read the scores and not the ranks, so such a
    run is not judged in the order that its author saw. Equal ranks say nothing about an order.

    >>> found = check_ranks(np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([3.0, 9.0, 1.0]))
    >>> found.rows.tolist(), found.above.tolist(), found.repeated
    ([1], [0], 0)
    """
    within = query[1:] == query[:-1]
    order = None
    if bool(np.any(within & (rank[1:] < rank[:-1]))):
        order = np.lexsort((rank, query))
        rank, score = rank[order], score[order]
    same = within & (rank[1:] == rank[:-1])
    rises = np.flatnonzero(within & ~same & (score[1:] > score[:-1]))
    shared = np.zeros(len(rank), dtype=np.bool_)
    shared[1:] = same
    shared[:-1] |= same
    lower, upper = rises + 1, rises
    if order is not None:
        lower, upper = order[lower], order[upper]
    return RankCheck(lower, upper, int(np.count_nonzero(shared)))


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """The documents of judged queries, grouped by query, each with the row of its judgement or −1.

    ``close`` are the rows that are tied in float32, ascending, and ``places`` the places of their
    documents in the order of the ids. ``taken`` are the rows of the run, ``queries`` counts the
    judged queries.
    """

    query: NDArray[np.int32]
    judgement: NDArray[np.int32]
    score: NDArray[np.float64]
    rank: NDArray[np.int32] | None
    ties: Ties
    close: NDArray[np.intp]
    places: NDArray[np.int64]
    taken: NDArray[np.intp] | slice
    queries: int

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The documents of each query, and 0 for a query that the run lacks."""
        numbers = np.arange(self.queries + 1, dtype=self.query.dtype)
        return np.diff(np.searchsorted(self.query, numbers))

    def in_trec_order(self, values: NDArray[Any]) -> NDArray[Any]:
        """A value for each row, by falling score and tied documents by falling id."""
        order, tied = self.ties.order, self.ties.tied
        ranked = values.copy() if order is None else values[order]
        # tied documents stand together by now, so they only change places with each other
        slots = np.flatnonzero(tied if order is None else tied[order])
        rows = slots if order is None else order[slots]
        places = np.searchsorted(self.close, rows)
        down = np.lexsort((-self.places[places], -self.score[rows], self.query[rows]))
        ranked[slots] = values[rows[down]]
        return ranked


def audit_run(
    run: Run, qrels: Qrels, retrieved: Retrieved, *, name: str, depths: Sequence[int]
) -> Audit:
    """Everything that ``Audit`` says, for a run and its judgements."""
    size = retrieved.queries
    judged = retrieved.judgement >= 0
    relevant = np.bincount(qrels.query[qrels.grade > 0.0], minlength=size)
    known = set(qrels.queries)
    conflicts, conflict_queries, conflict, repeated = _ranks(run, retrieved)
    return Audit(
        run=name,
        qrels=qrels.source,
        queries=size,
        missing=_named(qrels, retrieved.sizes == 0),
        empty=_named(qrels, relevant == 0),
        not_judged=tuple(query for query in run.queries if query not in known),
        documents=len(retrieved.query),
        judged=int(np.count_nonzero(judged)),
        judged_at=_judged_at(retrieved, judged, depths),
        tied=int(np.count_nonzero(retrieved.ties.tied)),
        tied_queries=_queries(retrieved, retrieved.ties.tied),
        tied_float32=int(np.count_nonzero(retrieved.ties.tied_float32)),
        tied_float32_queries=_queries(retrieved, retrieved.ties.tied_float32),
        duplicates=run.duplicates,
        duplicate=run.duplicate,
        rank_conflicts=conflicts,
        rank_conflict_queries=conflict_queries,
        rank_conflict=conflict,
        ranks_repeated=repeated,
        no_rank=run.no_rank,
        repeated=qrels.repeated,
        conflicting=qrels.conflicting,
        negative=qrels.negative,
    )


def _judged_at(
    retrieved: Retrieved, judged: NDArray[np.bool_], depths: Sequence[int]
) -> dict[int, float]:
    """Ties are broken as in trec_eval; a query with fewer than k documents counts those it has."""
    if not isinstance(depths, Sequence):
        raise InputError(
            "depths is a list of whole numbers", where="depths", value=depths, fix="write [10]"
        )
    for k in depths:
        whole(k, "k")
    judged = retrieved.in_trec_order(judged)
    sizes = retrieved.sizes[retrieved.sizes > 0]
    starts = np.cumsum(sizes) - sizes
    running = np.zeros(len(judged) + 1, dtype=np.int32)
    np.cumsum(judged, out=running[1:])
    shares = {}
    for k in depths:
        first = np.minimum(sizes, k)
        shares[int(k)] = float(np.mean((running[starts + first] - running[starts]) / first))
    return shares


def _ranks(run: Run, retrieved: Retrieved) -> tuple[int, int, str, int]:
    if retrieved.rank is None:
        return 0, 0, "", 0
    checked = check_ranks(retrieved.query, retrieved.rank, retrieved.score)
    if not len(checked.rows):
        return 0, 0, "", checked.repeated
    upper, lower = int(checked.above[0]), int(checked.rows[0])
    row = upper if isinstance(retrieved.taken, slice) else int(retrieved.taken[upper])
    example = (
        f"in query {run.queries[run.query[row]]!r}, where rank {retrieved.rank[upper]} has the "
        f"score {retrieved.score[upper]:g} and rank {retrieved.rank[lower]} has "
        f"{retrieved.score[lower]:g}"
    )
    queries = len(np.unique(retrieved.query[checked.rows]))
    return len(checked.rows), queries, example, checked.repeated


def _named(qrels: Qrels, chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(qrels.queries[i] for i in np.flatnonzero(chosen))


def _queries(retrieved: Retrieved, rows: NDArray[np.bool_]) -> int:
    return len(np.unique(retrieved.query[rows]))

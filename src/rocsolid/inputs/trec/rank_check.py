"""Whether the rank column of a run says the same as its scores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


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

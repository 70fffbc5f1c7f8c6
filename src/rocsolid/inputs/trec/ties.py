"""Documents of a query with equal scores, and the order that trec_eval gives them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.trec.arrow import to_numpy


class Ties(NamedTuple):
    """Which rows share their score with another row of their query, in two precisions.

    ``order`` puts the rows by query and by falling score; None where they stand so already.
    """

    tied: NDArray[np.bool_]
    tied_float32: NDArray[np.bool_]
    order: NDArray[np.intp] | None


def ties(query: NDArray[Any], score: NDArray[np.float64]) -> Ties:
    """Ties among rows that are grouped by query.

    trec_eval 9 keeps scores as 32-bit floats, which makes ties that the file does not have
    (version 10 no longer does).

    >>> found = ties(np.array([0, 0, 0]), np.array([0.5, 0.7, 0.7000000001]))
    >>> found.tied.tolist(), found.tied_float32.tolist()
    ([False, False, False], [False, True, True])
    """
    within = query[1:] == query[:-1]
    order = None
    if bool(np.any(within & (score[1:] > score[:-1]))):
        order = np.lexsort((-score, query))
        score = score[order]  # the queries are grouped: theirs stay where they are
    with np.errstate(over="ignore"):
        short = score.astype(np.float32)
    equal = within & (score[1:] == score[:-1])
    equal_float32 = within & (short[1:] == short[:-1])
    return Ties(_of_rows(equal, order), _of_rows(equal_float32, order), order)


def document_order(document: Any) -> NDArray[np.int64]:
    """The places of the documents in the order of their ids' bytes, from 1.

    trec_eval puts the last one first. Text is slow to sort, so only tied documents should come.
    """
    import pyarrow.compute as pc

    place = np.empty(len(document), dtype=np.int64)
    place[to_numpy(pc.sort_indices(document))] = np.arange(1, len(document) + 1)
    return place


def _of_rows(equal: NDArray[np.bool_], order: NDArray[np.intp] | None) -> NDArray[np.bool_]:
    """From "equals the next one in order" to "equals a neighbour", in the order of the rows."""
    sorted_rows = np.zeros(len(equal) + 1, dtype=np.bool_)
    sorted_rows[1:] = equal
    sorted_rows[:-1] |= equal
    if order is None:
        return sorted_rows
    rows = np.empty_like(sorted_rows)
    rows[order] = sorted_rows
    return rows

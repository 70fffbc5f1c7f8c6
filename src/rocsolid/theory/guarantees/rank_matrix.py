"""Bipartite rank matrices: which ones a scorer can produce, and a scorer that does.

Reference: Agarwal et al. 2005, Definition 14 and Theorem 16.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.matrices import in_main_memory

# Twice an entry is 0, 1 or 2, so a pair of entries is one number below 9.
_ENTRIES = (0.0, 0.5, 1.0)


def rank_matrix(pos_scores: ArrayLike, neg_scores: ArrayLike) -> NDArray[np.float64]:
    """Return the m × n matrix of comparisons: 1 if the positive scores higher, ½ at a tie, else 0.

    The mean of the matrix is the AUC.

    Reference: Agarwal et al. 2005, Definition 14.

    >>> rank_matrix([3, 1], [1, 2])
    array([[1. , 1. ],
           [0.5, 0. ]])
    """
    pos = _scores(pos_scores, "pos_scores")[:, None]
    neg = _scores(neg_scores, "neg_scores")[None, :]
    return np.asarray((pos > neg) + 0.5 * (pos == neg))


def is_realisable(matrix: ArrayLike, by: Literal["graph", "sub-matrices"] = "graph") -> bool:
    """Return whether some scoring of m positives and n negatives has this rank matrix.

    ``by`` selects one of the forms of Theorem 16 (Agarwal et al. 2005). ``"graph"`` tests in time
    mn whether the matrix's bipartite graph, with an arrow from the lower to the higher example and
    a line at a tie, is acyclic. ``"sub-matrices"`` tests in time m²n whether no 2 × 2 sub-matrix is
    one of the 30 forbidden ones.

    >>> is_realisable([[1, 0.5], [0.5, 0]]), is_realisable([[1, 0], [0, 1]], by="sub-matrices")
    (True, False)
    """
    doubled = _doubled(matrix)
    if by == "graph":
        return _levels(doubled) is not None
    if by == "sub-matrices":
        return next(_forbidden(doubled), None) is None
    raise InputError(
        "unknown way to decide", where="by", value=by, fix="use 'graph' or 'sub-matrices'"
    )


def scoring(matrix: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return scores of the positives and of the negatives that have this rank matrix.

    The scores are 0, 1, 2, … with as few levels as possible (the topological order in the proof of
    Theorem 16, part 1, Agarwal et al. 2005). The error for a matrix without such scores shows a 2 ×
    2 sub-matrix that rules them out.

    >>> pos, neg = scoring([[1, 1], [0.5, 0]])
    >>> pos.tolist(), neg.tolist()
    ([2, 0], [0, 1])
    >>> scoring([[1, 1, 0], [1, 0, 1]])
    Traceback (most recent call last):
    rocsolid.errors.InputError: no scoring has this rank matrix: [[1, 0], [0, 1]] (rows 0 and 1, ...
    """
    doubled = _doubled(matrix)
    levels = _levels(doubled)
    if levels is None:
        rows, columns = next(_forbidden(doubled))  # there is one, by part 2 of the theorem
        block = doubled[np.ix_(rows, columns)] / 2
        raise InputError(
            "no scoring has this rank matrix",
            where=f"rows {rows[0]} and {rows[1]}, columns {columns[0]} and {columns[1]}",
            value=[[int(x) if x % 1 == 0 else float(x) for x in row] for row in block],
            fix="these four comparisons form a circle; change one of them",
        )
    return levels[: doubled.shape[0]], levels[doubled.shape[0] :]


@cache
def forbidden_submatrices() -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    """Return the thirty 2 × 2 matrices that no rank matrix contains (Agarwal et al. 2005, Table 2).

    The scores 0 to 3 of four examples produce every realisable matrix; the rest of the 81 are
    forbidden.

    >>> len(forbidden_submatrices())
    30
    """
    possible = {
        tuple(map(tuple, rank_matrix(scores[:2], scores[2:]).tolist()))
        for scores in product(range(4), repeat=4)
    }
    everything = (((a, b), (c, d)) for a, b, c, d in product(_ENTRIES, repeat=4))
    return tuple(block for block in everything if block not in possible)


def _levels(doubled: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return the level of every vertex, positives first, or None if the mixed graph has a cycle."""
    m = doubled.shape[0]
    group = _tied_groups(doubled == 1)
    groups = int(group.max()) + 1
    # below[a, b]: an arrow from group a up to group b
    below = np.zeros((groups, groups), dtype=bool)
    rows, columns = np.nonzero(doubled == 2)
    below[group[m + columns], group[rows]] = True
    rows, columns = np.nonzero(doubled == 0)
    below[group[rows], group[m + columns]] = True
    waiting = below.sum(axis=0)  # arrows into a group; an arrow within a group is never taken away
    level = np.full(groups, -1)
    current = np.flatnonzero(waiting == 0)
    height = 0
    while current.size:
        level[current] = height
        waiting = waiting - below[current].sum(axis=0)
        current = np.flatnonzero((waiting == 0) & (level < 0))
        height += 1
    return None if (level < 0).any() else level[group]


def _tied_groups(tied: NDArray[np.bool_]) -> NDArray[np.int64]:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    m, n = tied.shape
    rows, columns = np.nonzero(tied)
    graph = coo_array((np.ones(len(rows)), (rows, m + columns)), shape=(m + n, m + n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _forbidden(doubled: NDArray[np.int64]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield rows and columns of forbidden 2 × 2 sub-matrices, at most one for each upper row."""
    forbidden = np.zeros((9, 9), dtype=bool)
    for (a, b), (c, d) in forbidden_submatrices():
        forbidden[int(6 * a + 2 * c), int(6 * b + 2 * d)] = True
    for first in range(doubled.shape[0] - 1):
        codes = 3 * doubled[first] + doubled[first + 1 :]
        present = np.stack([(codes == code).any(axis=1) for code in range(9)], axis=1)
        bad = ((present @ forbidden) & present).any(axis=1)
        if bad.any():
            row = int(np.argmax(bad))
            clash = forbidden[codes[row][:, None], codes[row][None, :]]
            column = int(np.argmax(clash.any(axis=1)))
            yield [first, first + 1 + row], [column, int(np.argmax(clash[column]))]


def _scores(scores: ArrayLike, name: str) -> NDArray[np.float64]:
    values = np.asarray(in_main_memory(scores, name))
    if values.ndim != 1 or values.size == 0:
        raise InputError(
            "the scores are not a list of at least one number", where=name, value=scores
        )
    if values.dtype.kind not in "biuf":
        raise InputError("the scores are not real numbers", where=name, value=scores)
    if np.isnan(values).any():
        raise InputError(
            "a score is not a number",
            where=f"{name}[{int(np.argmax(np.isnan(values)))}]",
            fix="remove it",
        )
    return values


def _doubled(matrix: ArrayLike) -> NDArray[np.int64]:
    try:
        values = np.asarray(matrix)
    except ValueError:  # rows of different lengths
        values = np.empty(0)
    if values.ndim != 2 or values.size == 0 or values.dtype.kind not in "biuf":
        raise InputError("not an m by n matrix of numbers", where="matrix", value=matrix)
    wrong = ~np.isin(values, _ENTRIES)
    if wrong.any():
        row, column = (int(i) for i in np.argwhere(wrong)[0])
        raise InputError(
            "an entry of a rank matrix is 0, 0.5 or 1",
            where=f"row {row}, column {column}",
            value=values[row, column],
        )
    return (2 * values).astype(np.int64)

"""Which neighbouring cells become one, so that a table fits and few pairs become unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.cells import KeyCells, cell_low, combined
from rocsolid.summaries.score_keys import Keys

_OUTSIDE = 255  # a level above all levels, at both ends of the table
_NEAR = 16  # walls that each wall looks at before any takes over what another has found


def collapsed(cells: KeyCells, capacity: int) -> KeyCells:
    """A table of at most ``capacity`` cells with the same rows; the same table if it fits.

    Between two neighbours of the table stands a wall, whose level is that of the smallest cell
    around both. Removing a wall merges the cells on its two sides. A wall costs as much as the cell
    around it (`cell_costs`), which is no less than what a cell inside costs. So the cheapest walls
    are the innermost, and these are removed.

    >>> pos, neg = np.array([0, 2], dtype=np.uint64), np.array([1, 300], dtype=np.uint64)
    >>> small = collapsed(KeyCells.of(pos, neg), 3)
    >>> small.low.tolist(), small.level.tolist()
    ([0, 2, 300], [1, 0, 0])
    """
    gone_count = len(cells) - capacity
    if gone_count <= 0:
        return cells
    level = _wall_levels(cells)
    gone = _cheapest(_costs(cells, level), level, gone_count)
    starts = np.flatnonzero(np.concatenate([[True], ~gone]))
    inside = np.concatenate([[np.uint8(0)], np.where(gone, level, np.uint8(0))])
    merged = np.maximum.reduceat(np.maximum(inside, cells.level), starts)
    return combined(
        cell_low(cells.low[starts], merged),
        merged,
        np.add.reduceat(cells.pos, starts),
        np.add.reduceat(cells.neg, starts),
    )


def _wall_levels(cells: KeyCells) -> NDArray[np.uint8]:
    """The level of the smallest cell around each two neighbours."""
    apart = _bit_lengths(cells.low[1:] ^ cells.low[:-1])
    return np.maximum(apart, np.maximum(cells.level[1:], cells.level[:-1]))


def _bit_lengths(number: Keys) -> NDArray[np.uint8]:
    """How many bits each number takes.

    >>> _bit_lengths(np.array([0, 1, 8, 2**64 - 1], dtype=np.uint64)).tolist()
    [0, 1, 4, 64]
    """
    filled = number.copy()
    for shift in (1, 2, 4, 8, 16, 32):
        filled |= filled >> np.uint64(shift)
    return np.bitwise_count(filled)


def _costs(cells: KeyCells, level: NDArray[np.uint8]) -> NDArray[np.float64]:
    pos, neg = (
        np.concatenate([[0.0], np.cumsum(counts, dtype=np.float64)])
        for counts in (cells.pos, cells.neg)
    )
    first, end = _reach(level, -1), _reach(level, 1)
    return cell_costs(pos[end] - pos[first], neg[end] - neg[first], pos[-1], neg[-1])


def cell_costs(
    pos: NDArray[Any], neg: NDArray[Any], n_pos: float, n_neg: float
) -> NDArray[np.float64]:
    """What cells cost that hold so many rows of each class, of ``n_pos`` and ``n_neg`` in all.

    That is the share of all pairs that a cell makes unknown, P_c·N_c/(PN), and the square of its
    share of all rows, which keeps cells small where so far only one class has come.
    """
    cost: NDArray[np.float64] = np.square((pos + neg) / (n_pos + n_neg))
    if n_pos and n_neg:
        cost += (pos / n_pos) * (neg / n_neg)
    return cost


def _reach(level: NDArray[np.uint8], step: int) -> NDArray[np.int32]:
    """For each wall the nearest higher one on one side, or the end of the table.

    Every wall looks at its nearest neighbours, all walls at once and in bytes. Walls that have met
    no higher one then take over the result of the last wall that they looked at, as nothing in
    between is higher either.

    >>> _reach(np.array([1, 3, 2], dtype=np.uint8), -1), _reach(np.array([1, 3, 2]), 1)
    (array([0, 0, 2], dtype=int32), array([2, 4, 4], dtype=int32))
    """
    n = len(level)
    padded = np.pad(level, _NEAR, constant_values=_OUTSIDE)
    steps, going = np.zeros(n, dtype=np.uint8), np.ones(n, dtype=np.bool_)
    for away in range(1, _NEAR + 1):
        steps += going
        begin = _NEAR + step * away
        going &= padded[begin : begin + n] <= level
    nearest = np.arange(1, n + 1, dtype=np.int32) + np.int32(step) * steps
    todo = np.flatnonzero(going)
    while len(todo):
        beyond = nearest[nearest[todo] - 1]
        nearest[todo] = beyond
        todo = todo[padded[beyond + (_NEAR - 1)] <= level[todo]]
    return nearest


def _cheapest(cost: NDArray[np.float64], level: NDArray[np.uint8], count: int) -> NDArray[np.bool_]:
    """The walls of least cost, inner before outer ones where that is equal."""
    limit = np.partition(cost, count - 1)[count - 1]
    gone: NDArray[np.bool_] = cost < limit
    equal = np.flatnonzero(cost == limit)
    innermost = np.argsort(level[equal], kind="stable")
    gone[equal[innermost[: count - np.count_nonzero(gone)]]] = True
    return gone

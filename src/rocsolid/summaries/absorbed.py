"""Merging of new rows into existing cells of a sketch."""

from __future__ import annotations

import numpy as np

from rocsolid.summaries.score_keys import KeyCells, Keys, cell_costs


def absorbed(cells: KeyCells, pos: Keys, neg: Keys, most_cost: float) -> KeyCells:
    """Add rows, as each class's ascending keys, to a table.

    The rows from the start of a cell up to the next cell join the cell if all are inside and its
    cost stays at most ``most_cost``, or if the cell is a single score. Other rows get cells of
    their own, which only affects the width of a bracket.

    >>> low, level = np.array([0, 8], dtype=np.uint64), np.array([2, 1], dtype=np.uint8)
    >>> cells = KeyCells(low, level, np.array([1, 1]), np.array([1, 1]))
    >>> keys = np.array([3, 9, 11], dtype=np.uint64)  # 11 is outside, so 9 does not join either
    >>> found = absorbed(cells, keys, keys[:0], 1.0)
    >>> found.low.tolist(), found.level.tolist(), found.pos.tolist()
    ([0, 8, 9, 11], [2, 1, 0, 0], [2, 1, 1, 1])
    """
    last, counts = cells.last, []
    joins = np.ones(len(cells), dtype=np.bool_)
    for key in (pos, neg):
        begins = np.append(key.searchsorted(cells.low), len(key))
        # the last key before the next cell, which is below this cell if there is no row between
        joins &= np.append(np.uint64(0), key)[begins[1:]] <= last
        counts.append(np.diff(begins, prepend=0))  # below all cells, then after each start
    more_pos, more_neg = (cells.pos + counts[0][1:], cells.neg + counts[1][1:])
    costs = cell_costs(more_pos, more_neg, cells.n_pos + len(pos), cells.n_neg + len(neg))
    joins &= (cells.level == 0) | (costs <= most_cost)
    left = np.append(True, ~joins)
    own = KeyCells.of(pos[np.repeat(left, counts[0])], neg[np.repeat(left, counts[1])])
    new_pos, new_neg = (
        np.where(joins, more, old) for more, old in ((more_pos, cells.pos), (more_neg, cells.neg))
    )
    return KeyCells(cells.low, cells.level, new_pos, new_neg) + own

"""Labels that a released AUC forces, by exact reasoning that needs no counting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.constraint import Constraint

_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Forced:
    """For each free row, in the order of `Constraint.free`, which labels are not ruled out.

    Where ``complete``, what is not ruled out occurs in some labeling; otherwise it may not.
    """

    may_be_positive: NDArray[np.bool_]
    may_be_negative: NDArray[np.bool_]
    complete: bool


def forced(c: Constraint) -> Forced:
    """Which rows can still be positive, and which negative.

    If the weights are 0, 1, …, m−1 (untied scores, no gaps by known labels), the sums of a subset
    of fixed size of consecutive integers fill the interval from the smallest to the largest. So
    with ``a`` positives below a row and the others above it, all sums between the two extremes
    occur, and the answer is exact for any number of rows. In other cases only the extremes over all
    subsets are used: what they rule out is impossible, what they leave is not settled.

    >>> from rocsolid.leaks.constraint import constraint
    >>> forced(constraint("3/4", [0.1, 0.2, 0.5, 0.9], n_pos=2))
    Forced(may_be_positive=array([ True, False,  True, False]),
           may_be_negative=array([False,  True, False,  True]), complete=True)
    """
    if c.consecutive:
        return _over_sizes(c, _between_consecutive, True)
    return decided_by_extremes(c)


def decided_by_extremes(c: Constraint) -> Forced:
    """Which rows the smallest and largest sums decide: less than `forced` may find, and fast."""
    return _over_sizes(c, _between_extremes, False)


def _over_sizes(
    c: Constraint,
    possible_for: Callable[[Constraint, int, int, _INTS], NDArray[np.bool_]],
    complete: bool,
) -> Forced:
    m = len(c.weights)
    possible = np.zeros((2, m), dtype=bool)
    for k in sorted(c.targets, key=lambda k: abs(2 * k - m)):  # balanced first: they rule out least
        for label in (0, 1):
            open_rows = np.flatnonzero(~possible[label])
            if label <= k and k - label <= m - 1:
                possible[label, open_rows] = possible_for(c, k, label, open_rows)
        if possible.all():
            break
    return Forced(possible[1], possible[0], complete)


def _between_consecutive(c: Constraint, k: int, label: int, rows: _INTS) -> NDArray[np.bool_]:
    """Whether the rows can have the label: exact if the weights are m−1, …, 1, 0."""
    m, x, others = len(c.weights), c.weights[rows], k - label
    fitting = c.targets[k]

    def smallest(a: _INTS) -> _INTS:
        b = others - a
        sums: _INTS = label * x + a * (a - 1) // 2 + b * (x + 1) + b * (b - 1) // 2
        return sums

    def largest(a: _INTS) -> _INTS:
        b = others - a
        sums: _INTS = label * x + a * (x - 1) - a * (a - 1) // 2 + b * (m - 1) - b * (b - 1) // 2
        return sums

    # both extremes fall with the number of positives below the row: find the first that is low
    # enough at its smallest, and see whether its largest is high enough
    first, last = np.maximum(0, others - (m - 1 - x)), np.minimum(x, others)
    most = last
    while (first < last).any():
        half = (first + last) // 2
        enough = smallest(half) <= fitting[-1]
        last = np.where(enough, half, last)
        first = np.where(enough, first, np.minimum(half + 1, last))
    return (first <= most) & (smallest(first) <= fitting[-1]) & (largest(first) >= fitting[0])


def _between_extremes(c: Constraint, k: int, label: int, rows: _INTS) -> NDArray[np.bool_]:
    """Whether the sum can lie between the extremes: what it denies is impossible."""
    m, x, others = len(c.weights), c.weights[rows], k - label
    cum = np.concatenate([[0], np.cumsum(c.weights)])
    # the row itself is left out of the others, and replaced where it would be among the extremes
    largest = np.where(rows < others, cum[min(others + 1, m)] - x, cum[others])
    among_lowest = rows >= m - others
    smallest = np.where(
        among_lowest, cum[m] - cum[m - min(others + 1, m)] - x, cum[m] - cum[m - others]
    )
    fitting = c.targets[k]
    return np.asarray((label * x + smallest <= fitting[-1]) & (label * x + largest >= fitting[0]))

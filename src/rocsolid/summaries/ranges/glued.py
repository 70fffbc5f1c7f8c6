"""Sorted batches of rows become tables of distinct scores that follow each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.summaries.runs import run_begins
from rocsolid.summaries.score_counts import ScoreCounts


def table_of_sorted(
    score: NDArray[Any], positive: NDArray[np.bool_], weight: NDArray[np.float64] | None = None
) -> ScoreCounts:
    """The table of distinct scores of rows in ascending order; another order is an error.

    >>> table = table_of_sorted(np.array([-0.0, 0.0, 2.0]), np.array([True, False, True]))
    >>> table.score.tolist(), table.pos.tolist(), table.neg.tolist()
    ([0.0, 2.0], [1, 1], [1, 0])
    """
    starts = np.flatnonzero(run_begins(score))
    pos: NDArray[Any]
    neg: NDArray[Any]
    if weight is None and len(starts) == len(score):  # without a tie there is nothing to add up
        pos = positive.astype(np.int64)
        neg = 1 - pos
    elif weight is None:
        rows = np.diff(starts, append=len(score))
        pos = np.add.reduceat(positive, starts, dtype=np.int64) if len(score) else rows
        neg = rows - pos
    else:
        pos, neg = (
            np.add.reduceat(np.where(of_class, weight, 0.0), starts) if len(score) else weight
            for of_class in (positive, ~positive)
        )
    distinct = score[starts]
    if distinct.dtype.kind == "f":
        distinct = distinct + 0.0  # one spelling of zero
    try:
        return ScoreCounts(distinct, pos, neg)
    except InputError:
        at = int(np.argmin(distinct[1:] > distinct[:-1]))
        raise out_of_order(distinct[at], distinct[at + 1]) from None


def glued(tables: Iterable[ScoreCounts]) -> Iterator[ScoreCounts]:
    """The same tables, where a score that ends one and begins the next is in one of them only.

    The sort is not trusted: tables that do not ascend from one to the next are an error, because
    sums over them would be wrong without a sign of it.

    >>> a = ScoreCounts(np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 0]))
    >>> b = ScoreCounts(np.array([2.0, 3.0]), np.array([0, 1]), np.array([1, 1]))
    >>> [table.score.tolist() for table in glued([a, b])]
    [[1.0], [2.0], [3.0]]
    >>> list(glued([b, a]))
    Traceback (most recent call last):
    rocsolid.errors.InputError: sorted scores came back out of order (3.0 before 1.0). Fix: report
    this with the versions of rocsolid and of the library that sorted them.
    """
    held: ScoreCounts | None = None
    for table in tables:
        if len(table) == 0:
            continue
        if held is not None:
            last, first = held.score[-1], table.score[0]
            if not first >= last:  # nor is NaN in order
                raise out_of_order(last, first)
            if first == last:
                held = held + _part(table, slice(0, 1))
                table = _part(table, slice(1, None))
                if len(table) == 0:
                    continue
            yield held
        yield_now = _part(table, slice(0, -1))
        if len(yield_now):
            yield yield_now
        held = _part(table, slice(-1, None))
    if held is not None:
        yield held


def out_of_order(last: Any, first: Any) -> InputError:
    """The error for sorted data that is not sorted."""
    return InputError(
        f"sorted scores came back out of order ({last} before {first})",
        fix="report this with the versions of rocsolid and of the library that sorted them",
    )


def _part(table: ScoreCounts, rows: slice) -> ScoreCounts:
    return ScoreCounts(table.score[rows], table.pos[rows], table.neg[rows])

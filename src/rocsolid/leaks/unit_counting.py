"""Counting the labelings of units of unlike numbers of rows: two lists of halves, or one table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError
from rocsolid.leaks.evidence import Line
from rocsolid.leaks.meet_in_middle import meet_in_middle
from rocsolid.leaks.system import system
from rocsolid.leaks.unit_constraint import UnitConstraint

_LISTED = 1 << 26  # sums of halves of the units, over all numbers of positives
_CELLS = 3e7  # of a table of sums by the number of rows
_STEPS = 4e9  # of all its additions
_WHOLE = 62  # units, of which there are fewer labelings than 64-bit integers
_DOUBLE = 1000  # units, of which there are fewer labelings than doubles go up to


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """The labelings by the rows of the free positives; those where each unit is positive or not.

    Whole numbers where ``error`` is 0, else doubles that are right to that relative error.
    """

    total: dict[int, Any]
    positive: list[Any]
    negative: list[Any]
    error: float


def count_units(question: UnitConstraint) -> tuple[dict[int, Any], float]:
    """The labelings by the rows of the free positives, and the relative error; 0 is exact."""
    listed = _listed(question)
    if listed is not None:
        return listed.total, 0.0
    _check(question, 1)
    table, error = _table(question)
    for rows, weight in zip(question.rows.tolist(), question.weights.tolist(), strict=True):
        _add(table, rows, weight)
    return {k: _within(table, k, sums) for k, sums in question.targets.items()}, error


def expose_units(question: UnitConstraint) -> UnitCounts:
    """The same for each unit: the labelings in which it is positive.

    Each unit is left out of a table of all others in turn: half of the units are added to the table
    from which the other half is left out, and so on. Only positive numbers are added, so nothing
    cancels, and a count is 0 only if no labeling fits.

    >>> from rocsolid.leaks.unit_constraint import unit_constraint
    >>> from rocsolid.leaks.units import units_of
    >>> units = units_of(5, [0, 1, 1, 2, 3])
    >>> found = expose_units(unit_constraint("1/2", [1, 2, 3, 4, 5], units, 2))
    >>> found.total, found.positive
    ({2: 1}, [1, 0, 0, 1])
    """
    listed = _listed(question)
    if listed is not None:
        return listed
    _check(question, 1 + math.ceil(math.log2(max(2, len(question.rows)))))
    table, error = _table(question)
    positive: list[Any] = []
    negative: list[Any] = []
    total: dict[int, Any] = {}
    for unit, others in _left_out(table, question, 0, len(question.rows)):
        rows, weight = int(question.rows[unit]), int(question.weights[unit])
        with_it = {
            k: _within(others, k - rows, range(sums.start - weight, sums.stop - weight))
            for k, sums in question.targets.items()
        }
        without = {k: _within(others, k, sums) for k, sums in question.targets.items()}
        positive.append(sum(with_it.values()))
        negative.append(sum(without.values()))
        total = {k: with_it[k] + without[k] for k in question.targets}
    return UnitCounts(total, positive, negative, error)


def _listed(question: UnitConstraint) -> UnitCounts | None:
    """By two lists of the sums of halves of the units; None where they are too long."""
    free = len(question.rows)
    if len(question.targets) * 2 ** (free / 2 + 1) > _LISTED:
        return None
    nothing = np.zeros(free, dtype=bool)
    total: dict[int, Any] = {}
    positive = [0] * free
    for k, sums in question.targets.items():
        lines = [Line(question.rows, k, k), Line(question.weights, sums[0], sums[-1])]
        part = system(lines, nothing, nothing)
        ways, ones = 0, (0,) * free
        if part is not None:
            found = meet_in_middle(part, _LISTED)
            if found.count is None or found.positive is None:
                return None
            ways, ones = found.count, found.positive
        total[k] = ways
        for unit, count in enumerate(ones):
            positive[unit] += count
    every = sum(total.values())
    return UnitCounts(total, positive, [every - ones for ones in positive], 0.0)


def _check(question: UnitConstraint, turns: int) -> None:
    free, (rows, sums) = len(question.rows), _shape(question)
    if free > _DOUBLE or rows * sums > _CELLS or free * rows * sums * turns > _STEPS:
        raise RocsolidError(
            "the labelings of so many units of unlike numbers of rows take too long to count",
            where=f"{free:,} units of unknown label, {int(question.rows.sum()):,} rows",
            value=f"a table of {rows * sums:,} cells",
            fix="give n_pos, or more known labels; joint() can still look for other labelings",
        )


def _shape(question: UnitConstraint) -> tuple[int, int]:
    most = max((sums[-1] for sums in question.targets.values()), default=0)
    return max(question.targets, default=0) + 1, most + 1


def _table(question: UnitConstraint) -> tuple[NDArray[Any], float]:
    """The empty choice, and the relative error of a count; a number is a sum over all units."""
    whole = len(question.rows) <= _WHOLE
    table = np.zeros(_shape(question), dtype=np.int64 if whole else np.float64)
    table[0, 0] = 1
    longest = max((len(sums) for sums in question.targets.values()), default=0)
    error = (len(question.rows) + longest) * float(np.finfo(float).eps)
    return table, 0.0 if whole else error


def _add(table: NDArray[Any], rows: int, weight: int) -> None:
    """A unit that may be positive: so many rows more, with so much weight."""
    if rows < table.shape[0] and weight < table.shape[1]:
        table[rows:, weight:] += table[: table.shape[0] - rows, : table.shape[1] - weight].copy()


def _left_out(
    table: NDArray[Any], question: UnitConstraint, begin: int, end: int
) -> Iterator[tuple[int, NDArray[Any]]]:
    if end - begin == 1:
        yield begin, table
        return
    middle = (begin + end) // 2
    for (first, last), others in (
        ((begin, middle), range(middle, end)),
        ((middle, end), range(begin, middle)),
    ):
        more = table.copy()
        for unit in others:
            _add(more, int(question.rows[unit]), int(question.weights[unit]))
        yield from _left_out(more, question, first, last)


def _within(table: NDArray[Any], k: int, sums: range) -> Any:
    """A whole number, or a double."""
    if not 0 <= k < table.shape[0]:
        return 0
    inside = table[k, max(0, sums.start) : max(0, sums.stop)]
    return int(inside.sum()) if table.dtype == np.int64 else math.fsum(inside)

"""The constraint of a released AUC: the subsets of unknown rows whose sums fit."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.leaks.evidence import Line, Released, released
from rocsolid.leaks.gaussian import LabelUnits
from rocsolid.leaks.lattice import meet_in_middle, system
from rocsolid.leaks.ranks import doubled_ranks


@dataclass(frozen=True, slots=True)
class Constraint:
    """Choose ``k`` of the free rows with the sum of their ``weights`` in ``targets[k]``.

    Given n₁, the AUC is an affine function of the positives' rank sum. The weights are the doubled
    midranks of the rows without known labels, less the smallest, divided by their greatest common
    divisor. ``free`` and ``weights`` list these rows, highest score first, ties in the caller's
    order.
    """

    labels: NDArray[np.bool_]
    """The known labels in the caller's order, false where unknown."""
    free: NDArray[np.intp]
    weights: NDArray[np.int64]
    targets: dict[int, range]
    """Ranges by the number of free positives, within the smallest and largest sum."""
    known_positives: int

    @property
    def n(self) -> int:
        return len(self.labels)

    @property
    def consecutive(self) -> bool:
        """Whether the weights are m−1, …, 1, 0: untied scores, and no gaps by known labels."""
        return bool((self.weights == np.arange(len(self.weights))[::-1]).all())

    def labeling(self, chosen: Any) -> NDArray[np.bool_]:
        """Return the labels of all rows in the caller's order from the labels of the free rows."""
        labels = self.labels.copy()
        labels[self.free] = chosen
        return labels

    @property
    def known(self) -> NDArray[np.bool_]:
        return _others(self.free, self.n)


def constraint(
    auc: Fraction | str | float | Decimal | Released,
    scores: Any,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> Constraint:
    """Convert a released AUC and known labels into a constraint.

    >>> c = constraint("3/4", [0.2, 0.5, 0.9, 0.1], n_pos=2)
    >>> c.free, c.weights, c.targets
    (array([2, 1, 0, 3]), array([3, 2, 1, 0]), {2: range(4, 5)})
    """
    ranks = doubled_ranks(scores)
    n = len(ranks)
    value = released(auc, decimals)
    labels, is_known = known_labels(known, n)
    order = np.argsort(-ranks, kind="stable")
    free = order[~is_known[order]]
    lowest = int(ranks[free[-1]]) if len(free) else 0
    weights = ranks[free] - lowest
    step = int(np.gcd.reduce(weights)) or 1
    weights //= step
    positives = int(labels.sum())
    known_sum = int(ranks[labels].sum())
    smallest, largest = ([0, *np.cumsum(w).tolist()] for w in (weights[::-1], weights))
    targets = {}
    for size in class_sizes(n_pos, n):
        k = size - positives
        if not 0 <= k <= len(free):
            continue
        sums = value.doubled_rank_sums(n, size)
        if not sums:
            continue
        shift = known_sum + k * lowest
        low = max(-((shift - sums[0]) // step), smallest[k])
        high = min((sums[-1] - shift) // step, largest[k])
        if low <= high:
            targets[k] = range(low, high + 1)
    return Constraint(labels, free, weights, targets, positives)


def _others(rows: NDArray[np.intp], n: int) -> NDArray[np.bool_]:
    others = np.ones(n, dtype=bool)
    others[rows] = False
    return others


def class_sizes(n_pos: int | Collection[int] | None, n: int) -> range | list[int]:
    """Return the possible numbers of positives, ascending; ``None`` allows 1 to n − 1."""
    if n_pos is None:
        return range(1, n)
    if isinstance(n_pos, Collection):
        sizes = sorted({_whole(size) for size in n_pos})
    else:
        sizes = [_whole(n_pos)]
    if not sizes or sizes[0] < 1 or sizes[-1] >= n:
        raise InputError(
            f"the number of positives must lie from 1 to {n - 1}",
            where="n_pos",
            value=n_pos,
            fix="an AUC needs both classes",
        )
    return sizes


def no_labeling(auc: object) -> InputError:
    return InputError(
        "no labeling of these rows has this AUC",
        where="auc",
        value=auc,
        fix="check the scores, n_pos and known; give decimals= if the value was rounded",
    )


def _whole(number: Any) -> int:
    try:
        whole = operator.index(number)
    except TypeError:
        whole = None
    if whole is None or isinstance(number, bool):
        raise InputError("the number of positives is not whole", value=number)
    return whole


def known_labels(
    known: Mapping[int, Any] | None, n: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the known labels (false elsewhere), and the mask of known rows."""
    labels, is_known = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    for row, label in (known or {}).items():
        if not 0 <= row < n:
            raise InputError("there is no such row", where="known", value=row, fix=f"0 to {n - 1}")
        if not (isinstance(label, (bool, np.bool_)) or label in (0, 1)) or math.isnan(label):
            raise InputError("a known label is 0 or 1", where=f"known, row {row}", value=label)
        labels[row], is_known[row] = bool(label), True
    return labels, is_known


_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class UnitConstraint:
    """Choose free units with ``k`` rows in all and the sum of their ``weights`` in ``targets[k]``.

    Each unit adds the rank sum of its rows. To keep the weights small, a multiple of each unit's
    number of rows is subtracted from its doubled rank sum, and the differences are divided by their
    common divisor.
    """

    units: LabelUnits
    labels: NDArray[np.bool_]
    """The known labels of the units, false where unknown."""
    free: NDArray[np.intp]
    rows: _INTS
    weights: _INTS
    targets: dict[int, range]
    """Possible sums by the number of rows of the free positives."""
    known_positives: int
    sizes: Collection[int]
    """The possible numbers of positive rows."""

    @property
    def known(self) -> NDArray[np.bool_]:
        return _others(self.free, len(self.units))

    def alike(self) -> Constraint | None:
        """Return the constraint on the number of units if all free units have equally many rows."""
        if not len(self.rows) or (self.rows != self.rows[0]).any():
            return None
        order = np.argsort(-self.weights, kind="stable")
        size = int(self.rows[0])
        targets = {k // size: sums for k, sums in self.targets.items() if k % size == 0}
        positives = int(self.labels.sum())
        return Constraint(self.labels, self.free[order], self.weights[order], targets, positives)


def unit_constraint(
    auc: Fraction | str | float | Decimal | Released,
    scores: Any,
    units: LabelUnits,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> UnitConstraint:
    """Convert a released AUC and known labels into a constraint on units.

    >>> from rocsolid.leaks.gaussian import units_of
    >>> c = unit_constraint("3/4", [0.2, 0.5, 0.9, 0.1], units_of(4, ["a", "b", "b", "c"]), 2)
    >>> c.rows, c.weights, c.targets
    (array([1, 2, 1]), array([1, 5, 0]), {2: range(4, 5)})
    """
    ranks = doubled_ranks(scores, units.times)
    value = released(auc, decimals)
    labels, is_known = units.by_unit(*known_labels(known, len(ranks)))
    free = np.flatnonzero(~is_known)
    total = int(units.rows.sum())
    sums = units.totals(ranks)
    rows = units.rows[free]
    least = int((sums[free] // rows).min()) if len(free) else 0
    weights = sums[free] - least * rows
    step = int(np.gcd.reduce(weights)) or 1
    weights //= step
    positives, known_sum = int(units.rows[labels].sum()), int(sums[labels].sum())
    sizes = class_sizes(n_pos, total)
    most = int(weights.sum())
    targets = {}
    for size in reached(rows, positives, sizes):
        fitting = value.doubled_rank_sums(total, size)
        if fitting:
            shift = known_sum + (size - positives) * least
            low = max(0, -((shift - fitting[0]) // step))
            high = min(most, (fitting[-1] - shift) // step)
            if low <= high:
                targets[size - positives] = range(low, high + 1)
    return UnitConstraint(units, labels, free, rows, weights, targets, positives, sizes)


def reached(rows: _INTS, positives: int, sizes: Collection[int]) -> list[int]:
    """Return the ``sizes`` that some choice of free units reaches, with ``positives`` known.

    >>> reached(np.array([2, 2, 3]), 1, range(1, 8))
    [1, 3, 4, 5, 6]
    """
    totals = 1  # as bits
    for size in rows.tolist():
        totals |= totals << size
    return [size for size in sizes if size >= positives and totals >> (size - positives) & 1]


_LISTED = 1 << 26  # sums of halves of the units, over all numbers of positives
_CELLS = 3e7  # in a table of sums by the number of rows
_STEPS = 4e9  # additions in the table
_WHOLE = 62  # units, whose labelings fit a 64-bit integer
_DOUBLE = 1000  # units, whose labelings fit a double


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """The numbers of labelings by the rows of the free positives, and by the label of each unit.

    Counts are integers if ``error`` is 0, else doubles with relative error ``error``.
    """

    total: dict[int, Any]
    positive: list[Any]
    negative: list[Any]
    error: float


def count_units(question: UnitConstraint) -> tuple[dict[int, Any], float]:
    """Count labelings by the rows of the free positives, with the relative error; 0 is exact."""
    listed = _listed(question)
    if listed is not None:
        return listed.total, 0.0
    _check(question, 1)
    table, error = _table(question)
    for rows, weight in zip(question.rows.tolist(), question.weights.tolist(), strict=True):
        _add(table, rows, weight)
    return {k: _within(table, k, sums) for k, sums in question.targets.items()}, error


def expose_units(question: UnitConstraint) -> UnitCounts:
    """Count, for each unit, the labelings in which the unit is positive.

    A recursion excludes each unit in turn: it adds half of the units to the table that excludes the
    other half. All terms are positive, so a count is 0 only if no labeling fits.

    >>> from rocsolid.leaks.constraint import unit_constraint
    >>> from rocsolid.leaks.gaussian import units_of
    >>> units = units_of(5, [0, 1, 1, 2, 3])
    >>> counts = expose_units(unit_constraint("1/2", [1, 2, 3, 4, 5], units, 2))
    >>> counts.total, counts.positive
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
    """Count from a list of sums for each half of the units; None if the lists are too long."""
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
            counted = meet_in_middle(part, _LISTED)
            if counted.count is None or counted.positive is None:
                return None
            ways, ones = counted.count, counted.positive
        total[k] = ways
        for unit, count in enumerate(ones):
            positive[unit] += count
    every = sum(total.values())
    return UnitCounts(total, positive, [every - ones for ones in positive], 0.0)


def _check(question: UnitConstraint, turns: int) -> None:
    free, (rows, sums) = len(question.rows), _shape(question)
    if free > _DOUBLE or rows * sums > _CELLS or free * rows * sums * turns > _STEPS:
        raise RocsolidError(
            "counting the labelings of this many units of different sizes takes too long",
            where=f"{counted(free, 'unit')} of unknown label, "
            f"{counted(int(question.rows.sum()), 'row')}",
            value=f"a table of {rows * sums:,} cells",
            fix="give n_pos, or more known labels; joint() can still look for other labelings",
        )


def _shape(question: UnitConstraint) -> tuple[int, int]:
    most = max((sums[-1] for sums in question.targets.values()), default=0)
    return max(question.targets, default=0) + 1, most + 1


def _table(question: UnitConstraint) -> tuple[NDArray[Any], float]:
    """Return the table of the empty choice, and the relative error of a sum over all units."""
    whole = len(question.rows) <= _WHOLE
    table = np.zeros(_shape(question), dtype=np.int64 if whole else np.float64)
    table[0, 0] = 1
    longest = max((len(sums) for sums in question.targets.values()), default=0)
    error = (len(question.rows) + longest) * float(np.finfo(float).eps)
    return table, 0.0 if whole else error


def _add(table: NDArray[Any], rows: int, weight: int) -> None:
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
    if not 0 <= k < table.shape[0]:
        return 0
    inside = table[k, max(0, sums.start) : max(0, sums.stop)]
    return int(inside.sum()) if table.dtype == np.int64 else math.fsum(inside)

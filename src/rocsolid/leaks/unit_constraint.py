"""The question that a released AUC puts where rows share labels: which units are positive?"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.constraint import Constraint, class_sizes, known_labels
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.released import released
from rocsolid.leaks.units import LabelUnits

_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class UnitConstraint:
    """Choose free units with ``k`` rows in all and the sum of their ``weights`` in ``targets[k]``.

    Given the number of positive rows, the AUC is an affine function of the positives' rank sum, to
    which each unit adds that of its rows: no pair of a positive and a negative lies within a unit.
    A multiple of its rows is taken off each unit's doubled rank sum, and all are divided by what
    they share, so that the weights are small.
    """

    units: LabelUnits
    labels: NDArray[np.bool_]
    """The known labels of the units, false where unknown."""
    free: NDArray[np.intp]
    rows: _INTS
    weights: _INTS
    targets: dict[int, range]
    """By the number of rows of the free positives; only sums that could be."""
    known_positives: int
    sizes: Collection[int]
    """The numbers of positive rows to consider."""

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which units have a known label."""
        known = np.ones(len(self.units), dtype=bool)
        known[self.free] = False
        return known

    def alike(self) -> Constraint | None:
        """The same as a choice of so many units, if all free ones have equally many rows."""
        if not len(self.rows) or (self.rows != self.rows[0]).any():
            return None
        order = np.argsort(-self.weights, kind="stable")
        size = int(self.rows[0])
        targets = {k // size: sums for k, sums in self.targets.items() if k % size == 0}
        positives = int(self.labels.sum())
        return Constraint(self.labels, self.free[order], self.weights[order], targets, positives)


def unit_constraint(
    auc: Fraction | str | float | Decimal,
    scores: Any,
    units: LabelUnits,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> UnitConstraint:
    """Read what was released and what else is known.

    >>> from rocsolid.leaks.units import units_of
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
    each = int((sums[free] // rows).min()) if len(free) else 0
    weights = sums[free] - each * rows
    step = int(np.gcd.reduce(weights)) or 1
    weights //= step
    positives, known_sum = int(units.rows[labels].sum()), int(sums[labels].sum())
    sizes = class_sizes(n_pos, total)
    most = int(weights.sum())
    targets = {}
    for size in reached(rows, positives, sizes):
        fitting = value.doubled_rank_sums(total, size)
        if fitting:
            shift = known_sum + (size - positives) * each
            low = max(0, -((shift - fitting[0]) // step))
            high = min(most, (fitting[-1] - shift) // step)
            if low <= high:
                targets[size - positives] = range(low, high + 1)
    return UnitConstraint(units, labels, free, rows, weights, targets, positives, sizes)


def reached(rows: _INTS, positives: int, sizes: Collection[int]) -> list[int]:
    """The numbers of positive rows that some choice of free units has, ``positives`` known.

    >>> reached(np.array([2, 2, 3]), 1, range(1, 8))
    [1, 3, 4, 5, 6]
    """
    totals = 1  # as bits
    for size in rows.tolist():
        totals |= totals << size
    return [size for size in sizes if size >= positives and totals >> (size - positives) & 1]

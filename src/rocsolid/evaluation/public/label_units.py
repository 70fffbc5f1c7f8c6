"""What has one label in a table that is to be published: a row, its copies, or a cluster."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers
from rocsolid.evaluation.public.relabelled import labels_of
from rocsolid.inputs import codes
from rocsolid.leaks.units import LabelUnits, units_of

UnitKind = Literal["row", "frequency", "cluster"]

NAMES: dict[UnitKind, tuple[str, str]] = {
    "row": ("row", "rows"),
    "frequency": ("row with a frequency", "rows with a frequency"),
    "cluster": ("cluster", "clusters"),
}
"""One of them, and many."""

SHARED: dict[UnitKind, tuple[str, ...]] = {
    "cluster": (
        "In this table all rows of a cluster have the same label, and every reader is taken to "
        "know that: each cluster is one unknown label, however many rows it has.",
    ),
    "frequency": (
        "Rows that were written out by their frequency have the same label: each row of the table "
        "is one unknown label, however many rows it stands for.",
    ),
}
"""What readers are taken to know of rows that share a label."""


def unit_kind(evaluation: EvaluationNumbers) -> UnitKind:
    """What whoever knows the table but for its labels takes to have one label.

    The copies of a row share its label by definition. Rows of a cluster do if they do so in every
    cluster: then somebody who expects it of all of them would be right. It depends on the labels,
    so a page says which it is.
    """
    return _named(evaluation)[0]


def label_units(evaluation: EvaluationNumbers) -> LabelUnits | None:
    """The units of all rows of the table; None where each row is one."""
    return _named(evaluation)[1]


def unit_of_row(evaluation: EvaluationNumbers) -> NDArray[np.intp]:
    """The number of each row's unit."""
    units = label_units(evaluation)
    return np.arange(evaluation.n_rows) if units is None else units.of


def labels_at_stake(evaluation: EvaluationNumbers) -> int | NDArray[np.int64]:
    """How many rows with the first score there are, or how many each unit has, for `label_bits`."""
    first, units = evaluation.parts[0], label_units(evaluation)
    if units is None:
        return first.overall.n_pos + first.overall.n_neg
    of = units.of if first.kept is None else units.of[first.kept]
    rows = np.bincount(of, minlength=len(units)).astype(np.int64)
    return rows[rows > 0]


def _named(evaluation: EvaluationNumbers) -> tuple[UnitKind, LabelUnits | None]:
    cluster, copy_of = evaluation.cluster, evaluation.copy_of
    if cluster is not None and len(cluster) > len(np.unique(cluster)):
        labels, present = labels_of(evaluation)
        if _constant(cluster[present], labels[present]):
            return "cluster", units_of(len(cluster), cluster)
    if copy_of is not None:
        return "frequency", units_of(len(copy_of), copy_of)
    return "row", None


def _constant(cluster: NDArray[np.int64], labels: NDArray[np.bool_]) -> bool:
    both = np.unique(2 * codes(cluster)[0] + labels)
    return len(both) == len(np.unique(cluster))


def labelings_of_units(sizes: NDArray[np.intp], n_pos: int) -> NDArray[np.bool_]:
    """Every choice of units that have ``n_pos`` rows together: one a row, a column a unit.

    >>> labelings_of_units(np.array([1, 1, 2]), 2).astype(int)
    array([[1, 1, 0],
           [0, 0, 1]])
    """
    reached = [{0}]  # what the units from the last one on can add up to
    for size in sizes[::-1].tolist():
        reached.append(reached[-1] | {rows + size for rows in reached[-1]})
    chosen = np.zeros((1, 0), dtype=bool)
    rows = np.zeros(1, dtype=np.int64)
    for at, size in enumerate(sizes.tolist()):
        possible = np.array(sorted(reached[len(sizes) - at - 1]))
        without, with_it = (np.isin(n_pos - rows - add, possible) for add in (0, size))
        chosen = np.concatenate(
            [
                np.column_stack((chosen[kept], np.full(int(kept.sum()), label)))
                for label, kept in ((False, without), (True, with_it))
            ]
        )
        rows = np.concatenate((rows[without], rows[with_it] + size))
    return chosen

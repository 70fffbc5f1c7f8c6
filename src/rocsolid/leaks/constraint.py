"""The question that a released AUC puts: which subsets of the unknown rows have a fitting sum?"""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.released import released


@dataclass(frozen=True, slots=True)
class Constraint:
    """Choose ``k`` of the free rows with the sum of their ``weights`` in ``targets[k]``.

    Given n₁, the AUC is an affine function of the positives' rank sum. The rows whose labels are
    known are taken out of the sum, and the doubled midranks of the others are divided by the
    greatest common divisor of their differences, so that the weights are small integers with 0
    among them. ``free`` holds the unknown rows, highest score first, ties in the caller's order,
    and ``weights`` is in that order. Weights come from the ranks among all rows.
    """

    labels: NDArray[np.bool_]
    """The known labels in the caller's order, false where unknown."""
    free: NDArray[np.intp]
    weights: NDArray[np.int64]
    targets: dict[int, range]
    """By the number of free positives; only ranges within the smallest and largest sum."""
    known_positives: int

    @property
    def n(self) -> int:
        return len(self.labels)

    @property
    def consecutive(self) -> bool:
        """Whether the weights are m−1, …, 1, 0: untied scores, and no gaps left by known labels."""
        return bool((self.weights == np.arange(len(self.weights))[::-1]).all())

    def labeling(self, chosen: Any) -> NDArray[np.bool_]:
        """The labels of all rows in the caller's order from those of the free rows in turn."""
        labels = self.labels.copy()
        labels[self.free] = chosen
        return labels

    def smallest_sums(self) -> list[int]:
        """The smallest sum of each number of free rows."""
        return [0, *np.cumsum(self.weights[::-1]).tolist()]

    def largest_sums(self) -> list[int]:
        """The largest sum of each number of free rows."""
        return [0, *np.cumsum(self.weights).tolist()]


def constraint(
    auc: Fraction | str | float | Decimal,
    scores: Any,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> Constraint:
    """Read what was released and what else is known.

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
    question = Constraint(labels, free, weights, {}, positives)
    smallest, largest = question.smallest_sums(), question.largest_sums()
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
            question.targets[k] = range(low, high + 1)
    return question


def class_sizes(n_pos: int | Collection[int] | None, n: int) -> range | list[int]:
    """The numbers of positives to consider, ascending; ``None`` is every one from 1 to n − 1."""
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
    """What to say when the question has no answer."""
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
    """The known labels (false elsewhere), and where they are known."""
    labels, is_known = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    for row, label in (known or {}).items():
        if not 0 <= row < n:
            raise InputError("there is no such row", where="known", value=row, fix=f"0 to {n - 1}")
        if not (isinstance(label, (bool, np.bool_)) or label in (0, 1)) or math.isnan(label):
            raise InputError("a known label is 0 or 1", where=f"known, row {row}", value=label)
        labels[row], is_known[row] = bool(label), True
    return labels, is_known

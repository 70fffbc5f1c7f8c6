"""The labelings numbered from 0, in the order of `labelings`: to one's number, and back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs import positives
from rocsolid.leaks.completions import Completions, lookup
from rocsolid.leaks.constraint import Constraint, constraint, no_labeling


def rank(
    labels: Any,
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> int:
    """The place of one labeling among all that fit, from 0, in the order of `labelings`.

    The counting recursion walked back. At every row that is negative,
    all labelings that agree so far and are positive there come before. Exact integers; refused
    where the table is too big (`completions`).

    >>> rank([0, 1, 1, 0], "1/2", [0.2, 0.5, 0.9, 0.1])
    Traceback (most recent call last):
    rocsolid.errors.InputError: this labeling does not fit what was released...
    >>> rank([0, 1, 1, 0], 1, [0.2, 0.5, 0.9, 0.1], n_pos=2)
    0
    """
    c = constraint(auc, scores, n_pos, decimals, known)
    given = positives(labels, name="labels")
    if len(given) != c.n:
        raise InputError(
            f"there are {c.n} scores and {len(given)} labels", where="labels", value=len(given)
        )
    chosen = given[c.free]
    total, k = int(c.weights[chosen].sum()), int(chosen.sum())
    if total not in c.targets.get(k, range(0)) or not (c.labeling(chosen) == given).all():
        raise InputError(
            "this labeling does not fit what was released", where="labels", value=given.astype(int)
        )
    before = a = s = 0
    weights: list[int] = c.weights.tolist()
    for is_positive, weight, layer in zip(chosen, weights, Completions(c).layers(), strict=True):
        if is_positive:
            a, s = a + 1, s + weight
        else:
            before += lookup(layer, a + 1, s + weight)
    return before


def unrank(
    index: int,
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> NDArray[np.bool_]:
    """The labeling at a place of the order of `labelings`, counted from 0: `rank` backwards.

    >>> unrank(0, "3/4", [0.2, 0.5, 0.9, 0.1]).astype(int)
    array([1, 0, 1, 0])
    """
    c = constraint(auc, scores, n_pos, decimals, known)
    table = Completions(c)
    if table.total == 0:
        raise no_labeling(auc)
    if not 0 <= index < table.total:
        raise InputError(
            f"labelings are numbered from 0 to {table.total - 1}", where="index", value=index
        )
    (labels,) = labelings_at(c, table, [index])
    return np.asarray(labels)


def labelings_at(c: Constraint, table: Completions, indices: Sequence[int]) -> NDArray[np.bool_]:
    """The labelings at several places, one a row, in one walk through the table."""
    chosen = np.zeros((len(indices), len(c.free)), dtype=bool)
    states = [(int(index), 0, 0) for index in indices]
    weights: list[int] = c.weights.tolist()
    for i, (weight, layer) in enumerate(zip(weights, table.layers(), strict=True)):
        for j, (left, a, s) in enumerate(states):
            first = lookup(layer, a + 1, s + weight)
            if left < first:
                chosen[j, i] = True
                states[j] = (left, a + 1, s + weight)
            else:
                states[j] = (left - first, a, s)
    labels = np.tile(c.labels, (len(indices), 1))
    labels[:, c.free] = chosen
    return labels

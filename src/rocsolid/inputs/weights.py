"""Sample weights: finite, not negative, float64."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.scores import scores


def sample_weights(
    w: Any, n: int, name: str = "sample_weight", *, rows: Rows = ARRAY_ROWS
) -> NDArray[np.float64]:
    """The weights of ``n`` rows; a weight of zero is legal, a negative or infinite one is not.

    >>> sample_weights([1, 0, 2.5], 3)
    array([1. , 0. , 2.5])
    >>> sample_weights([1, -2, 1], 3)
    Traceback (most recent call last):
    rocsolid.errors.InputError: weights must be finite and not negative: -2.0 (sample_weight, row 1,
    counting from 0). Fix: ...
    """
    values = scores(w, name=name, nan="allow", rows=rows).astype(np.float64, copy=False)
    if len(values) != n:
        check_lengths({"y_true": n, name: len(values)})
    bad = ~(values >= 0) | np.isinf(values)
    if bad.any():
        raise InputError(
            "weights must be finite and not negative",
            where=rows.where(name, bad),
            value=values[np.argmax(bad)],
            fix="give each row a finite weight of 0 or more",
        )
    with np.errstate(over="ignore"):
        total = values.sum()
    if np.isinf(total):
        raise InputError(
            "the weights add up to more than a float64 can hold",
            where=name,
            value=values.max(),
            fix="divide all of them by the largest, which changes no result",
        )
    return values

"""Sample weights, finite and not negative, and frequencies of the rows of a table of counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs import refusals
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.scores import scores

MOST = 500_000_000
"""Rows that are written out at most: some 10 GB in memory."""


def frequencies(
    f: Any, n: int, name: str = "frequency", *, rows: Rows = ARRAY_ROWS
) -> NDArray[np.int64]:
    """How often each of ``n`` rows stands: whole numbers from 0, in any numeric type.

    A row with the frequency 3 is three rows that are alike, so every number is that of the rows
    written out; a row with the frequency 0 is none.

    >>> frequencies([3, 0, 2.0], 3)
    array([3, 0, 2])
    >>> frequencies([1, 2.5], 2)
    Traceback (most recent call last):
    rocsolid.errors.InputError: a frequency is a whole number from 0 on: 2.5 (frequency, row 1,
    counting from 0). Fix: ...
    """
    values = scores(f, name=name, nan="allow", rows=rows)
    if len(values) != n:
        check_lengths({"y_true": n, name: len(values)})
    if values.dtype.kind == "f":
        bad = ~((values >= 0) & (values == np.floor(values)) & np.isfinite(values))
    else:
        bad = values < 0
    if bad.any():
        raise InputError(
            "a frequency is a whole number from 0 on",
            where=rows.where(name, bad),
            value=values[np.argmax(bad)],
            fix="count the rows that are alike; importance goes into sample_weight",
        )
    total = float(values.sum(dtype=np.float64))
    if not 0.0 < total <= MOST:
        raise InputError(
            "no row has a frequency above 0" if total == 0.0 else "too many rows to write out",
            where=name,
            value=int(total),
            fix=f"frequencies add up to at least 1 and at most {MOST:,}",
        )
    return values.astype(np.int64)


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
        raise refusals.of_bad_weights(rows.where(name, bad), values[np.argmax(bad)])
    with np.errstate(over="ignore"):
        total = values.sum()
    if np.isinf(total):
        raise refusals.of_huge_weights(name, value=values.max())
    return values

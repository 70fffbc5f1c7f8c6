"""Scores stay in their own type, so that they are compared exactly."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs import refusals
from rocsolid.inputs.arrays import FILL_OR_OMIT, column, is_missing, missing_values
from rocsolid.inputs.number_text import why_no_number
from rocsolid.inputs.rows import ARRAY_ROWS, Rows

_CHUNK = 1 << 16

_REFUSED = {
    "c": ("complex numbers have no order", "pass the real part, or the absolute value"),
    "M": ("dates are not scores", "pass a number, such as the days since the first date"),
    "m": ("durations are not scores", "pass a number, such as x / numpy.timedelta64(1, 's')"),
    "S": ("scores must be numbers, not bytes", "convert them to numbers"),
}


def scores(
    y_score: Any,
    *,
    name: str = "y_score",
    nan: Literal["raise", "allow"] = "raise",
    rows: Rows = ARRAY_ROWS,
) -> NDArray[Any]:
    """The scores, in the type that they came in: 64-bit integers never pass through float64.

    Every real type of NumPy is kept, long double too; booleans become 0 and 1. Plus and minus
    infinity are legal, and -0.0 equals 0.0, as comparison has it. NaN has no place in an order: it
    is an error that names the rows, unless the caller leaves such rows out (``nan="allow"``).

    >>> scores([2**63, 2**63 + 1])
    array([9223372036854775808, 9223372036854775809], dtype=uint64)
    >>> scores([0.5, float("nan")])
    Traceback (most recent call last):
    rocsolid.errors.InputError: 1 missing value (NaN, None or null) (y_score, row 1, counting from
    0). Fix: ...
    """
    s = column(y_score, name, missing="nan", rows=rows)
    kind = s.dtype.kind
    if kind in "OU":
        s = _numbers(s, name, rows)
        kind = s.dtype.kind
    if kind in _REFUSED:
        what, fix = _REFUSED[kind]
        raise InputError(what, where=name, value=s[0] if len(s) else str(s.dtype), fix=fix)
    if kind == "b":
        return s.view(np.uint8)
    if kind == "f" and nan == "raise" and _has_nan(s):
        error = missing_values(name, np.isnan(s), rows)
        raise InputError(error.what, where=error.where, fix=FILL_OR_OMIT)
    return s


def reverse(s: NDArray[Any]) -> NDArray[Any]:
    """Scores in the opposite order, exactly: -s for floats, ~s for integers.

    Negation would overflow at the smallest integer and wrap for unsigned ones; the complement turns
    the order round for both. Applying it twice gives the scores back.

    >>> reverse(np.array([-128, 0, 127], dtype=np.int8))
    array([ 127,   -1, -128], dtype=int8)
    """
    flipped: NDArray[Any] = -s if s.dtype.kind == "f" else ~s
    return flipped


def _has_nan(s: NDArray[Any]) -> bool:
    return any(np.isnan(s[i : i + _CHUNK]).any() for i in range(0, len(s), _CHUNK))


def _numbers(s: NDArray[Any], name: str, rows: Rows) -> NDArray[Any]:
    """Numbers out of an object array; text is refused, and the message says what it looks like."""
    real = bool | int | float | np.integer | np.floating | np.bool_
    numbers: list[Any] = []
    for i, v in enumerate(s):
        if isinstance(v, real):
            numbers.append(v)
        elif is_missing(v):
            numbers.append(np.nan)
        else:
            what, fix = _not_a_number(v)
            raise InputError(what, where=f"{name}, {rows.name([i])}", value=v, fix=fix)
    values = column(numbers, name) if numbers else np.empty(0)
    if values.dtype.kind == "O":
        raise refusals.of_long_integers(name)
    return values


def _not_a_number(value: Any) -> tuple[str, str]:
    if isinstance(value, str):
        return why_no_number(value)
    if isinstance(value, complex | np.complexfloating):
        return _REFUSED["c"]
    if type(value).__name__ == "Decimal":
        return "decimals are not read as scores", "convert them to float64 first"
    return "scores must be numbers", "pass one number a row"

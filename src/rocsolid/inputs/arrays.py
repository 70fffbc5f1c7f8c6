"""Validate columns, with the same error messages for every source."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.matrices import in_main_memory, widened
from rocsolid.inputs.rows import ARRAY_ROWS, EXACT_IN_FLOAT64, Rows, why_no_number


def of_lists(where: str, kind: str) -> InputError:
    return InputError(
        "a column of lists or structures is not a column of values",
        where=where, value=kind, fix="pass one value per row",
    )  # fmt: skip


def of_bad_weights(where: str, weight: Any) -> InputError:
    return InputError(
        "weights must be finite and not negative",
        where=where, value=weight, fix="set each row's weight to a finite number of 0 or more",
    )  # fmt: skip


def of_huge_weights(where: str, **largest: Any) -> InputError:
    return InputError(
        "the weights add up to more than a float64 can hold",
        where=where, **largest, fix="divide all weights by the largest, which changes no result",
    )  # fmt: skip


def of_lost_digits(where: str) -> InputError:
    return InputError(
        "a column of integers beyond 53 bits has missing values, and NaN needs a float64 that "
        "cannot hold such integers exactly",
        where=where, fix="drop the rows with a missing value first",
    )  # fmt: skip


def of_mixed_integers(where: str) -> InputError:
    return InputError(
        "integers of more than 53 bits are mixed with other numbers, and no NumPy type holds "
        "them all exactly",
        where=where, fix="convert all of them to integers, or round all of them to floats",
    )  # fmt: skip


def of_long_integers(where: str) -> InputError:
    what = "integers of more than 64 bits are not supported"
    return InputError(what, where=where, fix="pass ranks or floats")


Missing = Literal["raise", "nan"]

_FRAMES = frozenset({"pandas", "polars", "pyarrow", "modin", "cudf", "narwhals"})


def column(
    x: Any, name: str, *, missing: Missing = "raise", rows: Rows = ARRAY_ROWS
) -> NDArray[Any]:
    """Return the values of ``x`` as a one-dimensional array, without a copy where possible.

    Accepts NumPy arrays, lists and tuples; dataframe columns that Narwhals supports; arrays with
    DLPack or the array API, on any device; and objects with ``__array__``. A missing value in a
    dataframe column is an error, or becomes NaN with ``missing="nan"``; NaN cannot be combined with
    large integers. The caller checks NaN and None inside arrays and lists.

    >>> column([0, 1, 1], "y_true")
    array([0, 1, 1])
    """
    if isinstance(x, np.ndarray):
        values = x
    elif isinstance(x, list | tuple):
        values = _from_list(x, name, rows)
    else:
        values = _from_other(x, name, missing, rows)
    if type(values).__module__.startswith("numpy.ma"):
        raise InputError(
            "a masked array hides values instead of removing them",
            where=name,
            fix="select the valid rows of every column, for example x[~mask].data",
        )
    _one_dimensional(values, name)
    if values.dtype.kind == "V" and values.dtype.names is None:
        values = widened(values)
    if values.dtype.kind == "V":
        raise InputError(
            "a structured array is a table, not a column", where=name, fix="pass one of its fields"
        )
    if values.dtype.kind == "T":  # NumPy's variable-width strings
        return values.astype(object)
    if not values.dtype.isnative:
        return values.astype(values.dtype.newbyteorder("="))
    return values


def check_lengths(lengths: Mapping[str, int]) -> None:
    """Check that all columns have the same length and that there is at least one row.

    >>> check_lengths({"y_true": 3, "y_score": 2})
    Traceback (most recent call last):
    rocsolid.errors.InputError: columns differ in length: y_true has 3 rows, y_score has 2. Fix: ...
    """
    (first, n), *others = lengths.items()
    for name, length in others:
        if length != n:
            raise InputError(
                f"columns differ in length: {first} has {n:,} rows, {name} has {length:,}",
                fix="pass columns of the same rows in the same order",
            )
    if n == 0:
        raise InputError("there are no rows", where=first, fix="pass at least one row")


def _from_list(x: list[Any] | tuple[Any, ...], name: str, rows: Rows) -> NDArray[Any]:
    try:
        values = np.asarray(x)
    except ValueError:
        lists = np.array([np.iterable(value) and not isinstance(value, str) for value in x])
        raise InputError(
            "a list where one value should be", where=rows.where(name, lists),
            value=x[lists.argmax()], fix="pass one value per row",
        ) from None  # fmt: skip
    except (RuntimeError, TypeError) as error:  # of a tensor in it
        raise InputError(
            f"this list cannot be converted to an array: {error}",
            where=name,
            fix="join tensors first, with torch.cat or torch.stack",
        ) from None
    if values.ndim != 1:
        return values
    if values.dtype.kind in "US" and not all(isinstance(v, str | bytes) for v in x):
        return _objects(x)  # NumPy would turn 1 into "1" and NaN into "nan"
    if values.dtype.kind == "f" and _loses_digits(values, x):
        raise of_mixed_integers(name)
    return values


def _objects(x: Any) -> NDArray[Any]:
    values = np.empty(len(x), dtype=object)
    values[:] = x
    return values


def _loses_digits(values: NDArray[Any], x: Any) -> bool:
    large = np.flatnonzero(np.abs(values) >= EXACT_IN_FLOAT64)
    return any(isinstance(x[i], int | np.integer) and int(values[i]) != int(x[i]) for i in large)


def _from_other(x: Any, name: str, missing: Missing, rows: Rows) -> NDArray[Any]:
    home = type(x).__module__.partition(".")[0]
    if isinstance(x, str | bytes | Mapping | Set) or np.isscalar(x) or x is None:
        raise InputError(
            f"expected a column, not one {type(x).__name__}",
            where=name,
            value=x,
            fix="pass an array, a list or a dataframe's column",
        )
    if type(x).__module__.startswith("scipy.sparse"):
        raise InputError(
            "sparse arrays are not supported: they omit zeros, which count as scores",
            where=name,
            fix="convert it with .toarray().ravel()",
        )
    if home in _FRAMES:
        return _from_frame_column(x, name, missing, rows)
    values = in_main_memory(x, name)
    if isinstance(values, np.ndarray):
        return values
    if hasattr(x, "__len__") and hasattr(x, "__getitem__"):
        return _from_list(list(x), name, rows)
    raise InputError(
        f"this {type(x).__name__} is not a column of values",
        where=name,
        fix="pass an array or a list; list(...) turns an iterator into one",
    )


def _from_frame_column(x: Any, name: str, missing: Missing, rows: Rows) -> NDArray[Any]:
    if type(x).__module__.startswith("pyarrow"):
        import pyarrow as pa

        if hasattr(x, "buffers"):  # an Array, unchunked
            x = pa.chunked_array([x])
        if isinstance(x, pa.ChunkedArray) and x.null_count == 0 and (parts := _of_chunks(x)):
            return parts[0] if len(parts) == 1 else np.concatenate(parts)
    import narwhals as nw

    try:
        # an already wrapped series is unwrapped first: Narwhals and its stable versions differ
        series = nw.from_native(nw.to_native(x, pass_through=True), series_only=True)
    except TypeError:
        if not hasattr(x, "columns") and hasattr(x, "__array__"):  # an index, a pandas array
            return np.asarray(x)
        raise InputError(
            f"expected a column, not a {type(x).__name__}",
            where=name,
            fix="select one column of it",
        ) from None
    if series.dtype.is_nested():
        raise of_lists(rows.where(name, ~series.is_null().to_numpy()), str(series.dtype))
    if str(series.dtype).endswith("Int128"):
        raise InputError(
            "integers of 128 bits are not supported",
            where=name,
            value=str(series.dtype),
            fix="cast the column to 64 bits, or to floats",
        )
    return _without_nulls(series, name, missing, rows)


def _of_chunks(x: Any) -> list[NDArray[Any]]:
    """The chunks of an Arrow column of numbers, booleans or text; an empty list for other types.

    Arrow's own ``to_numpy`` imports pandas, which is slow.
    """
    from pyarrow import types

    kind, chunks = x.type, [chunk for chunk in x.chunks if len(chunk)]
    if types.is_integer(kind) or types.is_floating(kind):
        return [np.from_dlpack(chunk) for chunk in chunks]
    if types.is_boolean(kind):
        return [_unpacked(chunk) for chunk in chunks]
    if types.is_string(kind) or types.is_large_string(kind):
        return [_objects(chunk.to_pylist()) for chunk in chunks]
    if types.is_dictionary(kind) and types.is_string(kind.value_type):
        if any(chunk.dictionary.null_count for chunk in chunks):
            return []
        return [_objects(c.dictionary.to_pylist())[np.from_dlpack(c.indices)] for c in chunks]
    return []


def _unpacked(chunk: Any) -> NDArray[np.bool_]:
    bits, end = np.frombuffer(chunk.buffers()[1], np.uint8), chunk.offset + len(chunk)
    return np.unpackbits(bits, count=end, bitorder="little")[chunk.offset :].view(np.bool_)


def _without_nulls(series: Any, name: str, missing: Missing, rows: Rows) -> NDArray[Any]:
    nulls: NDArray[np.bool_] = series.is_null().to_numpy()
    if not nulls.any():
        values: NDArray[Any] = series.to_numpy()
        return values
    if missing == "raise":
        raise missing_values(name, nulls, rows)
    dtype = series.dtype
    if not (dtype.is_numeric() or dtype == _boolean()):
        return _objects(series.to_list())
    if dtype.is_float() or dtype.is_decimal():
        values = series.to_numpy()
        return values if values.dtype.kind == "f" else _objects(series.to_list())
    present: NDArray[Any] = series.filter(~series.is_null()).to_numpy()
    filled = np.full(len(nulls), np.nan)
    filled[~nulls] = present
    if _loses_digits(filled[~nulls], present):
        raise of_lost_digits(rows.where(name, nulls))
    return filled


FILL_OR_DROP = "fill them in, or remove these rows"
FILL_OR_OMIT = 'fill them in, or leave these rows out with nan="omit"'
"""The advice for a missing key, label or weight, and for a missing score."""


def missing_values(name: str, bad: NDArray[np.bool_], rows: Rows) -> InputError:
    """Return the error for missing values, which is the same for every column."""
    return InputError(
        missing_text(int(np.count_nonzero(bad))), where=rows.where(name, bad), fix=FILL_OR_DROP
    )


def missing_text(count: int) -> str:
    """The start of the message for missing values.

    >>> missing_text(2)
    '2 missing values (NaN, None or null)'
    """
    return f"{count:,} missing value{'s' if count > 1 else ''} (NaN, None or null)"


def is_missing(value: Any) -> bool:
    """Return whether one value is missing: None, NaN, NaT or pandas' NA.

    >>> is_missing(None), is_missing(float("nan")), is_missing(0)
    (True, True, False)
    """
    if value is None or type(value).__name__ == "NAType":
        return True
    try:
        return bool(value != value)  # true for NaN and NaT alone
    except (TypeError, ValueError):
        return False


def _boolean() -> Any:
    import narwhals as nw

    return nw.Boolean


def _one_dimensional(values: NDArray[Any], name: str) -> None:
    if values.ndim == 1:
        return
    shape = values.shape
    if values.ndim == 0:
        what, fix = "a single value, not a column", "pass an array or a list"
    elif values.ndim == 2 and 1 in shape:
        what, fix = "a column with two dimensions", "flatten it with .ravel()"
    elif values.ndim == 2 and shape[1] == 2:
        what = "an array with two dimensions"
        fix = "if these are the probabilities of two classes, pass the second column: x[:, 1]"
    else:
        what, fix = f"an array with {values.ndim} dimensions", "pass one column, such as x[:, 0]"
    raise InputError(what, where=f"{name}, shape {shape}", fix=fix)


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
    """The scores in their original type: 64-bit integers are never converted to float64.

    Booleans become 0 and 1, and infinities are legal. NaN is an error that names the rows, unless
    the caller leaves such rows out (``nan="allow"``).

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
    """Reverse the order of scores exactly: -s for floats, ~s for integers.

    Negation would overflow at the smallest integer and wrap for unsigned integers.

    >>> reverse(np.array([-128, 0, 127], dtype=np.int8))
    array([ 127,   -1, -128], dtype=int8)
    """
    flipped: NDArray[Any] = -s if s.dtype.kind == "f" else ~s
    return flipped


def _has_nan(s: NDArray[Any]) -> bool:
    return math.isnan(np.maximum.reduce(s, initial=-np.inf))  # the maximum with NaN is NaN


def _numbers(s: NDArray[Any], name: str, rows: Rows) -> NDArray[Any]:
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
        raise of_long_integers(name)
    return values


def _not_a_number(value: Any) -> tuple[str, str]:
    if isinstance(value, str):
        return why_no_number(value)
    if isinstance(value, complex | np.complexfloating):
        return _REFUSED["c"]
    if type(value).__name__ == "Decimal":
        return "decimal objects are not supported as scores", "convert them to float64 first"
    return "scores must be numbers", "pass one number per row"

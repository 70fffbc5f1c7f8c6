"""Convert the keys that group rows (clusters, segments, queries) to small integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.arrays import column, is_missing, missing_values
from rocsolid.inputs.rows import ARRAY_ROWS, Rows


def plain(key: Any) -> Any:
    """Convert a key to plain Python: NumPy numbers to numbers, NumPy dates to dates.

    >>> plain(np.int8(3)), plain(np.datetime64("2024-05-01", "ns"))
    (3, datetime.datetime(2024, 5, 1, 0, 0))
    """
    if isinstance(key, np.datetime64 | np.timedelta64):
        value = key.item()
        if isinstance(value, int):  # Python's own dates end at microseconds
            coarse = key.astype(key.dtype.str[:3] + "[us]")
            return coarse.item() if coarse == key else str(key)
        return value
    return key.item() if isinstance(key, np.generic) else key


def combined(
    columns: Sequence[tuple[NDArray[np.int64], NDArray[Any]]],
) -> tuple[NDArray[np.int64], tuple[NDArray[Any], ...]]:
    """The ascending combinations of several columns' keys that occur, from the `codes` of each.

    >>> code, values = combined([codes(["b", "a", "b"]), codes([1, 2, 1])])
    >>> code, values
    (array([1, 0, 1]), (array(['a', 'b'], dtype='<U1'), array([2, 1])))
    """
    (code, first), *others = columns
    keys = [first]
    for other, values in others:
        # numbered anew after each column: the product of all their sizes could exceed 64 bits
        occurring, code = np.unique(code * len(values) + other, return_inverse=True)
        before, last = np.divmod(occurring, len(values))
        keys = [*(earlier[before] for earlier in keys), values[last]]
    return code.astype(np.int64, copy=False), tuple(keys)


def codes(
    keys: Any, name: str = "cluster", *, rows: Rows = ARRAY_ROWS
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Number the rows' keys from 0, and return the distinct keys: ``distinct[codes]`` are the keys.

    The distinct keys are sorted if possible; mixed types keep their order of appearance. A missing
    key is an error.

    >>> codes(["b", "a", "b"])
    (array([1, 0, 1]), array(['a', 'b'], dtype='<U1'))
    """
    k = column(keys, name, rows=rows)
    if k.dtype.kind == "O":
        return _hashed(k, name, rows)
    if k.dtype.kind in "fcmM":
        bad = np.isnat(k) if k.dtype.kind in "mM" else np.isnan(k)
        if bad.any():
            raise missing_values(name, bad, rows)
    if k.dtype.kind == "f":
        k = k + k.dtype.type(0)  # one spelling of zero
    if len(k) and k.dtype.kind in "iufb":
        if not (k[1:] < k[:-1]).any():
            return _ascending(k)
        if k.dtype.kind in "iu" and int(k.max()) - int(k.min()) < 4 * len(k):
            return _dense(k)
    distinct, code = np.unique(k, return_inverse=True)
    return code.astype(np.int64, copy=False), distinct


_ROWS_OF_A_VALUE = 5  # on average, for a column of few values


def codes_of_few(values: Any) -> NDArray[np.int64] | None:
    """Number the values of a column of any type, a missing one like any other.

    ``None`` if there is a single value or fewer than five rows of each on average, or if the values
    have different types.

    >>> codes_of_few(["b", None, "b", "b", "b"] * 2), codes_of_few(range(10))
    (array([0, 1, 0, 0, 0, 0, 1, 0, 0, 0]), None)
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if hasattr(values, "to_arrow"):
        values = values.to_arrow()
    try:
        if not isinstance(values, pa.Array | pa.ChunkedArray):
            values = pa.array(values, from_pandas=True)
        if pa.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        encoded = pc.dictionary_encode(values, null_encoding="encode")
    except (pa.ArrowException, TypeError, OverflowError):
        return None
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    if not 2 <= len(encoded.dictionary) <= len(encoded) / _ROWS_OF_A_VALUE:
        return None
    code: NDArray[np.int64] = encoded.indices.to_numpy().astype(np.int64)
    return code


def stable_order(code: NDArray[np.int64]) -> NDArray[np.intp]:
    """Order the rows by group number (0 or more), then by position.

    >>> stable_order(np.array([1, 0, 1]))
    array([1, 0, 2])
    """
    if bool(np.all(code[1:] >= code[:-1])):
        return np.arange(len(code))
    bits, last = len(code).bit_length(), int(code.max())
    if last < 1 << 16:  # NumPy sorts such integers by their digits, ten times as fast
        return np.argsort(code.astype(np.uint16), kind="stable")
    if last.bit_length() + bits > 62:
        return np.argsort(code, kind="stable")
    # the position in the low bits makes a plain sort of integers an argsort, several times faster
    key = (code << bits) | np.arange(len(code))
    key.sort()
    return key & ((1 << bits) - 1)


def _ascending(k: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    starts = np.empty(len(k), dtype=np.bool_)
    starts[0] = True
    np.not_equal(k[1:], k[:-1], out=starts[1:])
    return np.cumsum(starts, dtype=np.int64) - 1, k[starts]


def _dense(k: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Number integers in a narrow range with a lookup table."""
    low = k.min()
    # the difference may exceed a narrow signed type; modulo 2⁶⁴ it is exact
    offset = (k.astype(np.uint64) - low.astype(np.uint64)).view(np.int64)
    seen = np.zeros(int(offset.max()) + 1, dtype=np.bool_)
    seen[offset] = True
    number = np.cumsum(seen, dtype=np.int64) - 1
    distinct = (np.flatnonzero(seen).view(np.uint64) + low.astype(np.uint64)).astype(k.dtype)
    return number[offset], distinct


def _hashed(k: NDArray[Any], name: str, rows: Rows) -> tuple[NDArray[np.int64], NDArray[Any]]:
    values = k.tolist()
    try:
        numbers = {v: i for i, v in enumerate(dict.fromkeys(values))}
    except TypeError:
        row = next(i for i, v in enumerate(values) if not hashable(v))
        raise InputError(
            "a key cannot be hashed, so rows cannot be grouped by it",
            where=f"{name}, {rows.name([row])}",
            value=values[row],
            fix="use numbers or text as keys",
        ) from None
    if any(is_missing(v) for v in numbers):
        bad = np.fromiter(map(is_missing, values), dtype=np.bool_, count=len(values))
        raise missing_values(name, bad, rows)
    try:
        ordered = sorted(numbers)
    except TypeError:
        ordered = list(numbers)
    numbers = {v: i for i, v in enumerate(ordered)}
    code = np.fromiter(map(numbers.__getitem__, values), dtype=np.int64, count=len(values))
    distinct = np.empty(len(ordered), dtype=object)
    distinct[:] = ordered
    return code, distinct


def hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True

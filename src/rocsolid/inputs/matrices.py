"""Arrays of other libraries: copying them to main memory, and sorting some on their device."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.rows import Rows

SORTING = {"cuda"}
"""The devices on which torch sorts. MPS shares the main memory, and has sorted long tensors
wrongly."""


def is_tensor(x: Any) -> bool:
    """Return whether an object is a torch tensor, on any device."""
    return hasattr(x, "detach") and hasattr(x, "device")


def in_main_memory(x: Any, name: str) -> Any:
    """Copy an array of any library and device to NumPy; return other objects unchanged.

    Types that NumPy lacks (bfloat16, float8) become float32.
    """
    ways = ("__array__", "__array_namespace__", "__dlpack__")
    if isinstance(x, np.ndarray) or not (is_tensor(x) or any(hasattr(x, way) for way in ways)):
        return x
    try:
        if is_tensor(x):
            return np.asarray(_plain_tensor(x, name).cpu().numpy())
        if _home(x) == "cupy":
            return np.asarray(x.get())
        return widened(np.asarray(x) if hasattr(x, "__array__") else np.from_dlpack(x))
    except InputError:
        raise
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        if hasattr(x, "__array__") and hasattr(x, "__dlpack__") and not is_tensor(x):
            with suppress(BufferError, RuntimeError, TypeError):
                return np.from_dlpack(x)
        raise InputError(
            f"this {type(x).__name__} cannot be converted to a NumPy array: {error}",
            where=name,
            fix="copy it to a NumPy array in main memory first",
        ) from error


def tensor_in_main_memory(x: Any, name: str) -> Any:
    """Convert arrays of other libraries only, so that dataframes keep their column names."""
    foreign = is_tensor(x) or (hasattr(x, "__array_namespace__") and not isinstance(x, np.ndarray))
    return in_main_memory(x, name) if foreign else x


def widened(values: NDArray[Any]) -> NDArray[Any]:
    """Convert the types that JAX and TensorFlow add to NumPy to float32."""
    return values.astype(np.float32) if "ml_dtypes" in values.dtype.type.__module__ else values


def on_device(x: Any, values: NDArray[Any], *, descending: bool) -> Any:
    """Return the array if it is outside main memory and its library can sort it there.

    ``values`` are the same scores in main memory; ``descending`` reverses their order. NumPy sorts
    unsigned integers, of which torch supports few, 2³¹ rows or more, and arrays of JAX, whose
    counts have 32 bits unless a flag is set, and of CuPy.
    """
    if isinstance(x, np.ndarray) or values.dtype.kind not in "fi" or len(values) >= 1 << 31:
        return None
    if is_tensor(x):
        if x.device.type not in SORTING:
            return None
        x = _plain_tensor(x, "y_score").contiguous()
        x = x.float() if values.dtype.itemsize == 2 and values.dtype.kind == "f" else x
    elif (
        not hasattr(x, "__array_namespace__")
        or _home(x) in {"cupy", "jax", "jaxlib"}
        or "cpu" in str(x.device).lower()
    ):
        return None
    if not descending:
        return x
    return -x if values.dtype.kind == "f" else ~x


def taken(x: Any, some: NDArray[Any]) -> Any:
    """Select rows of such an array with a mask in main memory."""
    return x[library_of(x).asarray(some.copy(), device=x.device)]


def library_of(x: Any) -> Any:
    """The module whose functions accept this array: torch, or one with the array API."""
    return sys.modules["torch"] if is_tensor(x) else x.__array_namespace__()


def _plain_tensor(x: Any, name: str) -> Any:
    """Detach a dense tensor, resolve its lazy signs, and convert it to a type of NumPy."""
    if "sparse" in str(getattr(x, "layout", "")):
        raise InputError("sparse tensors are not supported", where=name, fix="add .to_dense()")
    x = x.detach().resolve_conj().resolve_neg()
    return x.float() if str(x.dtype).startswith(("torch.bfloat16", "torch.float8")) else x


def _home(x: Any) -> str:
    return type(x).__module__.partition(".")[0]


def missing_alike(
    numbers: Mapping[str, NDArray[Any]],
) -> tuple[dict[str, NDArray[Any]], NDArray[np.bool_]]:
    """Set every score to NaN where any score is NaN, and return where that is.

    >>> both = {"a": np.array([1.0, np.nan]), "b": np.array([3, 4])}
    >>> print(*missing_alike(both)[0]["b"])
    3.0 nan
    """
    first = next(iter(numbers.values()))
    is_missing = np.zeros(first.shape, dtype=np.bool_)
    for column in numbers.values():
        if column.dtype.kind == "f":
            is_missing |= np.isnan(column)
    if not is_missing.any():
        return dict(numbers), is_missing
    # long double holds every 64-bit integer, so that large ones stay apart
    wide = {k: e.astype(np.longdouble) if e.dtype.kind in "iu" else e for k, e in numbers.items()}
    return {name: np.where(is_missing, np.nan, column) for name, column in wide.items()}, is_missing


def is_matrix(x: Any) -> bool:
    """Return whether x has two dimensions: an array, or a list of rows.

    >>> is_matrix([[1, 2], [3, 4]]), is_matrix([1, 2]), is_matrix(np.zeros((2, 2)))
    (True, False, True)
    """
    dimensions = getattr(x, "ndim", None)
    if dimensions is not None:
        return bool(dimensions == 2)
    if isinstance(getattr(x, "shape", None), tuple):  # Polars' frames tell their shape alone
        return len(x.shape) == 2
    if isinstance(x, list | tuple):
        return len(x) > 0 and _dimensions(x[0]) == 1
    if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):  # it tells nothing of its shape
        return np.ndim(in_main_memory(x, "scores")) == 2
    return False


def as_matrix(x: Any, name: str) -> NDArray[Any]:
    """Convert an array or a list of rows to NumPy; rows of different lengths become empty."""
    if isinstance(x, list | tuple):
        here: Any = [in_main_memory(row, name) for row in x]
    else:
        here = in_main_memory(x, name)
    try:
        return np.asarray(here)
    except ValueError:
        return np.empty(0)


def unrolled(columns: dict[str, Any]) -> tuple[Rows, dict[str, Any]]:
    """Flatten the matrices to columns, with the row number as ``qid``."""
    if columns["qid"] is not None:
        raise InputError(
            "a matrix has one row per query, so qid is not needed",
            where="qid",
            fix="omit qid, or pass columns with one row per document",
        )
    matrices = {name: _matrix(x, name) for name, x in columns.items() if x is not None}
    shape = matrices["relevance"].shape
    for name, matrix in matrices.items():
        if matrix.shape != shape:
            raise InputError(
                f"matrices differ in shape: relevance is {shape}, {name} is {matrix.shape}",
                fix="pass queries as rows and the same documents as columns in each",
            )
    rows = Rows("cell", ", counting from 0 row by row")
    flat: dict[str, Any] = dict.fromkeys(columns)
    flat.update({name: matrix.ravel() for name, matrix in matrices.items()})
    flat["qid"] = np.repeat(np.arange(shape[0]), shape[1])
    return rows, flat


def _dimensions(row: Any) -> int:
    return np.ndim(row) if isinstance(row, list | tuple) else getattr(row, "ndim", 0)


def _matrix(x: Any, name: str) -> Any:
    matrix = as_matrix(x, name)
    if matrix.ndim != 2:
        raise InputError(
            "if relevance or scores is a matrix, every column must be a matrix with rows of one "
            "length",
            where=name,
            fix="for lists of different lengths pass one row per document and qid=",
        )
    return matrix


Range = tuple[float, float] | None
"""The range of the measure, known before any data: ``None`` without a bound, such as for DCG."""

_ROUNDING = 1e-9  # how far outside its range a measure's rounding may put a value


def query_values(values: Any, *, range: Range, name: str = "values") -> NDArray[np.float64]:
    """The values of one system as float64; missing and impossible values are errors.

    A value that is outside the range only by rounding is moved to the end of the range.

    >>> query_values([0.2, 1.0], range=(0, 1))
    array([0.2, 1. ])
    >>> query_values([0.2, 1.3], range=(0, 1), name="system 'a'")
    Traceback (most recent call last):
    ...
    rocsolid.errors.InputError: a value is outside the measure's range [0, 1]: 1.3 (system 'a',
    query 2 of 2). Fix: pass the range of the measure, or None for a measure without bounds.
    """
    here = in_main_memory(values, name)
    try:
        out = np.asarray(here, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("a value per query must be a number", where=name, value=values) from None
    if out.ndim != 1 or out.size == 0:
        raise InputError(
            "expected one value per query, in one dimension",
            where=name,
            value=out.shape,
            fix="pass a list with the measure's value for each query",
        )
    low, high = check_range(range)
    missing = np.flatnonzero(~np.isfinite(out))
    if missing.size:
        raise InputError(
            "a query has no finite value",
            where=_at(name, missing, out.size),
            value=float(out[missing[0]]),
            fix="choose a value for such a query (0, or leave it out for every system)",
        )
    outside = np.flatnonzero((out < low - _ROUNDING) | (out > high + _ROUNDING))
    if outside.size:
        raise InputError(
            f"a value is outside the measure's range [{low:g}, {high:g}]",
            where=_at(name, outside, out.size),
            value=float(out[outside[0]]),
            fix="pass the range of the measure, or None for a measure without bounds",
        )
    return np.clip(out, low, high)


def query_matrix(
    values: Any, *, range: Range, paired: bool = True
) -> dict[str, NDArray[np.float64]]:
    """The values of several systems by name, on the same queries if they are paired.

    >>> query_matrix({"a": [1, 0], "b": [1]}, range=(0, 1))
    Traceback (most recent call last):
    ...
    rocsolid.errors.InputError: the systems have values for different numbers of queries: {'a': 2,
    'b': 1}. Fix: pass a value for every query and system, or paired=False if systems have different
    queries.
    """
    if not isinstance(values, Mapping):
        raise InputError(
            f"the systems must be named, not a {type(values).__name__}",
            where="values",
            fix='pass {"a": values of a, "b": values of b}',
        )
    out = {
        str(name): query_values(each, range=range, name=f"system {name!r}")
        for name, each in values.items()
    }
    if len(out) < 2:
        raise InputError(
            "a comparison needs at least two systems",
            where="values",
            value=list(out),
            fix='pass {"a": values of a, "b": values of b}, each under its own name',
        )
    sizes = {name: each.size for name, each in out.items()}
    if paired and len(set(sizes.values())) > 1:
        raise InputError(
            "the systems have values for different numbers of queries",
            value=sizes,
            fix="pass a value for every query and system, or paired=False if systems have "
            "different queries",
        )
    return out


def check_range(range: Range) -> tuple[float, float]:
    """The ends of a range; infinite without a range."""
    if range is None:
        return -np.inf, np.inf
    try:
        low, high = (float(end) for end in range)
    except (TypeError, ValueError):
        low = high = np.nan
    if not -np.inf < low < high < np.inf:
        raise InputError(
            "a range is two finite numbers, the smaller first",
            where="range",
            value=range,
            fix="pass (0, 1), or None for a measure without bounds",
        )
    return low, high


def _at(name: str, where: NDArray[np.intp], size: int) -> str:
    more = f", and {where.size - 1:,} more" if where.size > 1 else ""
    return f"{name}, query {where[0] + 1:,} of {size:,}{more}"

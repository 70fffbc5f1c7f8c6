"""One value a query and system, validated: finite, within the measure's range, of equal length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.tensors import in_main_memory

Range = tuple[float, float] | None
"""What the measure can be, known before any data: ``None`` where it has no bound, such as DCG."""

_ROUNDING = 1e-9  # how far outside its range a measure's rounding may put a value


def query_values(values: Any, *, range: Range, name: str = "values") -> NDArray[np.float64]:
    """The values of one system as 64-bit floats, refused where one is missing or out of range.

    A value that rounding alone put outside the range is moved to its end.

    >>> query_values([0.2, 1.0], range=(0, 1))
    array([0.2, 1. ])
    >>> query_values([0.2, 1.3], range=(0, 1), name="system 'a'")
    Traceback (most recent call last):
    rocsolid.errors.InputError: a value lies outside the measure's range [0, 1]: 1.3 (system 'a',
    query 2 of 2). Fix: give the range that the measure has, or None for one without bounds.
    """
    here = in_main_memory(values, name)
    try:
        out = np.asarray(here, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("a value per query must be a number", where=name, value=values) from None
    if out.ndim != 1 or out.size == 0:
        raise InputError(
            "one value per query is needed, in one dimension",
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
            fix="decide what such a query counts (0, or leave it out for every system)",
        )
    outside = np.flatnonzero((out < low - _ROUNDING) | (out > high + _ROUNDING))
    if outside.size:
        raise InputError(
            f"a value lies outside the measure's range [{low:g}, {high:g}]",
            where=_at(name, outside, out.size),
            value=float(out[outside[0]]),
            fix="give the range that the measure has, or None for one without bounds",
        )
    return np.clip(out, low, high)


def query_matrix(
    values: Any, *, range: Range, paired: bool = True
) -> dict[str, NDArray[np.float64]]:
    """The values of several systems by name; where they are paired, on the same queries.

    >>> query_matrix({"a": [1, 0], "b": [1]}, range=(0, 1))
    Traceback (most recent call last):
    rocsolid.errors.InputError: the systems have values for different numbers of queries: {'a': 2,
    'b': 1}. Fix: give each system a value for every query, or paired=False for queries of their
    own.
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
            fix="give each system a value for every query, or paired=False for queries of their "
            "own",
        )
    return out


def check_range(range: Range) -> tuple[float, float]:
    """The ends of a range, infinite where there is none."""
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
            fix="give (0, 1), or None for a measure without bounds",
        )
    return low, high


def _at(name: str, where: NDArray[np.intp], size: int) -> str:
    more = f", and {where.size - 1:,} more" if where.size > 1 else ""
    return f"{name}, query {where[0] + 1:,} of {size:,}{more}"

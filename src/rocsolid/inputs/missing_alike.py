"""Several scores of the same rows: a row that one of them lacks is missing for all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def missing_alike(
    numbers: Mapping[str, NDArray[Any]],
) -> tuple[dict[str, NDArray[Any]], NDArray[np.bool_]]:
    """The scores with NaN where any of them has it, and these places.

    >>> both = {"a": np.array([1.0, np.nan]), "b": np.array([3, 4])}
    >>> print(*missing_alike(both)[0]["b"])
    3.0 nan
    """
    first = next(iter(numbers.values()))
    gone = np.zeros(first.shape, dtype=np.bool_)
    for each in numbers.values():
        if each.dtype.kind == "f":
            gone |= np.isnan(each)
    if not gone.any():
        return dict(numbers), gone
    # long double holds every 64-bit integer, so that large ones stay apart
    wide = {k: e.astype(np.longdouble) if e.dtype.kind in "iu" else e for k, e in numbers.items()}
    return {name: np.where(gone, np.nan, each) for name, each in wide.items()}, gone

"""Random division of rows into a part to fit on and a part to certify on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.groups import codes
from rocsolid.summaries.stream import stream

Index = NDArray[np.intp]


def split_rows(label: NDArray[Any], share: float, seed: int) -> tuple[Index, Index]:
    """Draw a share of each label at random; return it and the rest, both with every label.

    >>> fit, rest = split_rows(np.array([True, True, False, False]), 0.5, seed=0)
    >>> len(fit), len(rest)
    (2, 2)
    """
    check_share(share)
    random, fit = stream(seed), np.zeros(len(label), dtype=np.bool_)
    two_classes = label.dtype == np.bool_
    for value in (True, False) if two_classes else np.unique(label).tolist():
        rows = np.flatnonzero(label == value)
        if len(rows) < 2:
            kind = ("positive" if value else "negative") if two_classes else f"grade-{value}"
            raise OneClassError(
                f"there are {len(rows)} {kind} rows, and both parts need one",
                where="y",
                fix="use more rows",
            )
        size = min(max(round(share * len(rows)), 1), len(rows) - 1)
        fit[random.permutation(rows)[:size]] = True
    return np.flatnonzero(fit), np.flatnonzero(~fit)


def split_groups(keys: Any, name: str, share: float, seed: int) -> tuple[Index, Index]:
    """Draw a share of the groups, with all of their rows; return it and the rest.

    >>> fit, rest = split_groups(["a", "a", "b", "b"], "qid", 0.5, seed=0)
    >>> sorted([fit.tolist(), rest.tolist()])
    [[0, 1], [2, 3]]
    """
    check_share(share)
    code, distinct = codes(keys, name)
    if len(distinct) < 2:
        raise InputError(
            "there is one group only, so nothing is left to certify on", where=name,
            value=distinct[0], fix="use rows of more groups",
        )  # fmt: skip
    size = min(max(round(share * len(distinct)), 1), len(distinct) - 1)
    chosen = np.zeros(len(distinct), dtype=np.bool_)
    chosen[stream(seed).permutation(len(distinct))[:size]] = True
    return np.flatnonzero(chosen[code]), np.flatnonzero(~chosen[code])


def check_share(share: float) -> None:
    if not 0.0 < share < 1.0:
        raise InputError(
            "split is the share of rows to fit on, strictly between 0 and 1",
            where="split",
            value=share,
        )


def rows_of(values: Any, rows: Index) -> Any:
    """Select rows of an array, a sparse matrix, a table, a column or a list, of the same kind.

    >>> rows_of(["a", "b", "c"], np.array([2, 0]))
    ['c', 'a']
    """
    if hasattr(values, "iloc"):
        return values.iloc[rows]
    if hasattr(values, "tocsr"):
        return values.tocsr()[rows]
    if isinstance(values, list | tuple):
        return [values[i] for i in rows]
    if hasattr(values, "take") and not hasattr(values, "ndim"):  # Arrow
        return values.take(rows)
    return values[rows]

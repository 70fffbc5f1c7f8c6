"""Matrices with a row for each query as columns, and several scores of the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.rows import Rows
from rocsolid.inputs.tensors import in_main_memory


def missing_alike(
    numbers: Mapping[str, NDArray[Any]],
) -> tuple[dict[str, NDArray[Any]], NDArray[np.bool_]]:
    """The scores with NaN wherever any of them has it, and where that is.

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


def is_matrix(x: Any) -> bool:
    """Whether x has two dimensions: an array, or a list of rows.

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
    """An array, or a list of rows, as NumPy's; without a value where rows differ in length."""
    if isinstance(x, list | tuple):
        here: Any = [in_main_memory(row, name) for row in x]
    else:
        here = in_main_memory(x, name)
    try:
        return np.asarray(here)
    except ValueError:
        return np.empty(0)


def unrolled(columns: dict[str, Any]) -> tuple[Rows, dict[str, Any]]:
    """The matrices as columns, row after row, with the number of the row as ``qid``."""
    if columns["qid"] is not None:
        raise InputError(
            "a matrix has a row for each query, so there is no qid to give",
            where="qid",
            fix="leave qid out, or pass columns with one row a document",
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
            "where one of relevance and scores is a matrix, every column must be one, with rows "
            "of one length",
            where=name,
            fix="for lists of different lengths pass one row a document and qid=",
        )
    return matrix

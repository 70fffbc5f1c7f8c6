"""Matrices with a row for each query become columns: scikit-learn's shape for ranking measures."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsolid.errors import InputError
from rocsolid.inputs.rows import Rows


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
    return isinstance(x, list | tuple) and len(x) > 0 and np.ndim(_first(x)) == 1


def unrolled(columns: dict[str, Any]) -> tuple[Rows, dict[str, Any]]:
    """The columns that the matrices are row after row, with the row's number as ``qid``."""
    if columns["qid"] is not None:
        raise InputError(
            "a matrix has a row for each query, so there is no qid to give",
            where="qid",
            fix="leave qid out, or pass columns with one row a document",
        )
    found = {name: _matrix(x, name) for name, x in columns.items() if x is not None}
    shape = found["relevance"].shape
    for name, matrix in found.items():
        if matrix.shape != shape:
            raise InputError(
                f"matrices differ in shape: relevance is {shape}, {name} is {matrix.shape}",
                fix="pass queries as rows and the same documents as columns in each",
            )
    rows = Rows("cell", ", counting from 0 row by row")
    flat: dict[str, Any] = dict.fromkeys(columns)
    flat.update({name: matrix.ravel() for name, matrix in found.items()})
    flat["qid"] = np.repeat(np.arange(shape[0]), shape[1])
    return rows, flat


def _first(x: Any) -> Any:
    first = x[0]
    return first if isinstance(first, list | tuple | np.ndarray) else None


def _matrix(x: Any, name: str) -> Any:
    try:
        matrix = np.asarray(x)
    except ValueError:
        matrix = np.empty(0)
    if matrix.ndim != 2:
        raise InputError(
            "where one of relevance and scores is a matrix, every column must be one, with rows "
            "of one length",
            where=name,
            fix="for lists of different lengths pass one row a document and qid=",
        )
    return matrix

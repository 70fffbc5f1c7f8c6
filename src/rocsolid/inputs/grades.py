"""Grades of relevance: finite and not negative; NaN is a document that nobody judged."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.arrays import missing_values
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.scores import scores

Unjudged = Literal["zero", "condense", "raise"]
"""Documents without a grade: gain 0, or out of the lists, or an error."""

Negative = Literal["raise", "zero", "unjudged"]
"""Grades below 0: an error, or grade 0, or as if nobody had judged."""


def grades(
    relevance: Any,
    *,
    unjudged: Unjudged = "zero",
    negative: Negative = "raise",
    name: str = "relevance",
    rows: Rows = ARRAY_ROWS,
) -> NDArray[np.float64]:
    """The grades as float64, NaN where a document was not judged.

    >>> grades([0, 2, None])
    array([ 0.,  2., nan])
    >>> grades([0, -1], negative="zero")
    array([0., 0.])
    >>> grades([0, -1])
    Traceback (most recent call last):
    rocsolid.errors.InputError: a grade is negative: -1.0 (relevance, row 1, counting from 0).
    Fix: say what it means: negative="zero" or negative="unjudged".
    """
    found = scores(relevance, name=name, nan="allow", rows=rows)
    grade = found.astype(np.float64)
    if found.dtype.kind == "f":
        missing, infinite = np.isnan(grade), np.isinf(grade)
        if unjudged == "raise" and missing.any():
            error = missing_values(name, missing, rows)
            raise InputError(
                error.what,
                where=error.where,
                fix='fill them in, or say what they mean: unjudged="zero" or unjudged="condense"',
            )
        if infinite.any():
            raise InputError(
                "a grade is not finite",
                where=rows.where(name, infinite),
                value=float(grade[infinite][0]),
                fix="a document that nobody judged has the grade NaN",
            )
    below = grade < 0.0
    if not below.any():
        return grade
    if negative == "raise":
        raise InputError(
            "a grade is negative",
            where=rows.where(name, below),
            value=float(grade[below][0]),
            fix='say what it means: negative="zero" or negative="unjudged"',
        )
    grade[below] = 0.0 if negative == "zero" else np.nan
    return grade

"""The exponential gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.gains.gain import Gain

LARGEST = 1000.0
"""The greatest grade taken: sums of many such gains are finite too."""


@dataclass(frozen=True, slots=True)
class Exp2(Gain):
    """G(y) = 2^y − 1."""

    name: str = "exp2"

    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        grades = np.asarray(grade, dtype=np.float64)
        if grades.size and float(grades.max()) > LARGEST:
            raise InputError(
                "2^y − 1 is beyond float64 for this grade",
                where="gain",
                value=float(grades.max()),
                fix='use gain="linear", or a table of gains',
            )
        return np.exp2(grades) - 1.0


def exp2() -> Exp2:
    """G(y) = 2^y − 1 (Burges et al. 2005), as in gdeval, LightGBM and XGBoost.

    It equals the linear gain for grades 0 and 1.

    >>> exp2()([0, 1, 2, 3])
    array([0., 1., 3., 7.])
    """
    return Exp2()

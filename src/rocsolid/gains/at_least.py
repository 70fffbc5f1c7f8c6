"""The gain of a document that is relevant or not."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.gains.gain import Gain


@dataclass(frozen=True, slots=True)
class AtLeast(Gain):
    """G(y) = 1 where y ≥ grade, else 0."""

    grade: float

    @property
    def name(self) -> str:
        return f"at_least({self.grade:g})"

    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        return (np.asarray(grade, dtype=np.float64) >= self.grade).astype(np.float64)


def at_least(grade: float = 1.0) -> AtLeast:
    """G(y) = 1 for grades of at least ``grade``, 0 below: relevant or not.

    >>> at_least(2)([0, 1, 2, 3])
    array([0., 0., 1., 1.])
    """
    if not (isinstance(grade, Real) and 0.0 < grade < float("inf")):
        raise InputError(
            "the lowest relevant grade must be positive",
            where="at_least",
            value=grade,
            fix="grade 0 means not relevant",
        )
    return AtLeast(float(grade))

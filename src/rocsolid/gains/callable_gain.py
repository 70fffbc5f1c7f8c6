"""A gain given as a function of the grade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.gains.gain import Gain, checked


@dataclass(frozen=True, slots=True)
class CallableGain(Gain):
    """G as its author wrote it."""

    function: Callable[[Any], Any]
    name: str = "custom"

    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        grades = np.asarray(grade, dtype=np.float64)
        gains = np.asarray(self.function(grades), dtype=np.float64)
        if gains.shape != grades.shape:
            raise InputError(
                "a gain function must give one number for each grade",
                where="gain",
                value=f"{gains.shape} for {grades.shape}",
                fix="write it for arrays: lambda y: y**2",
            )
        return checked(grades, gains)


def from_callable(function: Callable[[Any], Any], name: str = "custom") -> CallableGain:
    """The gain that ``function`` computes from an array of grades.

    >>> from_callable(lambda y: y**2)([0, 1, 3])
    array([0., 1., 9.])
    """
    return CallableGain(function, name)

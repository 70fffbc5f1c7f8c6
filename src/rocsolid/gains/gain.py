"""What every gain knows about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError


def checked(grades: NDArray[np.float64], gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """The gains of the grades: finite, not negative, and never less for a higher grade."""
    bad = np.flatnonzero(~(np.isfinite(gains) & (gains >= 0.0)))
    if bad.size:
        raise InputError(
            f"a gain is finite and not negative; that of grade {grades.flat[bad[0]]:g} is not",
            where="gain",
            value=float(gains.flat[bad[0]]),
        )
    order = np.argsort(grades, axis=None, kind="stable")
    falling = np.flatnonzero(np.diff(gains.ravel()[order]) < 0.0)
    if falling.size:
        low, high = (float(grades.flat[order[falling[0] + step]]) for step in (0, 1))
        raise InputError(
            f"grade {high:g} must not gain less than grade {low:g}",
            where="gain",
            fix="a better document cannot be worth less",
        )
    return gains


class Gain(ABC):
    """A gain G ≥ 0 that never decreases with the grade."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The short name that stands in a measure's full name."""

    @abstractmethod
    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        """G(grade)."""

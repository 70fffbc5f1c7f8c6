"""The probability that a document satisfies the reader."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.gains.gain import Gain


@dataclass(frozen=True, slots=True)
class Satisfaction(Gain):
    """G(y) = (2^y − 1)/2^top, for grades up to ``top``."""

    top: float

    @property
    def name(self) -> str:
        return f"satisfaction({self.top:g})"

    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        grades = np.asarray(grade, dtype=np.float64)
        above = grades[grades > self.top]
        if above.size:
            raise InputError(
                f"a grade is above the top of the scale, {self.top:g}",
                where="max_grade",
                value=float(above.flat[0]),
                fix=f"give max_grade={float(grades.max()):g}, or leave it out",
            )
        # 2^(y − top) − 2^(−top): 2^top itself may be beyond float64
        found: NDArray[np.float64] = np.exp2(grades - self.top) - np.exp2(-self.top)
        return found


def satisfaction(top: float) -> Satisfaction:
    """G(y) = (2^y − 1)/2^top (Chapelle, Metzler, Zhang and Grinspan 2009, equation 4).

    >>> satisfaction(4)([0, 1, 4])
    array([0.    , 0.0625, 0.9375])
    """
    if not (isinstance(top, Real) and 0.0 < top < float("inf")):
        raise InputError("the top of the scale must be positive", where="max_grade", value=top)
    return Satisfaction(float(top))

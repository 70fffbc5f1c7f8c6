"""Gains that have a formula: the grade itself, 2^y − 1, relevant or not, satisfaction."""

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


@dataclass(frozen=True, slots=True)
class LinearGain(Gain):
    """G(y) = y."""

    name: str = "linear"

    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(grade, dtype=np.float64)


def linear() -> LinearGain:
    """G(y) = y, as in trec_eval and scikit-learn.

    >>> linear()([0, 1, 2])
    array([0., 1., 2.])
    """
    return LinearGain()

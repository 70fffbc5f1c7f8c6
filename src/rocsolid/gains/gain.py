"""Gains of grades: linear, exponential, by table, or user-defined."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import nearest
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError


def checked(grades: NDArray[np.float64], gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the gains; reject infinite, negative or decreasing ones."""
    bad = np.flatnonzero(~(np.isfinite(gains) & (gains >= 0.0)))
    if bad.size:
        raise InputError(
            f"the gain of grade {grades.flat[bad[0]]:g} is not a finite number from 0",
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
        """The short name that appears in a measure's full name."""

    @abstractmethod
    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        """G(grade)."""


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
        gains: NDArray[np.float64] = np.exp2(grades - self.top) - np.exp2(-self.top)
        return gains


def satisfaction(top: float) -> Satisfaction:
    """Return G(y) = (2^y − 1)/2^top (Chapelle, Metzler, Zhang and Grinspan 2009, equation 4).

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
    """Return the gain that is 1 for grades of at least ``grade``, and 0 below.

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
"""The largest grade accepted: sums of many such gains are still finite."""


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
    """Return the gain G(y) = 2^y − 1 (Burges et al. 2005), as in gdeval, LightGBM and XGBoost.

    The two gains "exp2" and "linear" are equal for grades 0 and 1.

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
    """Return the gain G(y) = y, as in trec_eval and scikit-learn.

    >>> linear()([0, 1, 2])
    array([0., 1., 2.])
    """
    return LinearGain()


@dataclass(frozen=True, slots=True)
class TableGain(Gain):
    """G(y) from a table with increasing grades."""

    grades: tuple[float, ...]
    gains: tuple[float, ...]

    @property
    def name(self) -> str:
        pairs = zip(self.grades, self.gains, strict=True)
        return "table(" + ",".join(f"{grade:g}:{gain:g}" for grade, gain in pairs) + ")"

    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        requested = np.asarray(grade, dtype=np.float64)
        known = np.asarray(self.grades)
        index = np.minimum(np.searchsorted(known, requested), len(known) - 1)
        missing = requested[known[index] != requested]
        if missing.size:
            raise InputError(
                "the table of gains lacks a grade",
                where="gain",
                value=float(missing.flat[0]),
                fix=f"it lists {', '.join(f'{grade:g}' for grade in self.grades)}",
            )
        gains: NDArray[np.float64] = np.asarray(self.gains)[index]
        return gains


def table(gains: Mapping[float, float]) -> TableGain:
    """Return the gain with a value for each grade; grade 0 has gain 0 unless listed.

    >>> table({1: 1, 2: 10})([0, 2, 1])
    array([ 0., 10.,  1.])
    """
    try:
        given = {float(grade): float(gain) for grade, gain in gains.items()}
    except (TypeError, ValueError):
        raise InputError(
            "a grade and a gain are numbers", where="gain", value=dict(gains)
        ) from None
    listed = {0.0: 0.0, **given}
    grades = tuple(sorted(listed))
    values = tuple(listed[grade] for grade in grades)
    checked(np.asarray(grades), np.asarray(values))
    return TableGain(grades, values)


@dataclass(frozen=True, slots=True)
class CallableGain(Gain):
    """A user-defined G."""

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
    """Return the gain that ``function`` computes from an array of grades.

    >>> from_callable(lambda y: y**2)([0, 1, 3])
    array([0., 1., 9.])
    """
    return CallableGain(function, name)


SHORT_NAMES: dict[str, Gain] = {"linear": linear(), "exp2": exp2()}


def as_gain(gain: Any) -> Gain:
    """Convert a gain, a short name, a function of the grade, or {grade: gain} to a gain.

    >>> as_gain("exp2").name, as_gain({1: 1, 2: 3}).name
    ('exp2', 'table(0:0,1:1,2:3)')
    """
    if isinstance(gain, Gain):
        return gain
    if isinstance(gain, Mapping):
        return table(gain)
    if callable(gain):
        return from_callable(gain)
    close = None
    if isinstance(gain, str):
        if gain in SHORT_NAMES:
            return SHORT_NAMES[gain]
        close = nearest(gain, SHORT_NAMES)
    known = ", ".join(repr(name) for name in sorted(SHORT_NAMES, key=lambda name: name != close))
    raise InputError(
        "unknown gain",
        where="gain",
        value=gain,
        fix=f"use {known}, a table such as {{1: 1, 2: 10}}, or a function of the grade",
    )

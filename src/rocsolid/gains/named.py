"""Gains by name, from tables and from callables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import nearest
from rocsolid.errors import InputError
from rocsolid.gains.formulas import exp2, linear
from rocsolid.gains.gain import Gain, checked


@dataclass(frozen=True, slots=True)
class TableGain(Gain):
    """G(y) as listed, for the grades that are listed, in increasing order."""

    grades: tuple[float, ...]
    gains: tuple[float, ...]

    @property
    def name(self) -> str:
        pairs = zip(self.grades, self.gains, strict=True)
        return "table(" + ",".join(f"{grade:g}:{gain:g}" for grade, gain in pairs) + ")"

    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        wanted = np.asarray(grade, dtype=np.float64)
        known = np.asarray(self.grades)
        index = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        missing = wanted[known[index] != wanted]
        if missing.size:
            raise InputError(
                "the table of gains lacks a grade",
                where="gain",
                value=float(missing.flat[0]),
                fix=f"it lists {', '.join(f'{one:g}' for one in self.grades)}",
            )
        found: NDArray[np.float64] = np.asarray(self.gains)[index]
        return found


def table(gains: Mapping[float, float]) -> TableGain:
    """The gain of each grade by name. Grade 0 is worth 0 unless the table says otherwise.

    >>> table({1: 1, 2: 10})([0, 2, 1])
    array([ 0., 10.,  1.])
    """
    try:
        named = {float(grade): float(gain) for grade, gain in gains.items()}
    except (TypeError, ValueError):
        raise InputError(
            "a grade and a gain are numbers", where="gain", value=dict(gains)
        ) from None
    listed = {0.0: 0.0, **named}
    grades = tuple(sorted(listed))
    values = tuple(listed[grade] for grade in grades)
    checked(np.asarray(grades), np.asarray(values))
    return TableGain(grades, values)


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


SHORT_NAMES: dict[str, Gain] = {"linear": linear(), "exp2": exp2()}


def as_gain(gain: Any) -> Gain:
    """A gain itself, the one with that short name, a function of the grade, or {grade: gain}.

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
    known = ", ".join(repr(name) for name in sorted(SHORT_NAMES, key=lambda one: one != close))
    raise InputError(
        "unknown gain",
        where="gain",
        value=gain,
        fix=f"use {known}, a table such as {{1: 1, 2: 10}}, or a function of the grade",
    )

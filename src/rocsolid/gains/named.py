"""Gains by name, and everything else that can stand for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsolid.checks import nearest
from rocsolid.errors import InputError
from rocsolid.gains.formulas import exp2, linear
from rocsolid.gains.gain import Gain
from rocsolid.gains.given import from_callable, table

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

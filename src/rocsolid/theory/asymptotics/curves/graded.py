"""Curves of graded relevance, one for each grade."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.theory.asymptotics.curves.curve import Curve, Function, check_range, integral
from rocsolid.theory.asymptotics.curves.levels import as_levels

_F = NDArray[np.float64]


def graded(shares: Mapping[float, Any], *, name: str = "graded") -> Curve:
    """The curve of a ranker from Pr(Y = grade | f~ = s), a curve or function for each grade.

    Grade 0 takes what the others leave. The shares of the grades, and with them the ideal order,
    follow by integration (Wang et al. 2013, Theorems 10 to 13). Grades are gains.

    >>> curve = graded({2: lambda s: 0.3 * s, 1: lambda s: 0.1 + 0.2 * s})
    >>> print(curve)
    graded, mean 0.5 (grades 2: 0.15, 1: 0.2, 0: 0.65)
    >>> round(curve.top, 12)  # 2·0.3 + 1·0.3
    0.9
    """
    parts = {float(grade): _part(grade, share) for grade, share in shares.items()}
    breaks = tuple(sorted({b for _, cuts in parts.values() for b in cuts}))
    functions = {grade: function for grade, (function, _) in parts.items()}
    for grade, function in functions.items():
        check_range(function, breaks, 0.0, 1.0, f"look at the share of grade {grade:g}")
    given = tuple(functions.values())
    if 0.0 not in functions:
        functions[0.0] = lambda s: 1.0 - _sum(given, s)
        check_range(functions[0.0], breaks, 0.0, 1.0, "the shares add up to more than 1 somewhere")
    else:
        _check_sum(given, breaks)
    found = {grade: integral(functions[grade], breaks) for grade in sorted(functions)[::-1]}
    kept = {grade: share for grade, share in found.items() if share > 1e-12}
    whole = math.fsum(kept.values())
    weights = tuple((grade, functions[grade]) for grade in kept)
    return Curve(
        name,
        as_levels({grade: share / whole for grade, share in kept.items()}),
        lambda s: np.asarray(sum(grade * share(s) for grade, share in weights)),
        breaks,
        tuple(share for _, share in weights),
    )


def _part(grade: float, share: Any) -> tuple[Function, tuple[float, ...]]:
    if isinstance(share, Curve):
        return share.function, share.breaks
    if callable(share):
        return share, ()
    if isinstance(share, Real) and not isinstance(share, bool):
        value = float(share)
        return lambda s: np.full_like(s, value), ()
    raise InputError(
        "the share of a grade is a curve, a function of s or a number",
        where=f"grade {grade:g}",
        value=share,
        fix="write curves.graded({2: lambda s: 0.3 * s, 1: 0.2})",
    )


def _sum(functions: tuple[Function, ...], s: _F) -> _F:
    return np.asarray(sum(function(s) for function in functions), dtype=np.float64)


def _check_sum(functions: tuple[Function, ...], breaks: tuple[float, ...]) -> None:
    at = np.concatenate([np.linspace(0.0, 1.0, 1025), breaks])
    total = np.broadcast_to(_sum(functions, at), at.shape)
    far = int(np.argmax(np.abs(total - 1.0)))
    if abs(total[far] - 1.0) > 1e-9:
        raise InputError(
            f"the shares of the grades must add up to 1; at s = {at[far]:g} they do not",
            where="graded",
            value=float(total[far]),
            fix="leave grade 0 out, and it takes the rest",
        )

"""Defences in text form, and the usual defence for a number of rows."""

from __future__ import annotations

import ast
import math
from fractions import Fraction

from rocsolid.errors import InputError
from rocsolid.leaks import release
from rocsolid.leaks.release.defence import Described

KNOWN = {
    name: getattr(release, name)
    for name in (
        *("Exact", "Rounded", "Binned", "Ladder", "ParameterFreeLadder", "BootstrappedLadder"),
        *("ShakyLadder", "Laplace", "Gaussian"),
    )
}
"""The defences of a board. Thresholdout is excluded because it needs an AUC on public labels."""


def defence_of(text: str) -> Described:
    """Parse a defence written as a Python call. No code is run.

    >>> defence_of("Rounded(2)"), defence_of("Ladder('1/50')").steps
    (Rounded(decimals=2), 25)
    >>> defence_of("Roundde(2)")
    Traceback (most recent call last):
    rocsolid.errors.InputError: this is not a defence of a board: 'Roundde(2)' (defence). Fix: write
    one of Exact, Rounded, Binned, Ladder, ParameterFreeLadder, BootstrappedLadder, ShakyLadder,
    Laplace and Gaussian with its settings, such as "Rounded(2)" or "Ladder(0.02)".
    """
    try:
        call = ast.parse(text, mode="eval").body
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            raise ValueError(text)
        given = [ast.literal_eval(argument) for argument in call.args]
        settings = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
        defence: Described = KNOWN[call.func.id](*given, **settings)
    except InputError:
        raise
    except (SyntaxError, ValueError, TypeError, KeyError, ArithmeticError, RecursionError) as error:
        *names, last = KNOWN
        raise InputError(
            "this is not a defence of a board",
            where="defence",
            value=text,
            fix=f"write one of {', '.join(names)} and {last} with its settings, such as "
            '"Rounded(2)" or "Ladder(0.02)"',
        ) from error
    return defence


def usual_defence(n_pos: int, n_neg: int) -> str:
    """Return a Ladder whose step is about the standard error of an AUC near 0.8.

    The step has one digit, which is 1, 2 or 5, and is above 1/min(n₀, n₁), the most that moving one
    row gains.

    >>> print(*(usual_defence(n // 2, n // 2) for n in (100, 1000, 100_000)))
    Ladder('0.1') Ladder('0.02') Ladder('0.002')
    """
    few = min(n_pos, n_neg)
    smallest = max(0.4 / math.sqrt(few), 1.01 / few)
    exponent = math.floor(math.log10(smallest))
    digit = next(d for d in (1, 2, 5, 10) if d * 10.0**exponent >= smallest * (1 - 1e-9))
    step = min(digit * Fraction(10) ** exponent, Fraction(1, 2))
    return f"Ladder('{float(step):g}')"

"""Rates as people write them, turned into rates as the formulas want them."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

from rocsolid.checks import one_of
from rocsolid.errors import InputError
from rocsolid.weights.weight import Axis


def complement(rate: float) -> float:
    """1 − rate, for the decimal number that was written.

    The false-positive rate 0.9 is the true-negative rate 0.1, while the double nearest to 0.9
    leaves 0.09999999999999998, which would not reach one negative in ten.

    >>> complement(0.9), 1 - 0.9
    (0.1, 0.09999999999999998)
    """
    return float(1 - Fraction(repr(float(rate))))


def check_region(low: float, high: float, name: str) -> tuple[float, float]:
    """A region of rates, refused unless 0 ≤ low < high ≤ 1."""
    try:
        sound = 0.0 <= low < high <= 1.0 and not isinstance(high, bool)
    except TypeError:
        sound = False
    if not sound:
        raise InputError(
            "a region of rates needs 0 <= low < high <= 1",
            where=name,
            value=(low, high),
            fix="name the lower end first, such as (0, 0.05)",
        )
    return float(low), float(high)


def check_axis(axis: Axis) -> Axis:
    one_of(axis, get_args(Axis), "axis")
    return axis


def check_positive(value: float, name: str) -> float:
    if not 0.0 < value < float("inf"):
        raise InputError(f"{name} must be a positive number", value=value)
    return float(value)

"""What a printed number may stand for: its digits were rounded, or the rest was cut off."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from rocsolid.leaks.released import read_number

Digits = Literal["rounded", "cut"]
READINGS: tuple[Digits, ...] = ("rounded", "cut")
FULL = 15  # decimals of a number that a program wrote in full: its last one or two may be off


class Between(NamedTuple):
    """Both ends count."""

    low: Fraction
    high: Fraction

    def floats(self) -> tuple[float, float]:
        return float(self.low), float(self.high)


def between(text: str, digits: Digits) -> Between:
    """The numbers that are printed so.

    >>> [f"{float(end):.3f}" for end in between("0.87", "rounded")]
    ['0.865', '0.875']
    >>> [f"{float(end):.3f}" for end in between("0.87", "cut")]
    ['0.870', '0.880']
    >>> [f"{float(end):.3f}" for end in between("-0.02", "cut")]
    ['-0.030', '-0.020']
    """
    value, half = read_number(float(text) if written_in_full(text) else text)
    if digits == "rounded" or written_in_full(text):
        return Between(value - half, value + half)
    return Between(value - 2 * half * (value <= 0), value + 2 * half * (value >= 0))


def written_in_full(text: str) -> bool:
    """Whether a program wrote all digits that a float holds.

    >>> written_in_full("0.8333333333333334"), written_in_full("0.8333"), written_in_full("5/6")
    (True, False, False)
    """
    return len(text.partition(".")[2]) >= FULL

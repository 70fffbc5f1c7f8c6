"""Numbers as the page writes them."""

from __future__ import annotations

import math


def number(value: float, decimals: int = 4) -> str:
    """Four decimals; a value that is not exactly 0 or 1 is not written as if it were.

    >>> number(0.83125), number(0.99999), number(1.0), number(0.00001), number(float("nan"))
    ('0.8313', '>0.9999', '1', '<0.0001', 'not defined')
    >>> number(0.0312346, 6)
    '0.031235'
    """
    if math.isnan(value):
        return "not defined"
    if value in (0.0, 1.0):
        return f"{value:g}"
    text = f"{value:.{decimals}f}"
    if float(text) not in (0.0, 1.0):
        return text
    return f"<{10**-decimals:.{decimals}f}" if value < 0.5 else f">{1 - 10**-decimals:.{decimals}f}"


def span(low: float, high: float, decimals: int = 4) -> str:
    """An interval.

    >>> span(0.61, 1.0)
    '0.6100 – 1'
    """
    return f"{number(low, decimals)} – {number(high, decimals)}"


def threshold(value: float) -> str:
    """A score, to six significant digits.

    >>> threshold(0.43212345), threshold(float("inf")), threshold(3.0)
    ('0.432123', '∞', '3')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.6g}".replace("-", "−")


def prose(text: str) -> str:
    """A sentence whose numbers keep their percent sign on the same line.

    >>> prose("at 95 % or so") == "at 95\N{NO-BREAK SPACE}% or so"
    True
    """
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def letter(index: int) -> str:
    """The short mark of a score: A to Z, then numbers.

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', '27')
    """
    return chr(ord("A") + index) if index < 26 else str(index + 1)

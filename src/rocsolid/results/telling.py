"""Numbers with as many digits as a decision needs."""

from __future__ import annotations

from collections.abc import Callable

_MOST = 17  # digits of a double


def nearest(value: float, decimals: int) -> str:
    """The usual rounding."""
    return f"{value:.{decimals}f}"


def signed(value: float, decimals: int) -> str:
    """The same with the sign in front, for differences."""
    return f"{value:+.{decimals}f}"


def telling(
    value: float, bar: float, decimals: int, rounded: Callable[[float, int], str] = nearest
) -> str:
    """A number printed so that it is on the same side of ``bar`` as the number itself.

    >>> telling(0.89996, 0.9, 3), telling(0.9104, 0.9, 3)
    ('0.89996', '0.910')
    >>> telling(0.00004, 0.0, 3, signed), telling(0.0, 0.0, 3, signed)
    ('+0.00004', '+0.000')
    """
    text = rounded(value, decimals)
    while decimals < _MOST and _side(float(text), bar) != _side(value, bar):
        decimals += 1
        text = rounded(value, decimals)
    return text


def _side(value: float, bar: float) -> int:
    return int(value > bar) - int(value < bar)

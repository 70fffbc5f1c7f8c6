"""Names and numbers as they stand in a picture."""

from __future__ import annotations

from rocsolid.results import Interval

_LONGEST = 40


def shown(name: object, longest: int = _LONGEST) -> str:
    """A name on one line, cut where it is long.

    >>> shown("a name that is very much too long", 12)
    'a name that…'
    """
    line = " ".join(str(name).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def signed(value: float, decimals: int) -> str:
    """With its sign, and a minus as wide as a plus.

    >>> signed(-0.02, 3), signed(0.02, 3)
    ('−0.020', '+0.020')
    """
    return f"{value:+.{decimals}f}".replace("-", "−")


def span(interval: Interval, *, sign: bool = False) -> str:
    """The limits of an interval.

    >>> span(Interval(0.61, 0.83, 0.95, "wald")), span(Interval(-0.1, 0.2, 0.95, "t"), sign=True)
    ('0.6100 – 0.8300', '−0.1000 to +0.2000')
    """
    digits = interval.decimals
    if sign:
        return f"{signed(interval.low, digits)} to {signed(interval.high, digits)}"
    return f"{interval.low:.{digits}f} – {interval.high:.{digits}f}"

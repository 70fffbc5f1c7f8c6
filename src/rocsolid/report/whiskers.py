"""An interval as a line: thin with ends for a certified one, plain for the one requested."""

from __future__ import annotations

_CAP = 3.5


def thin(low: float, high: float, y: float) -> str:
    """Path data of a line from end to end with a cap at each.

    >>> thin(10.0, 20.0, 13.0)
    'M10 13H20M10 9.5v7M20 9.5v7'
    """
    caps = "".join(f"M{x:.5g} {y - _CAP:.5g}v{2 * _CAP:g}" for x in (low, high))
    return plain(low, high, y) + caps


def plain(low: float, high: float, y: float) -> str:
    """Path data of a line from end to end.

    >>> plain(10.0, 20.0, 13.0)
    'M10 13H20'
    """
    return f"M{low:.5g} {y:.5g}H{high:.5g}"

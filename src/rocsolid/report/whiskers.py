"""An interval as a line: thin with ends for a certified one, plain for the one requested."""

from __future__ import annotations

import math
from collections.abc import Iterable

from rocsolid.markup import Markup, element, join
from rocsolid.report import svg

_CAP = 3.5
_WIDTH, _MARGIN = 220.0, 14.0


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


def ticks(places: Iterable[tuple[float, str]]) -> Markup:
    """The head of a column of intervals: where each label of the axis stands."""
    parts = []
    for x, text in places:
        parts.append(svg.label(text, x, 11, "tick middle"))
        parts.append(element("path", d=f"M{x:.5g} 15V20", class_="grid"))
    return _picture(20, parts)


def line(
    grid: Iterable[float],
    value: float,
    inner: tuple[float, float],
    outer: tuple[float, float] | None,
    level: float | None,
) -> Markup:
    """A dot, a thick line and a thin one at these places, on the grid and the dashed level.

    A line that has an infinite end is not drawn.
    """
    parts = [element("path", d="".join(f"M{x:.4g} 0V26" for x in grid), class_="grid")]
    if level is not None:
        parts.append(element("path", d=f"M{level:.5g} 0V26", class_="chance"))
    if outer is not None and all(map(math.isfinite, outer)):
        parts.append(element("path", d=thin(*outer, 13.0), class_="certified"))
    if all(map(math.isfinite, inner)):
        parts.append(element("path", d=plain(*inner, 13.0), class_="calibrated"))
    parts.append(element("circle", cx=value, cy=13, r=3.5, class_="value"))
    return _picture(26, parts)


def place(share: float) -> float:
    """Where that share of the axis is in the drawing."""
    return _MARGIN + (_WIDTH - 2 * _MARGIN) * share


def _picture(height: float, parts: list[Markup]) -> Markup:
    """Hidden from screen readers: the same numbers stand in the cells beside it."""
    return element(
        "svg",
        join(parts),
        viewBox=f"0 0 {_WIDTH:g} {height:g}",
        class_="forest",
        aria_hidden="true",
        focusable="false",
    )

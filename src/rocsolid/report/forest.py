"""Intervals as horizontal lines on one scale, one row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid.markup import Markup, element, join
from rocsolid.report import svg, whiskers

_WIDTH, _MARGIN = 220.0, 14.0


@dataclass(frozen=True, slots=True)
class ForestScale:
    """The range that all rows share, wide enough for every interval."""

    low: float
    high: float

    def x(self, value: float) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * (value - self.low) / (self.high - self.low)


def scale(rows: Sequence[Mapping[str, Any]]) -> ForestScale:
    """The smallest comfortable range; never cut, so that no interval looks shorter than it is."""
    shown = [end for row in rows for end in _ends(row)]
    low, high = min(shown), max(shown)
    room = max(0.01, 0.04 * (high - low))
    return ForestScale(max(0.0, low - room), min(1.0, high + room))


def axis(over: ForestScale) -> Markup:
    """Tick labels for the head of the column."""
    parts = []
    for tick in svg.ticks(over.low, over.high, most=5):
        x = over.x(tick)
        parts.append(svg.label(f"{tick:g}", x, 11, "tick middle"))
        parts.append(element("path", d=f"M{x:.5g} 15V20", class_="grid"))
    return _picture(20, parts)


def line(row: Mapping[str, Any], over: ForestScale) -> Markup:
    """Thin for the certified interval, thick for the asked one, a dot for the value."""
    grid = "".join(f"M{over.x(t):.4g} 0V26" for t in svg.ticks(over.low, over.high, most=5))
    parts = [element("path", d=grid, class_="grid")]
    if row["measure"] == "auc" and over.low <= 0.5 <= over.high:
        parts.append(element("path", d=f"M{over.x(0.5):.5g} 0V26", class_="chance"))
    certified = row["certified"]
    if certified is not None:
        drawn = whiskers.thin(over.x(certified["low"]), over.x(certified["high"]), 13.0)
        parts.append(element("path", d=drawn, class_="certified"))
    drawn = whiskers.plain(over.x(row["low"]), over.x(row["high"]), 13.0)
    parts.append(element("path", d=drawn, class_="calibrated"))
    parts.append(element("circle", cx=over.x(row["value"]), cy=13, r=3.5, class_="value"))
    return _picture(26, parts)


def _ends(row: Mapping[str, Any]) -> tuple[float, ...]:
    certified = row["certified"]
    outer = () if certified is None else (certified["low"], certified["high"])
    return (row["low"], row["high"], row["value"], *outer)


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

"""Intervals as horizontal lines on one scale, one row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid.markup import Markup
from rocsolid.report import svg, whiskers


@dataclass(frozen=True, slots=True)
class ForestScale:
    """The range that all rows share, wide enough for every interval."""

    low: float
    high: float

    def x(self, value: float) -> float:
        return whiskers.place((value - self.low) / (self.high - self.low))


def scale(rows: Sequence[Mapping[str, Any]]) -> ForestScale:
    """The smallest comfortable range; never cut, so that no interval looks shorter than it is."""
    shown = [end for row in rows for end in _ends(row)]
    low, high = min(shown), max(shown)
    room = max(0.01, 0.04 * (high - low))
    return ForestScale(max(0.0, low - room), min(1.0, high + room))


def axis(over: ForestScale) -> Markup:
    """Tick labels for the head of the column."""
    ticks = svg.ticks(over.low, over.high, most=5)
    return whiskers.ticks((over.x(tick), f"{tick:g}") for tick in ticks)


def line(row: Mapping[str, Any], over: ForestScale) -> Markup:
    """Thin for the certified interval, thick for the asked one, a dot for the value."""
    certified, chance = row["certified"], row.get("chance")
    seen = chance is not None and over.low <= chance <= over.high
    return whiskers.line(
        map(over.x, svg.ticks(over.low, over.high, most=5)),
        over.x(row["value"]),
        (over.x(row["low"]), over.x(row["high"])),
        None if certified is None else (over.x(certified["low"]), over.x(certified["high"])),
        over.x(chance) if chance is not None and seen else None,
    )


def _ends(row: Mapping[str, Any]) -> tuple[float, ...]:
    certified = row["certified"]
    outer = () if certified is None else (certified["low"], certified["high"])
    return (row["low"], row["high"], row["value"], *outer)

"""Intervals as horizontal lines on one scale, one row each, in the cells of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocsolid.markup import Markup
from rocsolid.pictures import svg
from rocsolid.pictures.axis import Axis
from rocsolid.pictures.forest import ForestRow, whisker
from rocsolid.pictures.marks import RuleMark

_TICKS = 5


def scale(rows: Sequence[Mapping[str, Any]]) -> Axis:
    """The smallest comfortable range; never cut, so that no interval looks shorter than it is."""
    shown = [end for row in rows for end in _row(row).ends]
    low, high = min(shown), max(shown)
    room = max(0.01, 0.04 * (high - low))
    return Axis(max(0.0, low - room), min(1.0, high + room))


def axis(over: Axis) -> Markup:
    """Tick labels for the head of the column."""
    return svg.strip_head(over, _TICKS)


def line(row: Mapping[str, Any], over: Axis) -> Markup:
    """Thin for the certified interval, thick for the requested one, a dot for the value."""
    chance = row.get("chance")
    seen = chance is not None and over.low <= chance <= over.high
    level = (RuleMark(chance, upright=True),) if chance is not None and seen else ()
    return svg.strip((*level, *whisker(_row(row))), over, _TICKS)


def _row(row: Mapping[str, Any]) -> ForestRow:
    certified = row["certified"]
    outer = None if certified is None else (certified["low"], certified["high"])
    return ForestRow("", row["value"], (row["low"], row["high"]), outer)

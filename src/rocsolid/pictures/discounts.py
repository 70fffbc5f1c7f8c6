"""How much each rank counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocsolid.arguments import whole
from rocsolid.discounts.named import as_discount
from rocsolid.errors import InputError
from rocsolid.pictures.axis import Axis
from rocsolid.pictures.disclosed import NO_DATA
from rocsolid.pictures.marks import LineMark, Picture, Series
from rocsolid.pictures.words import shown


def discounts_picture(result: Any, *, depth: int) -> Picture:
    """Each discount down to that depth, divided by what the first rank counts."""
    last = whole(depth, "depth", 2)
    named = _named(result)
    if not named:
        raise InputError("there is nothing to draw", where="result")
    ranks = np.arange(1.0, last + 1.0)
    series, key = [], []
    for i, (name, one) in enumerate(named.items()):
        values = one.values(last)
        line = LineMark(ranks, values / values[0], tint=i)
        series.append(Series("", (line,), i, order=i))
        key.append((shown(name, 24), line))
    return Picture(
        "Discounts",
        f"Weight of each rank, that of the first being 1: {', '.join(map(str, named))}.",
        Axis(1.0, float(last), log=True, title="Rank"),
        Axis(0.0, 1.02, title="Weight of the rank, that of the first being 1"),
        tuple(series),
        key=tuple(key),
        key_place="upper right",
        discloses=NO_DATA,
    )


def _named(result: Any) -> dict[str, Any]:
    if isinstance(result, Mapping):
        return {str(name): as_discount(one) for name, one in result.items()}
    several = result if isinstance(result, list | tuple) else [result]
    return {one.name: one for one in map(as_discount, several)}

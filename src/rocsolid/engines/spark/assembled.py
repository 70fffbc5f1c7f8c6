"""Segments from the ranges in order, with what lies before each range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.engines.engine import Key
from rocsolid.engines.spark.range_part import RangePart
from rocsolid.summaries.ranges.glued import out_of_order

Pages = list[list[tuple[Key, RangePart]]]
"""For each partition in order, its segments in order."""


@dataclass(frozen=True, slots=True)
class Offset:
    """The position of a range: its segment among all, and twice what lies below it there."""

    page: int
    seg: int
    g: int
    neg2: Any
    pos2: Any


def assembled(pages: Pages) -> tuple[list[tuple[Key, RangePart]], list[Offset]]:
    """Each whole segment, and the position of each range; an error if anything does not ascend."""
    wholes: list[tuple[Key, RangePart]] = []
    offsets: list[Offset] = []
    for page, found in enumerate(pages):
        for seg, (key, piece) in enumerate(found):
            before = None
            if wholes and wholes[-1][0] == key:
                before = wholes[-1][1]
                wholes[-1] = (key, before.then(piece))
            elif wholes and not wholes[-1][0] < key:
                raise out_of_order(wholes[-1][0], key)
            else:
                wholes.append((key, piece))
            offsets.append(Offset(page, seg, len(wholes) - 1, *_twice(before)))
    return wholes, offsets


def _twice(before: RangePart | None) -> tuple[Any, Any]:
    if before is None:
        return 0, 0
    if before.weighted is None:
        return 2 * before.placements.n_neg, 2 * before.placements.n_pos
    return 2 * before.weighted.sums.neg.weight, 2 * before.weighted.sums.pos.weight

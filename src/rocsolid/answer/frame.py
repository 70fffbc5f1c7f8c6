"""The large pictures of a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rocsolid.pictures.batches import AfterBatch, batches_picture
from rocsolid.pictures.lanes import differences_picture, values_picture
from rocsolid.report.frame import Large
from rocsolid.report.text import Cells, measure_title, number
from rocsolid.results.comparison import Comparison
from rocsolid.results.interval import Interval
from rocsolid.results.standing import standings


def values_drawn(
    values: Mapping[str, Any],
    title: str,
    comparison: Comparison | None = None,
    chance: float | None = None,
) -> Large:
    states = {} if comparison is None else {one.name: one.state for one in standings(comparison)}
    picture = values_picture(values, title, chance, states=states)
    return Large(picture, note=_assumed([each.certified for each in values.values()]))


def _assumed(proven: Sequence[Interval | None]) -> str:
    known = [each for each in proven if each is not None]
    if not known:
        return ""
    where = "" if len(known) == len(proven) else ", if one is known"
    assumed = "; ".join(dict.fromkeys(text for each in known for text in each.assumptions))
    return f"Certified{where}: whatever the distribution of scores (assumes: {assumed})."


def differences_drawn(comparison: Comparison, title: str = "") -> Large:
    """Every difference from the highest; ``title`` is the requested name of the measure."""
    picture = differences_picture(comparison)
    if title:
        axis = picture.x.title.replace(measure_title(comparison.measure), title, 1)
        picture = replace(picture, x=replace(picture.x, title=axis))
    return Large(picture)


def batches_drawn(
    looks: Sequence[AfterBatch], level: float, title: str, alarm: tuple[int, str] | None = None,
    margin: float | None = None,
) -> tuple[Large, ...]:  # fmt: skip
    """The value after each batch; states of older versions have no batches."""
    if not looks:
        return ()
    picture = batches_picture(looks, level=level, title=title, alarm=alarm, margin=margin)
    rows = tuple(
        (f"{look.batch:,}", *(number(end) if math.isfinite(end) else "" for end in
                              (look.value, look.low, look.high)))
        for look in looks
    )  # fmt: skip
    cells = Cells("The interval from all batches so far.", ("batch", title, "from", "to"), rows)
    return (Large(picture, cells),)

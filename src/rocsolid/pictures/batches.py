"""Pictures of the interval after each batch, and of differences query by query."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from rocsolid.pictures.lists import VALUES, shown
from rocsolid.pictures.marks import (
    AreaMark,
    Axis,
    BarsMark,
    DotsMark,
    FloatArray,
    IntervalMark,
    LabelMark,
    LineMark,
    Mark,
    Picture,
    RuleMark,
    Series,
    Tick,
)

_TICKS = 10


class AfterBatch(Protocol):
    @property
    def batch(self) -> int: ...
    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


def batches_picture(
    looks: Sequence[AfterBatch], *, level: float, title: str, alarm: tuple[int, str] | None = None,
    margin: float | None = None,
) -> Picture:  # fmt: skip
    """Plot the value after each batch with an interval that is valid for all looks.

    ``level`` is the reference value, and ``alarm`` a batch with the text of its finding.
    """
    x, value = (np.array([getattr(look, of) for look in looks], dtype=np.float64)
                for of in ("batch", "value"))  # fmt: skip
    low, high = (np.array([getattr(look, of) for look in looks]) for of in ("low", "high"))
    there = np.isfinite(value)
    marks: list[Mark] = [RuleMark(level)]
    marks += (
        [] if margin is None else [RuleMark(level + place, "limit") for place in (-margin, margin)]
    )
    if len(x) > 1:
        marks.append(AreaMark(x, np.minimum(low, high), np.maximum(low, high), "shade"))
    marks += [
        IntervalMark(place, lower, upper, upright=True)
        for place, lower, upper in zip(x.tolist(), low.tolist(), high.tolist(), strict=True)
        if lower <= upper
    ]
    y = Axis.around([*low, *high, *value[there], level], title=title)
    if alarm is not None:
        batch, word = alarm
        at_left = batch > (x[0] + x[-1]) / 2
        marks.append(RuleMark(batch, "mean", upright=True))
        marks.append(
            LabelMark(batch, y.high, word, "note strong", "end" if at_left else "start", "top",
                      (-6.0 if at_left else 6.0, -12.0))
        )  # fmt: skip
    marks.append(LineMark(x[there], value[there], dotted=True))
    marks.append(DotsMark(x[there], value[there], "value"))
    step = math.ceil(len(x) / _TICKS)
    last = looks[-1]
    return Picture(
        f"{title} after each batch",
        f"{title} after {len(looks)} batches: {last.value:.4f}, between {last.low:.4f} and "
        f"{last.high:.4f}.",
        Axis(float(x[0]) - 0.5, float(x[-1]) + 0.5, title="Batch",
             named=tuple(Tick(place, f"{place:g}") for place in x.tolist()[::step]), bare=True),
        y,
        tuple(marks),
        discloses=VALUES,
    )  # fmt: skip


def deltas_picture(deltas: Mapping[str, FloatArray], best: str, measure: str) -> Picture:
    """Plot the value of each rival minus that of the best, in descending order of queries.

    A single rival has bars.

    >>> picture = deltas_picture({"b": np.array([-0.2, 0.1, 0.0])}, "a", "ndcg@10")
    >>> picture.description
    'ndcg@10 of each query, less that of a. b: 1 better, 1 worse, 1 equal.'
    """
    series, spoken = [], []
    longest = max(len(values) for values in deltas.values())
    for i, (name, all_of) in enumerate(deltas.items()):
        falling = np.sort(all_of[np.isfinite(all_of)])[::-1]
        up, down = int((falling > 0).sum()), int((falling < 0).sum())
        words = f"{up} better, {down} worse, {len(falling) - up - down} equal"
        spoken.append(f"{shown(name)}: {words}")
        edges = np.arange(len(falling) + 1.0)
        if len(deltas) == 1:
            marks: tuple[Mark, ...] = (BarsMark(edges, falling, tint=1),)
            series.append(Series(shown(name), marks, 1, words))
            continue
        middle = edges[:-1] + 0.5
        share = int((i + 0.5) / len(deltas) * max(0, len(falling) - 1))
        place = (float(middle[share]), float(falling[share])) if len(falling) else None
        line = LineMark(middle, falling, tint=i + 1)
        series.append(Series(shown(name), (line,), i + 1, words, place, order=i))
    ends = [end for values in deltas.values() for end in values[np.isfinite(values)].tolist()]
    of = shown(best)
    return Picture(
        f"{measure} less that of {of}, query by query",
        f"{measure} of each query, less that of {of}. {'; '.join(spoken)}.",
        Axis(0.0, float(longest), title="Queries, the rival's best ones first"),
        Axis.around([0.0, *ends], title=f"{measure} − {of}"),
        (RuleMark(0.0), *series),
        key_place="below",
        discloses=VALUES,
    )

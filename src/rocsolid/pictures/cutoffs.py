"""A measure at several cut-offs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rocsolid.errors import InputError
from rocsolid.pictures.axis import Axis, Tick
from rocsolid.pictures.disclosed import VALUES
from rocsolid.pictures.marks import IntervalMark, LabelMark, LineMark, Mark, Picture, Series
from rocsolid.pictures.words import shown
from rocsolid.results import percent
from rocsolid.results.valued import Valued

_LINE = 0.045  # of the height from one name to the next
_APART = 0.012  # of the decimal logarithm: intervals of different systems do not hide each other


def cutoffs_picture(result: Mapping[Any, Any]) -> Picture:
    """A measure against its cut-off, with the interval at each.

    ``result`` holds estimates by cut-off, or for each system such a mapping.

    >>> import rocsolid as rs
    >>> grades, scores = [[2, 0, 1, 0], [0, 1, 0, 0]], [[4, 3, 2, 1], [4, 3, 2, 1]]
    >>> ax = rs.plots.cutoffs({k: rs.ndcg(grades, scores, k=k) for k in (1, 2, 4)})
    >>> ax.lines[0].get_xdata().tolist()
    [1.0, 2.0, 4.0]
    """
    systems = _systems(result)
    every = sorted({k for values in systems.values() for k in values})
    first = next(iter(next(iter(systems.values())).values()))
    measure = first.measure.split("@", maxsplit=1)[0]  # up to the cut-off that the scale shows
    ends = [end for values in systems.values() for estimate in values.values()
            for end in (estimate.value, estimate.low, estimate.high)]  # fmt: skip
    y = Axis.around(ends, title=measure)
    last = [list(values.values())[-1].value for values in systems.values()]
    heights = _apart(last, _LINE * (y.high - y.low))
    series = []
    for i, (name, values) in enumerate(systems.items()):
        x = np.array(_positions(i, len(systems), values))
        of = list(values.values())
        marks: list[Mark] = [
            IntervalMark(at, estimate.low, estimate.high, tint=i, upright=True)
            for at, estimate in zip(x.tolist(), of, strict=True)
            if math.isfinite(estimate.low) and math.isfinite(estimate.high)
        ]
        line = np.array([estimate.value for estimate in of])
        marks.append(LineMark(x, line, tint=i, dotted=True))
        if name:
            words = shown(name, 18)
            marks.append(
                LabelMark(float(x[-1]), heights[i], words, "name", move=(7.0, 0.0), tint=i)
            )
        series.append(Series("", tuple(marks), i, order=i))
    title = f"{measure} by cut-off, {percent(first.level)} intervals"
    return Picture(
        title,
        f"{title}. Systems: {', '.join(systems)}." if len(systems) > 1 else f"{title}.",
        Axis(
            every[0] / 1.25,
            every[-1] * (1.25 if len(systems) == 1 else 1.6),
            log=True,
            title="Cut-off: documents from the top that count",
            named=tuple(Tick(k, f"{k:g}") for k in every),
        ),
        y,
        tuple(series),
        discloses=VALUES,
    )


def _systems(result: Any) -> dict[str, dict[float, Any]]:
    if not isinstance(result, Mapping) or not result:
        raise _not_by_cutoff(result)
    nested = all(isinstance(one, Mapping) and one for one in result.values())
    systems = {str(k): dict(v) for k, v in result.items()} if nested else {"": dict(result)}
    for values in systems.values():
        for k, one in values.items():
            if not isinstance(one, Valued):
                raise _not_by_cutoff(one)
            if isinstance(k, bool) or not isinstance(k, int | float) or not 0 < k < math.inf:
                raise InputError("a cut-off is a positive number", where="result", value=k)
    return {name: dict(sorted(values.items())) for name, values in systems.items()}


def _not_by_cutoff(given: object) -> InputError:
    return InputError(
        "these are not estimates by cut-off",
        where="result",
        value=type(given).__name__,
        fix="give {k: rs.ndcg(..., k=k) for k in (5, 10, 20)}, or one such mapping for each system",
    )


def _positions(order: int, systems: int, values: Mapping[float, Any]) -> list[float]:
    """The cut-offs, a little aside where there are other systems."""
    aside = 10.0 ** (_APART * (order - (systems - 1) / 2))
    return [float(k) * aside for k in values]


def _apart(heights: Sequence[float], least: float) -> list[float]:
    """The heights, each moved up as far as it must to be that far above the one below it.

    >>> _apart([0.5, 0.2, 0.25], 0.1)
    [0.5, 0.2, 0.30000000000000004]
    """
    moved = list(heights)
    order = sorted(range(len(moved)), key=moved.__getitem__)
    for below, at in pairwise(order):
        moved[at] = max(moved[at], moved[below] + least)
    return moved

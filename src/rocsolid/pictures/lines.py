"""Lines over a common scale, with the heights worth knowing and the points that stand out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rocsolid.pictures.axis import Axis
from rocsolid.pictures.marks import (
    DotsMark,
    FloatArray,
    LabelMark,
    LineMark,
    Mark,
    Picture,
    Place,
    RuleMark,
    Series,
)

_CLEAR = 0.1  # of the height: how far the lines must be for a word to stand free of them


@dataclass(frozen=True, slots=True, eq=False)
class ChartLine:
    """One line: its name, and its height (NaN where there is none) at each of the chart's x.

    ``here`` is a point of it that stands out, such as where things are now.
    """

    name: str
    y: FloatArray
    here: Place | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LineChart:
    """Lines over the same ``x``, which ascends.

    ``levels`` are heights worth a dashed line, each with a word for it. ``points`` draws a mark at
    each x, for a chart whose x are single cases and not a scale.
    """

    title: str
    x_title: str
    y_title: str
    x: FloatArray
    lines: tuple[ChartLine, ...]
    log_x: bool = False
    log_y: bool = False
    levels: tuple[tuple[float, str], ...] = ()
    points: bool = False


def lines_picture(chart: LineChart, colours: Mapping[str, int]) -> Picture:
    """Each line in the colour of its name, with its letter if it has a name."""
    heights = np.concatenate([line.y for line in chart.lines])
    y = Axis.around(
        [*heights, *[height for height, _ in chart.levels]], log=chart.log_y, title=chart.y_title
    )
    x = Axis.around(chart.x, log=chart.log_x, title=chart.x_title)
    ends = [y.share(line.y[np.isfinite(line.y)][[0, -1]]) for line in chart.lines
            if np.isfinite(line.y).any()]  # fmt: skip
    marks: list[Mark] = []
    for height, word in chart.levels:
        marks += [RuleMark(height), _word(word, height, x, y.at(height), ends)]
    series = [
        _series(chart, i, colours.get(line.name, i), x, y) for i, line in enumerate(chart.lines)
    ]
    names = ", ".join(line.name for line in chart.lines if line.name)
    description = f"{chart.y_title} against {chart.x_title}."
    return Picture(
        chart.title,
        f"{description} Lines: {names}." if names else description,
        x,
        y,
        (*marks, *series),
    )


def _word(text: str, height: float, x: Axis, share: float, ends: list[FloatArray]) -> LabelMark:
    """The word of a level on the right, or on the left where that keeps it clear of the lines."""
    left, right = (min((abs(float(end[i]) - share) for end in ends), default=0.0) for i in (0, 1))
    if right < _CLEAR < left:
        return LabelMark(x.low, height, text, move=(3.0, 3.0))
    return LabelMark(x.high, height, text, anchor="end", move=(-3.0, 3.0))


def _series(chart: LineChart, order: int, tint: int, x: Axis, y: Axis) -> Series:
    line = chart.lines[order]
    there = np.isfinite(line.y)
    places, heights = chart.x[there], line.y[there]
    marks: list[Mark] = [LineMark(chart.x, line.y, tint=tint, dotted=chart.points)]
    if line.here is not None:
        across, up = line.here
        marks.append(DotsMark(np.array([across]), np.array([up]), "here", tint))
    where = None
    if line.name and places.size:  # letters of different lines are spread along the chart
        along = x.share(places)
        share = along[0] + (order + 0.7) / (len(chart.lines) + 0.4) * (along[-1] - along[0])
        where = x.value(float(share)), y.value(float(np.interp(share, along, y.share(heights))))
    return Series(line.name, tuple(marks), tint, letter=where, order=order)

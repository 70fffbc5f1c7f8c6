"""Marks, axes and series of a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled position; in a row, ``value`` is the text at the other end."""

    at: float
    text: str
    value: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from ``low`` to ``high``, which may be smaller; logarithmic with ``log``.

    ``named`` ticks replace round numbers, and name the rows with ``rows``. ``bare`` ticks have no
    lines.
    """

    low: float
    high: float
    log: bool = False
    title: str = ""
    named: tuple[Tick, ...] = ()
    rows: bool = False
    bare: bool = False

    @classmethod
    def around(cls, values: Iterable[float], *, log: bool = False, title: str = "") -> Axis:
        """The smallest scale with all the values, with a margin unless ``log``.

        >>> Axis.around([0.0, 1.0]).low
        -0.04
        """
        numbers = [value for value in values if math.isfinite(value)]
        low, high = min(numbers), max(numbers)
        if log:
            return cls(low, high if high > low else 2 * low, log=True, title=title)
        room = 0.04 * (high - low) or 0.5
        return cls(low - room, high + room, title=title)

    def share(self, values: FloatArray) -> FloatArray:
        if self.log:
            span = math.log(self.high / self.low)
            return np.asarray(np.log(values / self.low) / span, dtype=np.float64)
        return np.asarray((values - self.low) / (self.high - self.low), dtype=np.float64)

    def at(self, value: float) -> float:
        return float(self.share(np.array(value)))

    def value(self, share: float) -> float:
        if self.log:
            return self.low * math.exp(share * math.log(self.high / self.low))
        return self.low + share * (self.high - self.low)

    def ticks(self, most: int = 8) -> list[float]:
        """Round numbers on the scale, at most ``most``.

        >>> Axis(20.0, 100_000.0, log=True).ticks()
        [30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0, 30000.0, 100000.0]
        >>> Axis(0.02, 0.9, log=True).ticks(), Axis(-8.7, 1.2).ticks(), Axis(1, 0).ticks(5)
        ([0.02, 0.05, 0.1, 0.2, 0.5], [-8.0, -6.0, -4.0, -2.0, 0.0], [0.0, 0.25, 0.5, 0.75, 1.0])
        """
        low, high = sorted((self.low, self.high))
        return _ratios(low, high, most) if self.log else _steps(low, high, most)


def _steps(low: float, high: float, most: int) -> list[float]:
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    for size in (1.0, 2.0, 2.5, 5.0, 10.0, 20.0):
        step = size * power
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            break
    return [round(i * step, 12) + 0.0 for i in range(first, last + 1)]


def _ratios(low: float, high: float, most: int) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    numbers: list[float] = []
    for digits in ((1, 2, 5), (1, 3), (1,)):
        numbers = [float(f"{digit}e{decade}") for decade in decades for digit in digits]
        numbers = [each for each in numbers if low * 0.999 <= each <= high * 1.001]
        if len(numbers) <= most:
            break
    return numbers


Place = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class LineMark:
    """Points joined by straight lines; with ``steps``, horizontal at the next point's height.

    A ``closed`` line returns to its start; a ``dotted`` line marks each point.
    """

    x: FloatArray
    y: FloatArray
    role: str = "line"
    tint: int = 0
    steps: bool = False
    closed: bool = False
    dotted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AreaMark:
    x: FloatArray
    low: FloatArray
    high: FloatArray
    role: str = "band"
    tint: int = 0
    steps: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DotsMark:
    x: FloatArray
    y: FloatArray
    role: str = "value"
    tint: int = 0
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IntervalMark:
    """A line between two ends at a position of the other axis; certified ones have caps.

    An unbounded end is infinite.
    """

    at: float
    low: float
    high: float
    role: str = "calibrated"
    tint: int = 0
    upright: bool = False


@dataclass(frozen=True, slots=True)
class RuleMark:
    at: float
    role: str = "chance"
    tint: int = 0
    upright: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class BarsMark:
    edges: FloatArray
    heights: FloatArray
    base: float = 0.0
    role: str = "bars"
    tint: int = 0


@dataclass(frozen=True, slots=True)
class CellMark:
    """A rectangle around a position, with the opacity ``share`` in its tint; None is pale."""

    x: float
    y: float
    share: float | None
    tint: int = 0


@dataclass(frozen=True, slots=True)
class LabelMark:
    """A text at a position, moved right and up by ``move`` points.

    ``size`` is the font size on a sheet, in its units; otherwise the role determines it.
    """

    x: float
    y: float
    text: str
    role: str = "tick"
    anchor: Literal["start", "middle", "end"] = "start"
    level: Literal["bottom", "center", "top", "baseline"] = "center"
    move: Place = (0.0, 0.0)
    tint: int = 0
    turned: bool = False
    size: float = 0.0


Mark = LineMark | AreaMark | DotsMark | IntervalMark | RuleMark | BarsMark | CellMark | LabelMark


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Marks that share a name, a letter at ``letter`` and a colour.

    A series that is not ``named`` is in the background. Readers select series by ``order``.
    """

    name: str
    marks: tuple[Mark, ...]
    tint: int = 0
    value: str = ""
    letter: Place | None = None
    named: bool = True
    order: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Marks in drawing order, on two axes.

    ``description`` is for readers who cannot see the picture. ``key`` explains marks, ``noun``
    names the values of series, and ``discloses`` states what the picture reveals about labels.
    ``inches`` is the size on paper. Pictures ``below`` have their own scales.
    """

    title: str
    description: str
    x: Axis
    y: Axis
    marks: tuple[Mark | Series, ...]
    key: tuple[tuple[str, Mark], ...] = ()
    key_place: Literal["lower right", "upper left", "upper right", "below", "above"] = "lower right"
    noun: str = ""
    discloses: str = ""
    inches: tuple[float, float] = (6.0, 4.2)
    square: bool = False
    below: tuple[Picture, ...] = ()

    @property
    def series(self) -> tuple[Series, ...]:
        return tuple(mark for mark in self.marks if isinstance(mark, Series) and mark.named)

    @property
    def single_marks(self) -> tuple[Mark, ...]:
        """The marks outside of series."""
        return tuple(mark for mark in self.marks if not isinstance(mark, Series))


def letter(index: int) -> str:
    """The short label of a series: A to Z, then numbers.

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', '27')
    """
    return chr(ord("A") + index) if index < 26 else str(index + 1)


_CLEAR = 0.1  # the distance of lines from a free-standing word, as a share of the height


@dataclass(frozen=True, slots=True, eq=False)
class ChartLine:
    """A line: its name, and its height (NaN for none) at each of the chart's x.

    ``here`` is a highlighted point, such as the current state.
    """

    name: str
    y: FloatArray
    here: Place | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LineChart:
    """Lines over the same ascending ``x``, and dashed lines at the ``levels``.

    ``points`` marks each x, for charts whose x are single cases.
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

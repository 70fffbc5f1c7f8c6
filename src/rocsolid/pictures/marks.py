"""The parts of a picture: marks at positions of two scales, and named series of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.pictures.axis import Axis

FloatArray = NDArray[np.float64]
Place = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class LineMark:
    """Points joined by straight lines; with ``steps``, across at the height of the next point.

    One that is ``closed`` returns to where it began; ``dotted`` marks each point.
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
    """What lies between two heights; with ``steps`` each height holds up to the next x."""

    x: FloatArray
    low: FloatArray
    high: FloatArray
    role: str = "band"
    tint: int = 0
    steps: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DotsMark:
    """Single points, each with a word beside it where there are words."""

    x: FloatArray
    y: FloatArray
    role: str = "value"
    tint: int = 0
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IntervalMark:
    """From one end to the other at a position of the other scale; certified ones have caps.

    An end that nothing bounds is infinite.
    """

    at: float
    low: float
    high: float
    role: str = "calibrated"
    tint: int = 0
    upright: bool = False


@dataclass(frozen=True, slots=True)
class RuleMark:
    """A line through the whole picture at one value."""

    at: float
    role: str = "chance"
    tint: int = 0
    upright: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class BarsMark:
    """Heights between edges, over (or with a negative height under) a base."""

    edges: FloatArray
    heights: FloatArray
    base: float = 0.0
    role: str = "bars"
    tint: int = 0


@dataclass(frozen=True, slots=True)
class CellMark:
    """A rectangle around a place, as deep in its tint as ``share`` says; none is a pale one."""

    x: float
    y: float
    share: float | None
    tint: int = 0


@dataclass(frozen=True, slots=True)
class LabelMark:
    """Words at a position, moved to the right and upwards by so many points."""

    x: float
    y: float
    text: str
    role: str = "tick"
    anchor: Literal["start", "middle", "end"] = "start"
    level: Literal["bottom", "center", "top"] = "center"
    move: Place = (0.0, 0.0)
    tint: int = 0
    turned: bool = False


Mark = LineMark | AreaMark | DotsMark | IntervalMark | RuleMark | BarsMark | CellMark | LabelMark


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Marks that belong together and go by one name, letter and colour.

    ``letter`` is where its letter stands. One that is not ``named`` stays in the background.
    ``order`` is its place among those that a reader can choose from.
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
    """Marks in the order in which they are drawn, over two scales.

    ``description`` says to those who cannot see it what is drawn. ``key`` explains marks in words,
    after the series; ``key_place`` is where. ``noun`` is what the values of series are.
    ``discloses`` says what the picture gives away about labels. ``inches`` is its size on paper.
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

    @property
    def series(self) -> tuple[Series, ...]:
        """Those that are named."""
        return tuple(mark for mark in self.marks if isinstance(mark, Series) and mark.named)


def letter(index: int) -> str:
    """The short mark of a series: A to Z, then numbers.

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', '27')
    """
    return chr(ord("A") + index) if index < 26 else str(index + 1)

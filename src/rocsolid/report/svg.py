"""Where things stand in a drawing: frames, axes, and paths in whole units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocsolid.markup import Markup, element, join
from rocsolid.report.data import FloatArray

UNITS = 2_000
"""A share of 1 in path units. Half a unit is a seventh of a pixel on the screen."""

WIDTH = 400.0
"""Width of every wide drawing in user units, so that drawings under each other line up."""

_LEFT, _RIGHT = 48.0, 12.0
_COLOURS, _ALIKE, _DASHES = 6, 3, 4


def tint(index: int) -> str:
    """The classes that carry a score's colour, and from the fourth score on the dashes of its line.

    After six the colours start again, but not everybody sees six: three in a row have the same
    dashes, whole lines first, and those three differ for any kind of colour vision. After
    twelve the dashes start again too, and letters differ.

    >>> tint(2), tint(3), tint(7), tint(12)
    ('c2', 'c3 d1', 'c1 d2', 'c0')
    """
    dashes = index // _ALIKE % _DASHES
    return f"c{index % _COLOURS}" + (f" d{dashes}" if dashes else "")


def shorten(text: str, limit: int) -> str:
    """A name that must fit into a drawing; the full one stands beside it.

    >>> shorten("a rather long name", 10)
    'a rather …'
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"


@dataclass(frozen=True, slots=True)
class Frame:
    """The plotting area inside a drawing, in user units."""

    top: float
    height: float
    left: float = _LEFT
    width: float = WIDTH - _LEFT - _RIGHT

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def x(self, share: float) -> float:
        return self.left + self.width * share

    def y(self, share: float) -> float:
        return self.bottom - self.height * share

    @property
    def transform(self) -> str:
        """From path units, with the second one pointing up, to user units."""
        across, up = self.width / UNITS, self.height / UNITS
        return f"matrix({across:.6g} 0 0 {-up:.6g} {self.left:.6g} {self.bottom:.6g})"


def path(x: FloatArray, y: FloatArray) -> str:
    """The line through the points (shares), in whole units: up is ``v``, sideways is ``h``.

    Positions are rounded, not moves, so rounding does not add up along the line; moves that the
    rounding made empty are dropped and moves on in the same direction are joined.

    >>> path(np.array([0.0, 0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.5, 1.0]))
    'M0 0v1000h1000l1000 1000'
    """
    points = np.column_stack((np.rint(UNITS * x), np.rint(UNITS * y))).astype(np.int64)
    text = f"M{points[0, 0]} {points[0, 1]}"
    across = up = 0
    for dx, dy in np.diff(points, axis=0).tolist():
        if (dx == across == 0 and dy * up > 0) or (dy == up == 0 and dx * across > 0):
            across, up = across + dx, up + dy
        elif dx or dy:
            text += _move(across, up)
            across, up = dx, dy
    return text + _move(across, up)


def dot(x: float, y: float) -> str:
    """A line of no length at a point (shares); its round ends are the dot.

    >>> dot(0.25, 0.5)
    'M500 1000h0'
    """
    return f"M{round(UNITS * x)} {round(UNITS * y)}h0"


def area(x: FloatArray, low: FloatArray, high: FloatArray) -> str:
    """The outline of the area between two lines over the same x."""
    return path(np.concatenate((x, x[::-1])), np.concatenate((low, high[::-1]))) + "z"


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers between two limits, at most ``most`` of them.

    >>> ticks(0.0, 1.0), ticks(0.62, 0.87)
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.65, 0.7, 0.75, 0.8, 0.85])
    """
    for step in (0.01, 0.02, 0.025, 0.05, 0.1, 0.2, 0.25, 0.5):
        first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
        if last - first < most:
            return [round(i * step, 6) for i in range(first, last + 1)]
    return [0.0, 1.0]


def square_axes(frame: Frame, x_title: str, y_title: str) -> Markup:
    """Grid, ticks and titles of a square whose sides run from 0 to 1."""
    parts = []
    for share in ticks(0.0, 1.0):
        x, y = frame.x(share), frame.y(share)
        parts += [
            element("path", d=f"M{x:.6g} {frame.top:.6g}V{frame.bottom:.6g}", class_="grid"),
            element("path", d=f"M{frame.left:.6g} {y:.6g}H{frame.right:.6g}", class_="grid"),
            label(f"{share:g}", x, frame.bottom + 15, "tick middle"),
            label(f"{share:g}", frame.left - 6, y + 4, "tick end"),
        ]
    return join([*parts, axis_titles(frame, x_title, y_title)])


def axis_titles(frame: Frame, x_title: str, y_title: str) -> Markup:
    """What the sides of a frame mean: one title below it, one turned upright on its left."""
    middle = frame.y(0.5)
    turned = f"rotate(-90 11 {middle:.6g})"
    return join(
        [
            label(x_title, frame.x(0.5), frame.bottom + 34, "axis middle"),
            element("text", y_title, x=11, y=middle, class_="axis middle", transform=turned),
        ]
    )


def pointer(frame: Frame) -> Markup:
    """The place of the read-out, which the script moves; without it nothing is seen."""
    return element(
        "g",
        element("path", d="", class_="guide"),
        element("circle", r=26, cx=0, cy=0, class_="marker", data_units=UNITS, hidden=True),
        transform=frame.transform,
    )


def label(text: str, x: float, y: float, class_: str) -> Markup:
    """A text in a drawing; its class says size, weight and which end is anchored."""
    return element("text", text, x=x, y=y, class_=class_)


def drawing(
    identity: str,
    title: str,
    description: str,
    height: float,
    *content: Markup,
    class_: str,
    **attributes: str,
) -> Markup:
    """A picture that a screen reader reads as its title and description."""
    return element(
        "svg",
        element("title", title, id=f"{identity}-title"),
        element("desc", description, id=f"{identity}-text"),
        *content,
        viewBox=f"0 0 {WIDTH:.6g} {height:.6g}",
        class_=class_,
        role="img",
        aria_labelledby=f"{identity}-title {identity}-text",
        **attributes,
    )


def _move(across: int, up: int) -> str:
    if across == 0 and up == 0:
        return ""
    if across == 0:
        return f"v{up}"
    if up == 0:
        return f"h{across}"
    return f"l{across}{up}" if up < 0 else f"l{across} {up}"

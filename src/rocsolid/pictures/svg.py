"""The backend of pages and notebooks: a picture as SVG with the style sheet's colours.

Lines and areas are in whole units of the frame, and other shapes in user units.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import groupby

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.markup import NOTHING, Markup, element, join
from rocsolid.pictures import marks as m
from rocsolid.pictures.lists import shown
from rocsolid.pictures.marks import Axis, FloatArray, Tick

UNITS = 2_000
"""A share of 1 in path units. Half a unit is a seventh of a pixel on the screen."""

WIDTH = 400.0
"""Width of every wide drawing in user units, so that stacked drawings are aligned."""

_COLOURS, _ALIKE, _DASHES = 6, 3, 4
_CLASSES = {
    "rest": "line", "baseline": "chance", "own": "chance", "perfect": "chance",
    "guide": "grid", "average": "mean", "cross": "mean", "stick": "mean", "pale": "value",
    "sure": "value", "unsure": "here", "known": "mark", "shrunken": "mark", "point": "mark",
    "better": "value", "worse": "mark", "open": "here", "bar": "cut", "any": "sample",
}  # fmt: skip
"""Roles with the appearance of another role on a page."""

_RADIUS = {"value": 3.5, "here": 4.5, "mark": 3.5, "point": 2.5, "better": 4.5, "worse": 5.5,
           "open": 4.5}  # fmt: skip
_CAP = 3.5
_LEAST = 0.6  # the height of a bar that is not empty
_BEYOND = 0.1  # further outside the frame than this, an end has no cap
_LETTER = 7.4  # the width of a letter of an axis title
_ROW, _MARGIN, _CELL = 26.0, 14.0, 220.0


def _class(role: str) -> str:
    return _CLASSES.get(role, role)


def tint(index: int) -> str:
    """The classes for a series' colour, and from the fourth series on for its dashes.

    Six colours repeat.

    >>> tint(2), tint(3), tint(7), tint(12)
    ('c2', 'c3 d1', 'c1 d2', 'c0')
    """
    dashes = index // _ALIKE % _DASHES
    return f"c{index % _COLOURS}" + (f" d{dashes}" if dashes else "")


@dataclass(frozen=True, slots=True)
class Frame:
    """The plotting area inside a drawing, in user units; ``most`` ticks across and upwards.

    ``whole`` is the width of the drawing. A ``narrow`` drawing has the text of a row above it.
    """

    top: float
    height: float
    left: float = 48.0
    width: float = WIDTH - 48.0 - 12.0
    most: tuple[int, int] = (5, 5)
    whole: float = WIDTH
    narrow: bool = False
    letters: int = 20

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
        across, up = self.width / UNITS, self.height / UNITS
        return f"matrix({across:.6g} 0 0 {-up:.6g} {self.left:.6g} {self.bottom:.6g})"


SQUARE = Frame(top=10, height=340)
WIDE = Frame(top=10, height=250, left=58, width=WIDTH - 70, most=(6, 8))
"""A frame with more space at the left, for heights with five digits."""


def path(x: FloatArray, y: FloatArray) -> str:
    """The line through the points (shares), in whole units.

    Positions are rounded instead of moves, so rounding errors do not accumulate.

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


def area(x: FloatArray, low: FloatArray, high: FloatArray) -> str:
    return path(np.concatenate((x, x[::-1])), np.concatenate((low, high[::-1]))) + "z"


def _move(across: int, up: int) -> str:
    if across == 0 and up == 0:
        return ""
    if across == 0:
        return f"v{up}"
    if up == 0:
        return f"h{across}"
    return f"l{across}{up}" if up < 0 else f"l{across} {up}"


@dataclass(frozen=True, slots=True)
class Plane:
    frame: Frame
    x: Axis
    y: Axis
    hatch: str = ""

    def across(self, value: float) -> float:
        return self.frame.x(self.x.at(value))

    def up(self, value: float) -> float:
        return self.frame.y(self.y.at(value))

    def path(self, mark: m.LineMark | m.AreaMark | m.DotsMark, **own: str) -> Markup:
        """A shape in path units; points beyond a side are moved to it."""
        x = np.clip(self.x.share(mark.x), 0.0, 1.0)
        if isinstance(mark, m.AreaMark):
            low, high = (np.clip(self.y.share(y), 0.0, 1.0) for y in (mark.low, mark.high))
            if mark.steps:
                x, low, high = np.repeat(x, 2)[1:], np.repeat(low, 2)[:-1], np.repeat(high, 2)[:-1]
            return element("path", d=area(x, low, high), class_=_class(mark.role), **own)
        y = np.clip(self.y.share(mark.y), 0.0, 1.0)
        if isinstance(mark, m.DotsMark):  # lines of length zero, whose round ends are the dots
            dots = np.rint(UNITS * np.column_stack((x, y))).astype(np.int64).tolist()
            text = "".join(f"M{across} {up}h0" for across, up in dots)
            return element("path", d=text, class_=_class(mark.role), **own)
        there = np.isfinite(y)
        x, y = x[there], y[there]
        if not x.size:
            return NOTHING
        if mark.steps:
            x, y = np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:]
        text = path(x, y) + ("z" if mark.closed else "")
        fill = {"fill": f"url(#{self.hatch})"} if mark.role == "under" else {}
        return element("path", d=text, class_=_class(mark.role), **fill, **own)

    def shape(self, mark: m.Mark) -> Markup:
        """A mark in user units."""
        match mark:
            case m.LineMark() | m.AreaMark():
                return self.path(mark, transform=self.frame.transform)
            case m.DotsMark():
                return self._dots(mark)
            case m.IntervalMark():
                return self._interval(mark)
            case m.RuleMark(at, role):
                frame, across, up = self.frame, self.across, self.up
                text = f"M{frame.left:g} {up(at):.6g}H{frame.right:g}"
                if mark.upright:
                    text = f"M{across(at):.5g} {frame.top:g}V{frame.bottom:g}"
                return element("path", d=text, class_=_class(role))
            case m.BarsMark():
                return element("path", d=self.outline(mark), class_=_class(mark.role))
            case m.CellMark():
                return self._cell(mark)
            case m.LabelMark():
                return self._label(mark)

    def outline(self, bars: m.BarsMark) -> str:
        base = self.up(bars.base)
        ends = [round(self.across(edge), 1) for edge in bars.edges.tolist()]
        text = f"M{ends[0]:g} {base:.5g}"
        for start, end, height in zip(ends, ends[1:], bars.heights.tolist(), strict=False):
            tall = self.up(bars.base + height) - base
            least = math.copysign(_LEAST, tall) if height else 0.0
            top = round(base + max(tall, least, key=abs), 0 if self.frame.height > 100.0 else 1)
            text += f"V{top:g}h{round(end - start, 1):g}"
        return f"{text}V{base:.5g}z"

    def _dots(self, mark: m.DotsMark) -> Markup:
        if mark.role == "dot":
            dots = self.path(mark, transform=self.frame.transform)
            return join([dots, self._ordinals(mark)]) if mark.words else dots
        places = zip(mark.x.tolist(), mark.y.tolist(), strict=True)
        radius = _RADIUS.get(mark.role, 2.5)
        role = _class(mark.role)
        return join(
            [
                _diamond(self.across(x), self.up(y), radius, role)
                if mark.role == "worse"
                else element("circle", cx=self.across(x), cy=self.up(y), r=radius, class_=role)
                for x, y in places
                if math.isfinite(y)
            ]
        )

    def _ordinals(self, mark: m.DotsMark) -> Markup:
        """All numbers as one text, each digit with its own position.

        The numbers are below the curve, which bends to the upper left, and left of it near the
        right side.
        """
        places = [self.across(x) + (9.0 if self.x.at(x) < 0.95 else -9.0) for x in mark.x.tolist()]
        return element(
            "text",
            "".join(mark.words),
            x=" ".join(f"{x:.4g}" for x in places),
            y=" ".join(f"{self.up(y) + 11.0:.4g}" for y in mark.y.tolist()),
            class_="ordinal middle",
        )

    def _interval(self, mark: m.IntervalMark) -> Markup:
        if not (math.isfinite(mark.low) and math.isfinite(mark.high)):
            return NOTHING
        if mark.upright:
            low, high, middle = self.up(mark.low), self.up(mark.high), self.across(mark.at)
            text = f"M{middle:.5g} {low:.5g}V{high:.5g}"
        else:
            low, high, middle = self.across(mark.low), self.across(mark.high), self.up(mark.at)
            text = f"M{low:.5g} {middle:.5g}H{high:.5g}"
            if mark.role == "certified":
                first, last = self.frame.left - _BEYOND, self.frame.right + _BEYOND
                inside = (x for x in (low, high) if first <= x <= last)
                text += "".join(f"M{x:.5g} {middle - _CAP:.5g}v{2 * _CAP:g}" for x in inside)
        return element("path", d=text, class_=_class(mark.role))

    def _cell(self, mark: m.CellMark) -> Markup:
        (left, right), (top, bottom) = (
            sorted((self.across(mark.x - 0.48), self.across(mark.x + 0.48))),
            sorted((self.up(mark.y - 0.46), self.up(mark.y + 0.46))),
        )
        return element(
            "rect", x=left, y=top, width=right - left, height=bottom - top,
            class_=f"cell {tint(mark.tint)}", fill_opacity=mark.share or 0.0,
        )  # fmt: skip

    def _label(self, mark: m.LabelMark) -> Markup:
        x, y = self.across(mark.x) + mark.move[0], self.up(mark.y) - mark.move[1]
        class_ = mark.role if mark.anchor == "start" else f"{mark.role} {mark.anchor}"
        if not mark.turned:
            return label(mark.text, x, y, class_, mark.size)
        turn = f"rotate(-45 {x:g} {y:g})"
        return element("text", mark.text, x=x, y=y + 11, class_=class_, transform=turn)

    def axes(self) -> Markup:
        frame = self.frame
        parts = [part for tick in _ticks(self.x, frame.most[0]) for part in self._below(tick)]
        for tick in () if self.y.rows else _ticks(self.y, frame.most[1]):
            y = self.up(tick.at)
            line = f"M{frame.left:.6g} {y:.6g}H{frame.right:.6g}"
            parts += [
                element("path", d=line, class_="grid"),
                label(tick.text, frame.left - 6, y + 4, "tick end"),
            ]
        if self.x.title:
            title = shown(self.x.title, int(frame.whole / _LETTER))
            parts.append(label(title, frame.x(0.5), frame.bottom + 34, "axis middle"))
        if self.y.title:
            middle = frame.y(0.5)
            turn = f"rotate(-90 11 {middle:.6g})"
            parts.append(
                element("text", self.y.title, x=11, y=middle, class_="axis middle", transform=turn)
            )
        return join(parts)

    def row_labels(self) -> Markup:
        frame, parts = self.frame, []
        for tick in self.y.named if self.y.rows else ():
            y, strong = self.up(tick.at), " strong" if tick.strong else ""
            name, value = shown(tick.text, frame.letters), tick.value
            at = (frame.left - 8, frame.whole, y + 3)
            begin = f"end{strong}"
            if frame.narrow:
                value, at, begin = value.split("   ")[0], (frame.left, frame.right, y - 14), strong
            left, right, y = at
            parts += [
                label(name, left, y, f"on-marks {begin.strip()}"),
                label(value, right, y, f"on-marks end{strong}"),
            ]
        return join(parts)

    def _below(self, tick: Tick) -> list[Markup]:
        frame, x = self.frame, self.across(tick.at)
        y = frame.bottom + 15
        corner = x < frame.left + 1 and len(tick.text) > 1
        line = f"M{x:.6g} {frame.top:.6g}V{frame.bottom:.6g}"
        return [
            *([] if self.x.bare else [element("path", d=line, class_="grid")]),
            label(tick.text, x - 3, y, "tick") if corner else label(tick.text, x, y, "tick middle"),
        ]


def _diamond(x: float, y: float, radius: float, role: str) -> Markup:
    text = f"M{x - radius:.5g} {y:.5g}l{radius:g} {-radius:g} {radius:g} {radius:g} {-radius:g} "
    return element("path", d=f"{text}{radius:g}z", class_=role)


def _ticks(scale: Axis, most: int) -> tuple[Tick, ...]:
    if scale.named or scale.rows:
        return scale.named
    return tuple(Tick(each, short(each)) for each in scale.ticks(most))


def short(value: float) -> str:
    """A number of an axis: integers with commas, and a true minus sign."""
    text = f"{value:,.0f}" if value == round(value) else f"{value:.6g}"
    return text.replace("-", "−")


def drawing(
    picture: m.Picture,
    identity: str,
    frame: Frame,
    *,
    class_: str,
    front: int | None = None,
    own: Mapping[int, Mapping[str, str]] | None = None,
    listed: bool = False,
    over: Markup = NOTHING,
    **attributes: str,
) -> Markup:
    """A picture with title and description for screen readers, which skip it without ``identity``.

    ``front`` is the order of the series in front, ``own`` has attributes of each series for a
    script, ``listed`` lists the series in the lower right corner, and ``over`` is drawn above all.
    """
    plane = Plane(frame, picture.x, picture.y, f"{identity}-hatch")
    first = next((i for i, each in enumerate(picture.marks) if isinstance(each, m.Series)), 0)
    under, above = (
        [
            element("g", *map(plane.shape, together), class_=tint(index))
            for index, together in groupby(
                (mark for mark in part if not isinstance(mark, m.Series)), lambda mark: mark.tint
            )
        ]
        for part in (picture.marks[:first], picture.marks[first:])
    )
    series = [mark for mark in picture.marks if isinstance(mark, m.Series)]
    lettered = [curve for curve in series if curve.letter is not None]
    hatched = any(getattr(mark, "role", "") == "under" for curve in series for mark in curve.marks)
    known = {
        "role": "img",
        "aria_labelledby": f"{identity}-title {identity}-text",
    } if identity else {"aria_hidden": "true", "focusable": "false"}  # fmt: skip
    return element(
        "svg",
        *([element("title", picture.title, id=f"{identity}-title"),
           element("desc", picture.description, id=f"{identity}-text")] if identity else []),
        *([_hatching(plane.hatch, frame)] if hatched else []),
        plane.axes(),
        *under,
        *([_list(picture, frame)] if listed else []),
        element("g", *[_group(plane, curve, front, own) for curve in series]),
        element("g", *[_tag(plane, curve, front, own) for curve in lettered]),
        *above,
        plane.row_labels(),
        over,
        viewBox=f"0 0 {frame.whole:.6g} {frame.bottom + (44 if picture.x.title else 22):.6g}",
        class_=class_,
        **known,
        **attributes,
    )  # fmt: skip


def strip(marks: tuple[m.Mark, ...], scale: Axis, most: int) -> Markup:
    """Marks in a row of a table, on the scale of all its rows and at the height 0."""
    plane = _row(scale, _ROW)
    lines = "".join(f"M{plane.across(each):.4g} 0V{_ROW:g}" for each in scale.ticks(most))
    return _cell_drawing(_ROW, element("path", d=lines, class_="grid"), *map(plane.shape, marks))


def strip_head(scale: Axis, most: int) -> Markup:
    parts = []
    for each in scale.ticks(most):
        x = _row(scale, _ROW).across(each)
        parts.append(label(short(each), x, 11, "tick middle"))
        parts.append(element("path", d=f"M{x:.5g} 15V20", class_="grid"))
    return _cell_drawing(20.0, *parts)


def _row(scale: Axis, height: float) -> Plane:
    frame = Frame(top=0, height=height, left=_MARGIN, width=_CELL - 2 * _MARGIN)
    return Plane(frame, scale, Axis(-1.0, 1.0))


def _cell_drawing(height: float, *parts: Markup) -> Markup:
    return element(
        "svg", *parts, viewBox=f"0 0 {_CELL:g} {height:g}", class_="forest", aria_hidden="true",
        focusable="false",
    )  # fmt: skip


def label(text: str, x: float, y: float, class_: str, size: float = 0.0) -> Markup:
    return element("text", text, x=x, y=y, class_=class_, **({"font_size": size} if size else {}))


def pointer(frame: Frame | None = None) -> Markup:
    """The position of a read-out, invisible until a script moves it."""
    size: dict[str, float] = {"r": 7} if frame is None else {"r": 26, "data_units": UNITS}
    return element(
        "g",
        element("path", d="", class_="guide"),
        element("circle", cx=0, cy=0, class_="marker", hidden=True, **size),
        **({} if frame is None else {"transform": frame.transform}),
    )


def _classes(series: m.Series, front: int | None) -> str:
    chosen = " chosen" if series.order == front else ""
    return f"{tint(series.tint)}{'' if series.named else ' rest'}{chosen}"


def _group(
    plane: Plane, series: m.Series, front: int | None, own: Mapping[int, Mapping[str, str]] | None
) -> Markup:
    lines = [plane.path(mark) for mark in series.marks if isinstance(mark, m.LineMark | m.AreaMark)]
    others = [
        element("g", plane.shape(mark), class_="points-on")
        if isinstance(mark, m.DotsMark) and mark.words
        else plane.shape(mark)
        for mark in series.marks
        if not isinstance(mark, m.LineMark | m.AreaMark)
    ]
    dotted = [
        plane.shape(m.DotsMark(mark.x, mark.y, "point"))
        for mark in series.marks
        if isinstance(mark, m.LineMark) and mark.dotted
    ]
    return element(
        "g",
        *([element("g", *lines, transform=plane.frame.transform)] if lines else []),
        *dotted,
        *others,
        class_=("" if own is None else "curve ") + _classes(series, front),
        **({} if own is None else {"data_of": str(series.order), **own.get(series.order, {})}),
    )


def _tag(
    plane: Plane, series: m.Series, front: int | None, own: Mapping[int, Mapping[str, str]] | None
) -> Markup:
    x, y = series.letter or (0.0, 0.0)
    return element(
        "g",
        element("circle", r=7, class_="badge"),
        element("text", m.letter(series.tint), y=3.3, class_="badge-letter middle"),
        class_=f"tag {_classes(series, front)}",
        transform=f"translate({plane.across(x):.5g} {plane.up(y):.5g})",
        **({} if own is None else {"data_of": str(series.order)}),
    )


def _list(picture: m.Picture, frame: Frame) -> Markup:
    step, rows = 17.0, []
    for i, curve in enumerate(reversed(picture.series)):
        base = frame.bottom - 10 - step * i
        text = element(
            "text",
            f"{m.letter(curve.tint)} ",
            element("tspan", shown(curve.name, 20), dx=3),
            element("tspan", curve.value, dx=8, class_="strong"),
            x=frame.right - 24,
            y=base,
            class_="listed end",
        )
        bar = f"M{frame.right - 18:g} {base - 3.5:g}h12"
        rows += [element("path", d=bar, class_=f"swatch {tint(curve.tint)}"), text]
    return join(rows[::-1])


def _hatching(identity: str, frame: Frame) -> Markup:
    step = 6.0 * UNITS / frame.width
    return element(
        "pattern",
        element("path", d=f"M0 0V{step:.6g}", class_="hatch", stroke_width=f"{step / 5:.6g}"),
        id=identity,
        width=f"{step:.6g}",
        height=f"{step:.6g}",
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )

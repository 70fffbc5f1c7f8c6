"""The backend of ``rs.plots``: a picture on axes."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import LogLocator, NullFormatter, NullLocator, StrMethodFormatter

from rocsolid.dataclass import dataclass
from rocsolid.pictures import marks as m
from rocsolid.pictures.lists import shown
from rocsolid.pictures.marks import Axis
from rocsolid.pictures.theme import (
    BAND,
    INTERVAL,
    LIGHT,
    Look,
    PictureFigure,
    dashes,
    drawing,
    look_of,
    settings_of,
)


@dataclass(frozen=True, slots=True)
class Pen:
    """The appearance of a role."""

    colour: Literal["tint", "ink", "muted", "rule"] = "tint"
    width: float = 1.6
    alpha: float = 1.0
    dashes: Any = "-"
    over: float = 3
    marker: str = "o"
    size: float = 5.5

    def style(self, look: Look, tint: int) -> dict[str, Any]:
        """Colour, opacity and depth of a mark."""
        colour = look.colour(tint) if self.colour == "tint" else getattr(look, self.colour)
        return {"color": colour, "alpha": self.alpha, "zorder": self.over}

    @property
    def line(self) -> dict[str, Any]:
        return {"linewidth": self.width, "linestyle": self.dashes}


_DOTTED, _DASHED = (0, (1, 3)), (0, (5, 3))
_LINE = Pen()
UNIT = 0.72
"""Points in a unit of a sheet, so that marks and words have the proportions of an SVG."""
PENS = {
    "rest": Pen("muted", 0.7, 0.5, over=2),
    "chance": Pen("muted", 1.0, dashes=_DOTTED, over=1),
    "baseline": Pen("muted", 1.0, dashes=_DASHED, over=2),
    "own": Pen("tint", 1.0, dashes=_DASHED, over=2),
    "perfect": Pen("muted", 1.0, dashes=":", over=2),
    "limit": Pen("muted", 1.5, dashes="--", over=2),
    "average": Pen("ink", 1.0, over=2),
    "overall": Pen("tint", 1.25, dashes="--", over=1),
    "guide": Pen("rule", 0.8, over=1),
    "base": Pen("rule", 1.0, over=1),
    "band": Pen(alpha=BAND, over=1),
    "shade": Pen(alpha=BAND, over=1),
    "bars": Pen(alpha=INTERVAL),
    "calibrated": Pen("tint", 4.2, INTERVAL, over=2),
    "any": Pen("ink", 4.2, INTERVAL),
    "certified": Pen("muted", 1.1, over=2, marker="|", size=7),
    "cross": Pen("ink", 1.0, over=4),
    "stick": Pen("tint", 1.4, INTERVAL, over=2),
    "mean": Pen("ink", 1.4, over=4),
    "pale": Pen(alpha=INTERVAL),
    "dot": Pen("ink", size=6.5, over=5),
    "here": Pen("ink", size=7, over=4),
    "shrunken": Pen("muted", marker="_", size=5),
    "mark": Pen(alpha=0.85, size=5.1),
    "known": Pen("muted"),
    "bar": Pen("ink", 2.2, over=4),
    "better": Pen(size=7, over=4),
    "worse": Pen(marker="D", size=6.5, over=4),
    "open": Pen(size=7, over=4),
}
_MANY = ("mark", "sure", "unsure", "known")  # roles with up to hundreds of dots
_EDGED = ("dot", "here")
_HOLLOW = ("unsure", "open")


def drawn(picture: m.Picture, ax: Axes | None = None) -> Axes:
    """The picture on these axes, or on the axes of its own figure.

    Pictures below share the space of the axes, and have axes of their own.
    """
    pictures = (picture, *picture.below)
    heights = [each.inches[1] for each in pictures]
    with drawing(ax, picture.inches[0], sum(heights), picture.discloses) as axes:
        for each, part in zip(pictures, _stacked(axes, heights), strict=True):
            _draw_picture(part, each)
    return axes


def _stacked(axes: Axes, heights: list[float]) -> list[Axes]:
    count = len(heights)
    if count == 1:
        return [axes]
    spec = axes.get_subplotspec()
    if spec is None:
        box = axes.get_position()
        sides = {"left": box.x0, "right": box.x1, "bottom": box.y0, "top": box.y1}
        grid: Any = axes.figure.add_gridspec(count, 1, height_ratios=heights, hspace=0.5, **sides)
    else:
        grid = spec.subgridspec(count, 1, height_ratios=heights)
    axes.set_subplotspec(grid[0])
    others = [axes.figure.add_subplot(grid[i]) for i in range(1, count)]
    for other in others:
        other.set_facecolor(axes.get_facecolor())
    return [axes, *others]


def _draw_picture(axes: Axes, picture: m.Picture) -> None:
    _side(axes, "x", picture.x)
    _side(axes, "y", picture.y)
    if picture.square:
        axes.set_aspect("equal")
    for mark in picture.marks:
        for each in mark.marks if isinstance(mark, m.Series) else (mark,):
            draw_mark(axes, each, 1.6 if len(picture.series) > 1 else 2.0)
        if isinstance(mark, m.Series) and mark.named and mark.letter is not None:
            _badge(axes, *mark.letter, mark.tint)
    if picture.key_place != "above":
        axes.set_title(_plain(picture.title), loc="left")
    _key(axes, picture)


def on_sheet(picture: m.Picture, scale: int) -> PictureFigure:
    """A figure with ``scale`` pixels for each unit, which covers the whole picture."""
    width, height = picture.x.high, picture.y.low
    with settings_of(LIGHT):
        inches = (width * UNIT / 72.0, height * UNIT / 72.0)
        sheet = PictureFigure(figsize=inches, dpi=scale * 72.0 / UNIT)
        sheet.gives = picture.discloses
        axes = sheet.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.axis("off")
        axes.set(xlim=(0.0, width), ylim=(height, 0.0))
        for mark in picture.single_marks:
            draw_mark(axes, mark, 1.0)
    return sheet


def _plain(text: str) -> str:
    return text.replace("$", r"\$")


def _side(axes: Axes, name: Literal["x", "y"], scale: Axis) -> None:
    side, look = getattr(axes, f"{name}axis"), look_of(axes)
    if scale.log:
        getattr(axes, f"set_{name}scale")("log")
        side.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        side.set_minor_formatter(NullFormatter())
    if scale.log or max(abs(scale.low), abs(scale.high)) >= 1_000.0:
        side.set_major_formatter(StrMethodFormatter("{x:,.4g}" if scale.log else "{x:,.0f}"))
    if scale.named:
        side.set_ticks([tick.at for tick in scale.named], [_plain(t.text) for t in scale.named])
        side.set_minor_locator(NullLocator())
    getattr(axes, f"set_{name}lim")(scale.low, scale.high)
    if scale.rows or scale.bare:
        axes.grid(visible=False, axis=name)
    if scale.rows:
        axes.spines["left" if name == "y" else "bottom"].set_visible(False)
        axes.tick_params(axis=name, length=0, labelcolor=look.ink)
    if scale.rows and name == "x":  # names of columns are at the top
        axes.tick_params(axis="x", top=True, labeltop=True, labelbottom=False)
        axes.set_xlabel(_plain(scale.title), fontsize="small", loc="left")
    else:
        getattr(axes, f"set_{name}label")(_plain(scale.title))
    for tick in scale.named:
        if tick.value:
            axes.text(
                1.02, tick.at, tick.value, transform=axes.get_yaxis_transform(), va="center",
                fontsize="small", color=look.ink,
            )  # fmt: skip


def _pen(mark: Any) -> Pen:
    return PENS.get(mark.role, _LINE)


def draw_mark(axes: Axes, mark: m.Mark, width: float) -> None:
    look = look_of(axes)
    match mark:
        case m.LineMark(x, y, role, tint):
            line: dict[str, Any] = _pen(mark).line
            if role == "line":
                line = {"linewidth": width, "linestyle": dashes(tint), "solid_joinstyle": "round"}
                line["clip_on"] = _outside(axes, x, y)
            dots: dict[str, Any] = {"marker": "o", "markersize": 5} if mark.dotted else {}
            steps: Any = "steps-pre" if mark.steps else "default"
            axes.plot(x, y, drawstyle=steps, **_pen(mark).style(look, tint), **line, **dots)
        case m.AreaMark(x, low, high, _, tint):
            step: Any = "post" if mark.steps else None
            style = _pen(mark).style(look, tint)
            axes.fill_between(x, low, high, step=step, linewidth=0, **style)
        case m.DotsMark():
            _dots(axes, mark, look)
        case m.IntervalMark():
            _interval(axes, mark, look)
        case m.RuleMark(at, _, tint):
            rule = axes.axvline if mark.upright else axes.axhline
            rule(at, **_pen(mark).line, **_pen(mark).style(look, tint))
        case m.BarsMark(edges, heights, base, _, tint):
            axes.bar(
                edges[:-1], heights, width=np.diff(edges), bottom=base, align="edge", linewidth=0,
                **_pen(mark).style(look, tint),
            )  # fmt: skip
        case m.CellMark(x, y, share, tint):
            face = look.faint if share is None else look.mixed(tint, share)
            box = Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=face, edgecolor="none")
            axes.add_patch(box)
        case m.LabelMark():
            _label(axes, mark, look)


def _outside(axes: Axes, x: m.FloatArray, y: m.FloatArray) -> bool:
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    return bool(np.any((x < left) | (x > right) | (y < bottom) | (y > top)))


def _dots(axes: Axes, mark: m.DotsMark, look: Look) -> None:
    pen = _pen(mark)
    style = pen.style(look, mark.tint)
    if mark.role in _MANY:
        colour = style.pop("color")
        style["facecolors"] = "none" if mark.role == "unsure" else colour
        style["edgecolors"] = "none" if mark.role == "mark" else colour
        axes.scatter(mark.x, mark.y, s=pen.size**2, clip_on=False, **style)
    else:
        style |= {"markeredgecolor": look.paper, "clip_on": False} if mark.role in _EDGED else {}
        style |= {"markerfacecolor": look.paper} if mark.role == "open" else {}
        axes.plot(mark.x, mark.y, linestyle="none", marker=pen.marker, markersize=pen.size, **style)
    for x, y, words in zip(mark.x.tolist(), mark.y.tolist(), mark.words, strict=False):
        axes.annotate(
            _plain(words), (x, y), xytext=(9, -9), textcoords="offset points", va="top", ha="left",
            fontsize="small", color=look.ink, zorder=6, annotation_clip=True,
            path_effects=[withStroke(linewidth=2.5, foreground=look.paper, alpha=0.7)],
        )  # fmt: skip


def _interval(axes: Axes, mark: m.IntervalMark, look: Look) -> None:
    if math.isnan(mark.low) or math.isnan(mark.high):
        return
    pen = _pen(mark)
    style = pen.style(look, mark.tint)
    sides = sorted(axes.get_xlim())
    low, high = np.clip((mark.low, mark.high), *((-np.inf, np.inf) if mark.upright else sides))
    for end, arrow in ((mark.low, "<"), (mark.high, ">")):
        if math.isinf(end):
            axes.plot(
                [sides[end > 0]], [mark.at], arrow, color=style["color"], markersize=5,
                clip_on=False,
            )  # fmt: skip
    (axes.vlines if mark.upright else axes.hlines)(mark.at, low, high, **pen.line, **style)
    if mark.role == "certified":
        caps = [end for end in (mark.low, mark.high) if math.isfinite(end)]
        axes.plot(caps, [mark.at] * len(caps), pen.marker, markersize=pen.size, **style)


def _label(axes: Axes, mark: m.LabelMark, look: Look) -> None:
    anchors = {"start": "left", "middle": "center", "end": "right"}
    style: dict[str, Any] = {
        "ha": "center" if mark.turned else anchors[mark.anchor],
        "va": "top" if mark.turned else mark.level,
        "fontsize": mark.size * UNIT or "small",
        "color": {"tick": look.muted, "name": look.colour(mark.tint)}.get(mark.role, look.ink),
        "fontweight": "bold" if mark.role.endswith(("strong", "name")) else "normal",
    }
    if mark.turned:
        turn: dict[str, Any] = {"rotation": 45, "rotation_mode": "anchor"}
        axes.text(mark.x, mark.y - 0.025, mark.text, transform_rotates_text=True, **turn, **style)
    elif mark.move == (0.0, 0.0):
        axes.text(mark.x, mark.y, _plain(mark.text), **style)
    else:
        axes.annotate(
            _plain(mark.text), (mark.x, mark.y), xytext=mark.move, textcoords="offset points",
            annotation_clip=False, **style,
        )  # fmt: skip


def _badge(axes: Axes, x: float, y: float, tint: int) -> None:
    look = look_of(axes)
    box = {"boxstyle": "circle,pad=0.25", "facecolor": look.paper, "edgecolor": look.colour(tint)}
    axes.text(
        x, y, m.letter(tint), color=look.colour(tint), fontsize="x-small", fontweight="bold",
        ha="center", va="center", zorder=5, clip_on=True, bbox=box,
    )  # fmt: skip


def _key(axes: Axes, picture: m.Picture) -> None:
    look = look_of(axes)
    entries = [
        (f"{m.letter(series.tint)}  {shown(series.name, 28)}"
         + (f", {picture.noun} {series.value}" if series.value else ""), series.marks[-1])
        for series in picture.series if series.name
    ]  # fmt: skip
    entries += picture.key
    options: dict[str, Any] = {"loc": picture.key_place}
    if picture.key_place == "below":  # lines may run through every corner
        options = {"loc": "upper left", "bbox_to_anchor": (-0.02, -0.12)}
    if picture.key_place == "above":
        options = {
            "loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "ncols": 2, "borderaxespad": 0.2,
            "columnspacing": 1.4, "fontsize": "small", "labelcolor": look.muted,
        }  # fmt: skip
    if entries:  # matplotlib omits labels of handles that begin with an underscore
        handles = [_handle(look, mark) for _, mark in entries]
        axes.legend(handles, [_plain(text) for text, _ in entries], handlelength=1.6, **options)


def _handle(look: Look, mark: Any) -> Line2D | Patch:
    pen = _pen(mark)
    style = pen.style(look, mark.tint)
    if isinstance(mark, m.AreaMark):
        return Patch(facecolor=style["color"], alpha=2 * BAND, linewidth=0)
    if isinstance(mark, m.DotsMark):
        hollow: dict[str, Any] = {"markerfacecolor": "none"} if mark.role in _HOLLOW else {}
        return Line2D([], [], linestyle="none", marker=pen.marker, **style, **hollow)
    line = pen.line | ({"linestyle": dashes(mark.tint)} if mark.role == "line" else {})
    caps: dict[str, Any] = {"marker": "|", "markersize": 7} if mark.role == "certified" else {}
    return Line2D([], [], **line, **style, **caps)

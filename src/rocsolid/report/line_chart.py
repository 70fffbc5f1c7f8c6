"""Lines over a common axis: a drawing, the key to it, and the numbers as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rocsolid.markup import Markup, element, join
from rocsolid.report import svg
from rocsolid.report.axis import Axis
from rocsolid.report.data import FloatArray
from rocsolid.report.text import letter, width

# more room on the left than a square of shares needs: heights may have five digits
_FRAME = svg.Frame(top=10, height=250, left=58, width=svg.WIDTH - 70)
_HEIGHT = 304.0
_CLEAR = 25.0  # how far the lines must be for a word to stand free of them


@dataclass(frozen=True, slots=True, eq=False)
class ChartLine:
    """One line: its name, and its height (NaN where there is none) at each of the chart's x.

    ``here`` is a point of it that stands out, such as where things are now.
    """

    name: str
    y: FloatArray
    here: tuple[float, float] | None = None


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


def figure(chart: LineChart, identity: str, colours: Mapping[str, int]) -> Markup:
    """The drawing under its title, and its numbers folded away below it."""
    return element(
        "article",
        element("h3", chart.title, id=identity),
        element("figure", _drawing(chart, identity, colours), class_="pictures"),
        _numbers(chart),
        class_="chart",
    )


def key(colours: Mapping[str, int]) -> Markup:
    """Which letter and colour is which line, once for all charts that share them."""
    entries = [
        element(
            "li",
            element("span", letter(colour), class_="key", aria_hidden="true"),
            name,
            class_=svg.tint(colour),
        )
        for name, colour in colours.items()
    ]
    return element("ul", *entries, class_="legend")


def _drawing(chart: LineChart, identity: str, colours: Mapping[str, int]) -> Markup:
    heights = np.concatenate([line.y for line in chart.lines])
    y_axis = Axis.around(
        [*heights[np.isfinite(heights)], *[height for height, _ in chart.levels]], log=chart.log_y
    )
    x_axis = Axis.around(chart.x, log=chart.log_x)
    parts = [_axes(chart, x_axis, y_axis)]
    for height, word in chart.levels:
        y = _FRAME.y(float(y_axis.share(np.array(height))))
        along = f"M{_FRAME.left:g} {y:.6g}H{_FRAME.right:g}"
        parts += [
            element("path", d=along, class_="chance"),
            _word(word, y, _ends(chart, x_axis, y_axis)),
        ]
    parts += [_line(chart, line, x_axis, y_axis, colours[line.name]) for line in chart.lines]
    parts += [  # last, so that no line crosses a letter
        _badge(chart, i, x_axis, y_axis, colours[line.name]) for i, line in enumerate(chart.lines)
    ]
    parts += [_here(line.here, x_axis, y_axis, colours[line.name]) for line in chart.lines]
    names = ", ".join(line.name for line in chart.lines)
    description = f"{chart.y_title} against {chart.x_title}. Lines: {names}."
    return svg.drawing(identity, chart.title, description, _HEIGHT, *parts, class_="lines")


def _ends(chart: LineChart, x_axis: Axis, y_axis: Axis) -> list[tuple[float, float]]:
    """How high in the drawing each line begins and ends."""
    shares = [_shares(chart, line, x_axis, y_axis)[1] for line in chart.lines]
    return [(_FRAME.y(float(y[0])), _FRAME.y(float(y[-1]))) for y in shares if y.size]


def _word(text: str, y: float, ends: list[tuple[float, float]]) -> Markup:
    """The word of a level on the right, or on the left where that keeps it clear of the lines."""
    left, right = (min((abs(end[i] - y) for end in ends), default=0.0) for i in (0, 1))
    if right < _CLEAR < left:
        return svg.label(text, _FRAME.left + 3, y - 3, "tick")
    return svg.label(text, _FRAME.right - 3, y - 3, "tick end")


def _line(chart: LineChart, line: ChartLine, x_axis: Axis, y_axis: Axis, colour: int) -> Markup:
    x, y = _shares(chart, line, x_axis, y_axis)
    if not x.size:
        return Markup("")
    parts = [element("path", d=svg.path(x, y), class_="line", transform=_FRAME.transform)]
    if chart.points:
        parts += [
            element("circle", cx=_FRAME.x(across), cy=_FRAME.y(up), r=2.5, class_="mark")
            for across, up in zip(x.tolist(), y.tolist(), strict=True)
        ]
    return element("g", *parts, class_=svg.tint(colour))


def _badge(chart: LineChart, order: int, x_axis: Axis, y_axis: Axis, colour: int) -> Markup:
    """A letter on the line; those of different lines are spread along the chart."""
    x, y = _shares(chart, chart.lines[order], x_axis, y_axis)
    if not x.size:
        return Markup("")
    place = float(x[0] + (order + 0.7) / (len(chart.lines) + 0.4) * (x[-1] - x[0]))
    across, up = _FRAME.x(place), _FRAME.y(float(np.interp(place, x, y)))
    return element(
        "g",
        element("circle", r=7, class_="badge"),
        element("text", letter(colour), y=3.3, class_="badge-letter middle"),
        class_=svg.tint(colour),
        transform=f"translate({across:.5g} {up:.5g})",
    )


def _here(point: tuple[float, float] | None, x_axis: Axis, y_axis: Axis, colour: int) -> Markup:
    if point is None:
        return Markup("")
    across, up = (
        float(axis.share(np.array(at))) for axis, at in zip((x_axis, y_axis), point, strict=True)
    )
    dot = element("circle", cx=_FRAME.x(across), cy=_FRAME.y(up), r=4.5, class_="here")
    return element("g", dot, class_=svg.tint(colour))


def _shares(
    chart: LineChart, line: ChartLine, x_axis: Axis, y_axis: Axis
) -> tuple[FloatArray, FloatArray]:
    """The line in the drawing, from 0 to 1, where it is defined."""
    there = np.isfinite(line.y)
    return x_axis.share(chart.x[there]), y_axis.share(line.y[there])


def _axes(chart: LineChart, x_axis: Axis, y_axis: Axis) -> Markup:
    parts = []
    for tick in x_axis.ticks(most=6):  # room for long numbers on a narrow screen
        x = _FRAME.x(float(x_axis.share(np.array(tick))))
        parts += [
            element("path", d=f"M{x:.6g} {_FRAME.top:g}V{_FRAME.bottom:g}", class_="grid"),
            # in the corner it starts right of the heights, which it would touch where type is tall
            svg.label(_short(tick), x - 3, _FRAME.bottom + 15, "tick")
            if x < _FRAME.left + 1
            else svg.label(_short(tick), x, _FRAME.bottom + 15, "tick middle"),
        ]
    for tick in y_axis.ticks():
        y = _FRAME.y(float(y_axis.share(np.array(tick))))
        parts += [
            element("path", d=f"M{_FRAME.left:g} {y:.6g}H{_FRAME.right:g}", class_="grid"),
            svg.label(_short(tick), _FRAME.left - 6, y + 4, "tick end"),
        ]
    middle = _FRAME.y(0.5)
    parts += [
        svg.label(chart.x_title, _FRAME.x(0.5), _FRAME.bottom + 34, "axis middle"),
        element(
            "text",
            chart.y_title,
            x=11,
            y=middle,
            class_="axis middle",
            transform=f"rotate(-90 11 {middle:.6g})",
        ),
    ]
    return join(parts)


def _numbers(chart: LineChart) -> Markup:
    names = [line.name for line in chart.lines]
    heads = [element("th", text, scope="col") for text in (chart.x_title, *names)]
    rows = []
    for i, x in enumerate(chart.x.tolist()):
        cells = [element("td", _height(float(line.y[i]))) for line in chart.lines]
        rows.append(element("tr", element("th", _short(x), scope="row"), *cells))
    table = element(
        "table",
        element("caption", f"{chart.title}: {chart.y_title}"),
        element("thead", element("tr", *heads)),
        element("tbody", *rows),
        class_="figures",
    )
    box = element(
        "div", table, class_="scroll", role="group", tabindex=0, aria_label=f"{chart.title}"
    )
    return element("details", element("summary", "The lines as a table"), box)


def _short(value: float) -> str:
    """A number of an axis: whole ones with commas, a true minus sign."""
    text = f"{value:,.0f}" if value == round(value) else f"{value:.6g}"
    return text.replace("-", "−")


def _height(value: float) -> str:
    if np.isnan(value):
        return "none"
    return (width(value) if value > 0.0 else f"{value:.4f}").replace("-", "−")

"""An estimate as a card in a notebook, which takes style sheets and scripts away.

Text and lines have the notebook's own colour, light or dark.
"""

from __future__ import annotations

import math

from rocsolid.markup import Markup, element, name
from rocsolid.remarks.remark import Remark
from rocsolid.results.interval import Interval, percent
from rocsolid.results.valued import Valued

_WIDTH, _HEIGHT, _MARGIN = 240.0, 24.0, 6.0


def card(
    valued: Valued, measure: str, subject: str, basis: str, warnings: tuple[Remark, ...]
) -> Markup:
    """The number, both intervals as text and as a bar, the class sizes, and warnings folded."""
    named = [name(subject), ": "] if subject else []
    digits = getattr(valued, "decimals", None)  # fewer where it was rounded
    limits = [_limits(valued.interval, digits)]
    if valued.certified is not None and valued.certified is not valued.interval:
        limits.append(f"certified {_limits(valued.certified, digits)}")
    number = f"{valued.value:.{valued.interval.decimals if digits is None else digits}f}"
    words = "; ".join(limits)
    return element(
        "div",
        element("div", *named, measure),
        element("div", element("b", number, style="font-size: 1.7em"), f" {limits[0]}"),
        _bar(valued, f"{measure} {number}, {words}"),
        *[element("div", text) for text in limits[1:]],
        element("div", basis),
        *_folded(warnings),
        style="display: inline-block; max-width: 36em; padding: 0.6em 1em; "
        "border: 1px solid; border-radius: 0.4em",
    )


def _limits(one: Interval, digits: int | None) -> str:
    if one.method == "none":
        return "no interval"
    places = one.decimals if digits is None else digits
    low, high = (f"{end:.{places}f}" for end in (one.low, one.high))
    return f"{percent(one.level)} {low} – {high}"


def _bar(valued: Valued, text: str) -> Markup:
    """All possible values as a faint line, the certified interval thin, the requested one thick."""
    shown = [interval for interval in (valued.certified, valued.interval) if interval is not None]
    known = [
        end
        for interval in shown
        for end in (*interval.range, interval.low, interval.high)
        if math.isfinite(end)
    ]
    least, most = min([*known, valued.value]), max([*known, valued.value])
    across = (_WIDTH - 2 * _MARGIN) / ((most - least) or 1.0)
    y = _HEIGHT / 2

    def line(low: float, high: float, width: float, **more: str | float) -> Markup:
        ends = [_MARGIN + across * (min(max(end, least), most) - least) for end in (low, high)]
        return element(
            "line", x1=ends[0], x2=ends[1], y1=y, y2=y, stroke="currentColor",
            stroke_width=width, **more,
        )  # fmt: skip

    parts = [line(least, most, 1, stroke_opacity=0.35)]
    parts += [
        line(interval.low, interval.high, 2 if interval.certified else 6)
        for interval in shown
        if interval.method != "none"
    ]
    x = _MARGIN + across * (valued.value - least)
    parts.append(element("circle", cx=x, cy=y, r=5.5, fill="currentColor"))
    return element(
        "svg", *parts, role="img", aria_label=text, viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        width=_WIDTH, height=_HEIGHT, style="display: block",
    )  # fmt: skip


def _folded(warnings: tuple[Remark, ...]) -> list[Markup]:
    if not warnings:
        return []
    count = f"{len(warnings)} warning{'s' if len(warnings) > 1 else ''}"
    said = [element("li", text) for text in warnings]
    return [element("details", element("summary", count), element("ul", *said))]

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
    found: Valued, measure: str, subject: str, basis: str, warnings: tuple[Remark, ...]
) -> Markup:
    """The number, both intervals as text and as a bar, the class sizes, and warnings folded."""
    named = [name(subject), ": "] if subject else []
    digits = getattr(found, "decimals", None)  # fewer where it was rounded
    limits = [_limits(found.interval, digits)]
    if found.certified is not None and found.certified is not found.interval:
        limits.append(f"certified {_limits(found.certified, digits)}")
    number = f"{found.value:.{found.interval.decimals if digits is None else digits}f}"
    said = "; ".join(limits)
    return element(
        "div",
        element("div", *named, measure),
        element("div", element("b", number, style="font-size: 1.7em"), f" {limits[0]}"),
        _bar(found, f"{measure} {number}, {said}"),
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


def _bar(found: Valued, text: str) -> Markup:
    """All possible values as a faint line, the certified interval thin, the requested one thick."""
    shown = [one for one in (found.certified, found.interval) if one is not None]
    known = [end for one in shown for end in (*one.range, one.low, one.high) if math.isfinite(end)]
    least, most = min([*known, found.value]), max([*known, found.value])
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
        line(one.low, one.high, 2 if one.certified else 6) for one in shown if one.method != "none"
    ]
    x = _MARGIN + across * (found.value - least)
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

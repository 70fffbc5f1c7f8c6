"""The first screen of every page: the number, the rivals, and one large picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rocsolid.markup import NOTHING, Markup, element, name
from rocsolid.pictures import svg
from rocsolid.pictures.marks import Axis, Mark, Picture, letter
from rocsolid.report.text import Cells, cells_table, point, prose
from rocsolid.results.standing import State

_SYMBOLS = {"better": "●", "worse": "◆", "open": "○", "": "·"}
_RIVALS = 5


@dataclass(frozen=True, slots=True)
class Rival:
    """A rival of the answer's number, and the decision about it in words."""

    state: State
    words: str


@dataclass(frozen=True, slots=True)
class Headline:
    """The number of the answer, its description ``what`` and its limits ``between``."""

    value: str
    what: str
    between: str = ""
    rivals: tuple[Rival, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Large:
    """A picture of the first screen, with ``cells`` that contain the same numbers.

    By default the cells are the names and numbers in the picture itself. The ``note`` states the
    assumptions of its lines.
    """

    picture: Picture
    cells: Cells | None = None
    note: str = ""


class FirstWords(Protocol):
    """The first part of a page."""

    @property
    def lead(self) -> tuple[str, ...]: ...
    @property
    def headline(self) -> Headline | None: ...
    @property
    def large(self) -> tuple[Large, ...]: ...
    @property
    def worries(self) -> tuple[str, ...]: ...


def first_screen(page: FirstWords, beside: Markup = NOTHING) -> Markup:
    """The existing parts in order; ``beside`` is a small picture."""
    headline = page.headline
    number = [] if headline is None else [_number(headline)]
    drawn = [large(each, f"large{i}") for i, each in enumerate(page.large)]
    rivals = [] if headline is None or not headline.rivals else [_rivals(headline.rivals)]
    about = [element("p", prose(text), class_="lead") for text in page.lead[1:] if drawn]
    notes = [*rivals, *about, *([_worries(page.worries)] if page.worries else [])]
    parts = [
        *number,
        *([element("div", *drawn, class_="larges")] if drawn else []),
        *([element("div", *notes, class_="notes")] if notes else []),
        *([element("figure", beside, class_="beside")] if beside else []),
    ]
    if not parts:
        return NOTHING
    return element("section", *parts, class_="summary", aria_label="Summary")


def _number(headline: Headline) -> Markup:
    ends = [element("span", prose(headline.between), class_="nowrap")] if headline.between else []
    return element(
        "p",
        element("strong", headline.value, class_="big"),
        " ",
        element("span", element("span", name(headline.what), class_="muted"), " ", *ends),
        class_="number",
    )


def _rivals(rivals: Sequence[Rival]) -> Markup:
    """Each rival with a mark whose shape and colour repeat the words."""
    items = [
        element(
            "li",
            element("span", _SYMBOLS[rival.state], class_=f"state {rival.state}".strip(),
                    aria_hidden="true"),
            element("span", prose(rival.words)),
        )
        for rival in rivals[:_RIVALS]
    ]  # fmt: skip
    more = len(rivals) - _RIVALS
    if more > 0:
        items.append(element("li", element("span"), f"{more:,} more in the picture"))
    return element("ul", *items, class_="rivals")


def _worries(worries: Sequence[str]) -> Markup:
    items = [point(text) for text in worries]
    return element(
        "div", element("h2", "Before you rely on it"), element("ul", *items), class_="worries"
    )


_WHOLE, _NARROW = 760.0, 360.0
_NAMES, _WORDS = (90.0, 270.0), (30.0, 250.0)  # of the width, for the two sides of a row
_MIDDLE = 230.0  # what long names leave of it for the marks
_LETTER = 7.6  # the width of one, on average
_STEP, _TALLEST, _STEP_NARROW = 34.0, 405.0, 44.0


def large(shown: Large, identity: str) -> Markup:
    """The picture in two sizes, of which the style shows one; key and table."""
    picture = shown.picture
    wide, narrow = _frames(picture)
    drawings = [
        svg.drawing(picture, f"{identity}-{kind}", frame, class_=kind + " square" * picture.square)
        for kind, frame in (("wide", wide), ("narrow", narrow))
    ]
    cells = shown.cells or _cells(picture)
    table = [] if cells is None else [
        element("details", element("summary", "The picture as a table"), cells_table(cells))
    ]  # fmt: skip
    return element(
        "figure",
        element("figcaption", picture.title),
        *drawings,
        _key(picture),
        *([element("p", prose(shown.note), class_="remark")] if shown.note else []),
        *table,
        class_="large",
    )


def _frames(picture: Picture) -> tuple[svg.Frame, svg.Frame]:
    if picture.y.rows:
        units = abs(picture.y.high - picture.y.low)
        ticks = picture.y.named
        right = _room(max(len(tick.value) for tick in ticks), _WORDS)
        names = _NAMES[0], max(_NAMES[1], _WHOLE - right - _MIDDLE)
        left = _room(max(len(tick.text) for tick in ticks), names)
        height, letters = min(_STEP * units, _TALLEST), int(left / _LETTER) - 1
        wide = svg.Frame(6.0, height, left, _WHOLE - left - right, (8, 8), _WHOLE, letters=letters)
        height = _STEP_NARROW * units
        return wide, svg.Frame(
            6.0, height, 8.0, _NARROW - 16.0, (5, 5), _NARROW, narrow=True, letters=24
        )
    if picture.square:
        wide = svg.Frame(10.0, 420.0, 54.0, 420.0, (6, 6), 490.0)
        return wide, svg.Frame(10.0, 292.0, 54.0, 292.0, (5, 5), _NARROW)
    wide = svg.Frame(12.0, 330.0, 66.0, _WHOLE - 82.0, (10, 6), _WHOLE)
    return wide, svg.Frame(12.0, 230.0, 60.0, _NARROW - 72.0, (4, 5), _NARROW)


def _room(letters: int, ends: tuple[float, float]) -> float:
    """The width of ``letters`` letters with a margin, within the ends."""
    least, most = ends
    return min(max(least, _LETTER * letters + 24.0), most)


def _cells(picture: Picture) -> Cells | None:
    if picture.y.rows:
        rows = [(tick.text, *tick.value.split("   ")) for tick in picture.y.named]
        columns = max(map(len, rows))
        heads = ("name", "number", "limits")[:columns]
        filled = tuple(row + ("",) * (columns - len(row)) for row in rows)
        return Cells(f"{picture.title}.", heads, filled) if columns > 1 else None
    rows = [(one.name, one.value) for one in picture.series if one.value]
    return (
        Cells(f"{picture.title}.", ("name", picture.noun or "value"), tuple(rows)) if rows else None
    )


def _key(picture: Picture) -> Markup:
    """Series by their letters, then the meaning of lines and marks, each with a sample."""
    lettered = [
        element(
            "li",
            element("span", letter(one.tint), class_="key", aria_hidden="true"),
            name(" ".join(filter(None, (one.name, picture.noun, one.value)))),
            class_=svg.tint(one.tint),
        )
        for one in picture.series
        if one.name
    ]
    samples = [element("li", _sample(mark), text) for text, mark in picture.key]
    return element("ul", *lettered, *samples, class_="legend") if lettered + samples else NOTHING


def _sample(mark: Mark) -> Markup:
    plane = svg.Plane(svg.Frame(0.0, 14.0, 0.0, 22.0), Axis(0.0, 1.0), Axis(-1.0, 1.0))
    return element(
        "svg", element("g", plane.shape(mark), class_=svg.tint(mark.tint)), viewBox="0 0 22 14",
        class_="sample-of", aria_hidden="true", focusable="false",
    )  # fmt: skip

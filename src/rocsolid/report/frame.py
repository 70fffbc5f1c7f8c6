"""The first screen of every page: the number, the rivals, and one large picture."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Protocol

from rocsolid.dataclass import dataclass
from rocsolid.markup import NOTHING, Markup, element, name
from rocsolid.pictures import svg
from rocsolid.pictures.marks import Axis, Mark, Picture, Place, letter
from rocsolid.report.text import Cells, cells_table, point, prose
from rocsolid.results.card import Card, CardRow

_SYMBOLS = {"better": "●", "worse": "◆", "open": "○", "": "·"}
_RIVALS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Large:
    """A picture of the first screen, with ``cells`` that contain the same numbers.

    By default the cells are the names and numbers in the picture itself. The ``note`` states the
    assumptions of its lines. If the rows of the cells are ``points`` of the picture, a reader can
    move along them, beginning at ``start``.
    """

    picture: Picture
    cells: Cells | None = None
    note: str = ""
    points: tuple[Place, ...] = ()
    start: int = 0


class FirstWords(Protocol):
    """The first part of a page."""

    @property
    def lead(self) -> tuple[str, ...]: ...
    @property
    def card(self) -> Card | None: ...
    @property
    def large(self) -> tuple[Large, ...]: ...
    @property
    def worries(self) -> tuple[str, ...]: ...


def first_screen(page: FirstWords, beside: Markup = NOTHING) -> Markup:
    card = page.card if page.card is not None and page.card.rows else None
    number = [] if card is None else [_number(card)]
    drawn = [large(each, f"large{i}") for i, each in enumerate(page.large)]
    rivals = [] if card is None else _decisions(card)
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


def _number(card: Card) -> Markup:
    first = card.rows[0]
    of = f"{card.measure} of {first.name}" if card.measure and first.name else ""
    what = card.measure if card.large else of or card.measure or first.name
    limits = "" if card.large else prose(first.limits.replace(" % ", " % interval ", 1))
    return element(
        "p",
        element("strong", card.large or first.text, class_="big"),
        " ",
        element("span", element("span", name(what), class_="muted"), " ",
                *([element("span", limits, class_="nowrap")] if limits else [])),
        class_="number",
    )  # fmt: skip


def _decisions(card: Card) -> list[Markup]:
    """The decision about the first value, or else the decisions about the other values."""
    first, *others = card.rows
    rows = card.rows if card.large else [first] if first.word else others
    decided = [row for row in rows if row.word]
    more = len(decided) - _RIVALS + (card.more if others and decided else 0)
    items = [
        element(
            "li",
            element("span", _SYMBOLS[row.state], class_=f"state {row.state}".strip(),
                    aria_hidden="true"),
            element("span", prose(_decision(row, named=row is not first or bool(card.large)))),
        )
        for row in decided[:_RIVALS]
    ]  # fmt: skip
    if more > 0:
        items.append(element("li", element("span"), f"{more:,} more in the picture"))
    return [element("ul", *items, class_="rivals")] if items else []


def _decision(row: CardRow, *, named: bool) -> str:
    words = ", ".join(filter(None, (row.word, row.detail)))
    return f"{row.name}: {words}" if named else words


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
    picture = shown.picture
    wide, narrow = _frames(picture)
    drawings = [
        svg.drawing(
            picture, f"{identity}-{kind}", frame, class_=kind + " square" * picture.square,
            **(_movable(shown, frame) if shown.points else {}),
        )
        for kind, frame in (("wide", wide), ("narrow", narrow))
    ]  # fmt: skip
    cells = shown.cells or _cells(picture)
    table = [] if cells is None else [
        element("details", element("summary", "The picture as a table"), cells_table(cells))
    ]  # fmt: skip
    return element(
        "figure",
        element("figcaption", picture.title),
        *drawings,
        *([_reader(cells, shown, identity)] if cells is not None and shown.points else []),
        _key(picture),
        *([element("p", prose(shown.note), class_="remark")] if shown.note else []),
        *table,
        class_="large",
    )


def _movable(shown: Large, frame: svg.Frame) -> dict[str, Any]:
    plane = svg.Plane(frame, shown.picture.x, shown.picture.y)
    places = [f"{plane.across(x):.1f},{plane.up(y):.1f}" for x, y in shown.points]
    return {
        "over": svg.pointer(),
        "data_points": " ".join(places),
        "data_corner": f"{frame.left:g} {frame.bottom:g}",
    }


def _reader(cells: Cells, shown: Large, identity: str) -> Markup:
    readings = [element("div", element("dt", head), element("dd", "")) for head in cells.heads]
    slider = f"{identity}-point"
    return element(
        "div",
        element("dl", *readings, class_="readings"),
        element("label", "Move along the curve", for_=slider),
        element("input", type="range", min=0, max=len(shown.points) - 1, step=1,
                value=str(shown.start), id=slider),
        element("p", "Drag the point, or use the arrow keys.", class_="hint"),
        class_="reader",
        hidden=True,
    )  # fmt: skip


def _frames(picture: Picture) -> tuple[svg.Frame, svg.Frame]:
    if picture.y.rows:
        units = abs(picture.y.high - picture.y.low)
        ticks = picture.y.named
        right = _room(max(len(tick.value) for tick in ticks), _WORDS)
        names = _NAMES[0], max(_NAMES[1], _WHOLE - right - _MIDDLE)
        left = _room(max(len(tick.text) for tick in ticks), names)
        height, letters = min(_STEP * units, _TALLEST), int(left / _LETTER) - 1
        across = _WHOLE - left - right
        most = _most_ticks(picture.x, across)
        wide = svg.Frame(6.0, height, left, across, (most, 8), _WHOLE, letters=letters)
        height, across = _STEP_NARROW * units, _NARROW - 16.0
        numbers = max(len(tick.value.split("   ")[0]) for tick in ticks)
        return wide, svg.Frame(
            6.0, height, 8.0, across, (min(_most_ticks(picture.x, across), 5), 5), _NARROW,
            narrow=True, letters=max(int(across / _LETTER) - numbers - 10, 12),
        )  # fmt: skip
    if picture.square:
        wide = svg.Frame(10.0, 420.0, 54.0, 420.0, (6, 6), 490.0)
        return wide, svg.Frame(10.0, 292.0, 54.0, 292.0, (5, 5), _NARROW)
    wide = svg.Frame(12.0, 330.0, 66.0, _WHOLE - 82.0, (10, 6), _WHOLE)
    return wide, svg.Frame(12.0, 230.0, 60.0, _NARROW - 72.0, (4, 5), _NARROW)


def _most_ticks(axis: Axis, across: float) -> int:
    for most in range(8, 2, -1):
        ticks = axis.ticks(most)
        places = [across * axis.at(at) for at in ticks]
        gap = min((b - a for a, b in pairwise(places)), default=across)
        if gap >= _LETTER * max(len(svg.short(at)) for at in ticks) + 12.0:
            return most
    return 2


def _room(letters: int, ends: tuple[float, float]) -> float:
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

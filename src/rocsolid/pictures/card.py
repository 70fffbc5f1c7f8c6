"""A result on a card of 1200 × 630 pixels, to share without the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, require_matplotlib
from rocsolid.pictures.letters import text_width, whole_sentences, within
from rocsolid.pictures.lists import VALUES
from rocsolid.pictures.marks import Axis, DotsMark, IntervalMark, LabelMark, LineMark, Mark, Picture
from rocsolid.pictures.sheet import png_sheet, svg_sheet
from rocsolid.results.card import Card, CardRow
from rocsolid.results.standing import State
from rocsolid.visible import visible

SCALE = 2
"""Pixels in a unit; with these units, marks are as large as on a page."""
CARD = (600.0, 315.0)

_LEFT, _RIGHT = 30.0, 570.0
_TITLES = ((18.0, 24.0, 3), (15.0, 20.0, 4))  # font size, line height, and number of lines
_NUMBER, _TEXT, _SMALL = 40.0, 12.0, 10.0
_BOTTOM = 274.0  # the lower edge of everything above the line with the origin
_FOREST = 224.0  # the left edge of rows
_NAME = 60.0  # the smallest width for the name of a source
_STEP = 26.0, 44.0  # the smallest and the largest distance between rows
_NEAR = 3.0  # chance is on the scale up to this distance, in widths of all rows
_TINTS: dict[State, int] = {"": 0, "better": 2, "worse": 1, "open": 5}


def card_picture(card: Card) -> Picture:
    """A card with a sentence, the first number, all values on one scale, and their origin.

    x and y are units from the upper left.
    """
    sentences = [visible(sentence) for sentence in card.sentences]
    for size, leading, most in _TITLES:  # noqa: B007
        lines = whole_sentences(sentences, size, _RIGHT - _LEFT, most, bold=True)
        if " ".join(lines) == " ".join(sentences):
            break
    marks: list[Mark] = [
        _words(text, _LEFT, 42.0 + leading * i, size, strong=True) for i, text in enumerate(lines)
    ]
    top = 33.0 + leading * len(lines)
    if card.rows:
        marks += _number(card, top)
        marks += _forest(card, top)
    marks += _origin(card.basis)
    return Picture(
        " ".join(lines) or visible(card.measure),
        visible("; ".join(f"{row.name} {row.text}, {row.limits}" for row in card.rows)),
        Axis(0.0, CARD[0]),
        Axis(CARD[1], 0.0),
        tuple(marks),
        discloses=VALUES if card.exact else "",
    )


def card_file(card: Card, kind: str) -> bytes:
    """The card as a file, "svg" or "png"."""
    if kind == "svg":
        return svg_sheet(card_picture(card), SCALE)
    if kind == "png":
        require_matplotlib("a card as PNG")
        return png_sheet(card_picture(card), SCALE)
    raise InputError("a card is an SVG or a PNG", where="kind", value=kind, fix='use "svg"')


def _words(
    text: str, x: float, y: float, size: float, *, strong: bool = False, muted: bool = False,
    end: bool = False,
) -> LabelMark:  # fmt: skip
    role = "note strong" if strong else "tick" if muted else "note"
    return LabelMark(x, y, text, role, "end" if end else "start", "baseline", size=size)


def _number(card: Card, top: float) -> list[Mark]:
    row, room = card.rows[0], _FOREST - _LEFT - 16.0
    middle = (top + _BOTTOM) / 2.0
    title, large = card.measure, card.large or row.text
    if not card.large and row.name:
        title = f"{title} of {row.name}" if title else row.name
    size = min(_NUMBER, _NUMBER * room / text_width(large, _NUMBER, bold=True))
    words: list[Mark] = [
        _words(within(visible(title), _TEXT, room), _LEFT, middle - 32.0, _TEXT, muted=True),
        _words(large, _LEFT, middle + 10.0, size, strong=True),
    ]
    if not card.large:
        words.append(_words(within(row.limits, _TEXT, room), _LEFT, middle + 31.0, _TEXT))
    if row.certified and not card.large:
        text = within(row.certified, _SMALL, room)
        words.append(_words(text, _LEFT, middle + 47.0, _SMALL, muted=True))
    return words


@dataclass(frozen=True, slots=True)
class Lanes:
    """The ``left`` and ``right`` end of every lane, and the scale between."""

    left: float
    right: float
    low: float
    high: float

    def x(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.left + min(max(share, 0.0), 1.0) * (self.right - self.left)

    @classmethod
    def of(cls, rows: Sequence[CardRow], chance: float | None, left: float, right: float) -> Lanes:
        """The scale of these rows, with chance if it is near."""
        ends = [end for row in rows for end in row.ends]
        low, high = min(ends), max(ends)
        if chance is not None and low - chance <= _NEAR * (high - low) >= chance - high:
            low, high = min(low, chance), max(high, chance)
        room = 0.04 * (high - low) or 0.5
        return cls(left, right, low - room, high + room)


def _forest(card: Card, top: float) -> list[Mark]:
    chance = None if card.apart else card.chance
    foot = _BOTTOM - 18.0 - (0.0 if chance is None else 12.0)
    least, most = _STEP
    rows = card.rows[: int((foot - top) // least)]
    step = min((foot - top) / len(rows), most)
    start = top + (foot - top - step * len(rows)) / 2.0
    shared = Lanes.of(rows, chance, _FOREST, _RIGHT)
    marks: list[Mark] = []
    for i, row in enumerate(rows):
        lanes = Lanes.of([row], None, _FOREST, _RIGHT) if card.apart else shared
        base = start + step * i + 11.0
        marks += _row_words(row, base)
        if row.inner is not None or not card.apart:
            marks += _lane(row, lanes, base + min(9.0 + (step - least) / 4.0, 13.0), chance)
    marks += [] if chance is None else _chance(chance, card.held, shared, start + step * len(rows))
    x = _FOREST
    for state, word in _key(rows):
        dot = DotsMark(np.array([x + 4.0]), np.array([_BOTTOM - 7.5]), state, _TINTS[state])
        marks += [dot, _words(word, x + 13.0, _BOTTOM - 4.0, _SMALL, muted=True)]
        x += 28.0 + text_width(word, _SMALL)
    if any(row.outer is not None for row in rows):
        marks.append(IntervalMark(_BOTTOM - 7.5, x, x + 14.0, "certified", 0))
        marks.append(_words("certified", x + 19.0, _BOTTOM - 4.0, _SMALL, muted=True))
    if more := card.more + len(card.rows) - len(rows):
        text = f"and {more:,} more"
        marks.append(_words(text, _RIGHT, _BOTTOM - 4.0, _SMALL, muted=True, end=True))
    return marks


def _key(rows: Sequence[CardRow]) -> list[tuple[State, str]]:
    return [(state, word) for state, word in
            dict.fromkeys((row.state, row.word) for row in rows) if state and word]  # fmt: skip


def _row_words(row: CardRow, base: float) -> list[Mark]:
    numbers = row.limits.split(" % ")[-1]  # the large number shows the level
    numbers = "" if numbers == row.text else numbers
    end = _RIGHT - text_width(numbers, _SMALL) - (8.0 if numbers else 0.0)
    room = end - text_width(row.text, _TEXT, bold=True) - 12.0 - _FOREST
    return [
        _words(within(visible(row.name), _TEXT, room), _FOREST, base, _TEXT),
        _words(row.text, end, base, _TEXT, strong=True, end=True),
        _words(numbers, _RIGHT, base, _SMALL, muted=True, end=True),
    ]


def _lane(row: CardRow, lanes: Lanes, y: float, chance: float | None) -> list[Mark]:
    tint = _TINTS[row.state]
    marks: list[Mark] = [_line([lanes.left, lanes.right], [y, y], "base")]
    if chance is not None and lanes.low <= chance <= lanes.high:
        x = lanes.x(chance)
        marks.append(_line([x, x], [y - 9.0, y + 9.0], "chance"))
    for ends, role in ((row.outer, "certified"), (row.inner, "calibrated")):
        if ends is not None:
            low, high = map(lanes.x, ends)
            marks.append(IntervalMark(y, low, high, role, tint))
    if row.level is not None:
        x = lanes.x(row.level)
        marks.append(_line([x, x], [y - 7.0, y + 7.0], "bar"))
    value = np.array([lanes.x(row.value)])
    return [*marks, DotsMark(value, np.array([y]), row.state or "value", tint)]


def _chance(chance: float, held: str, lanes: Lanes, y: float) -> list[Mark]:
    text = f"{held} {chance:.4g}" if chance else held
    if lanes.low <= chance <= lanes.high:
        wide = text_width(text, _SMALL)
        at = min(max(lanes.x(chance) - wide / 2.0, lanes.left), lanes.right - wide)
        return [_words(text, at, y + 10.0, _SMALL, muted=True)]
    if chance < lanes.low:
        return [_words(f"← {text}", lanes.left, y + 10.0, _SMALL, muted=True)]
    return [_words(f"{text} →", lanes.right, y + 10.0, _SMALL, muted=True, end=True)]


def _line(x: Sequence[float], y: Sequence[float], role: str) -> LineMark:
    return LineMark(np.array(x), np.array(y), role)


def _origin(basis: str) -> list[Mark]:
    brand = text_width("rocsolid", _TEXT, bold=True)
    room = _RIGHT - _LEFT - brand - 16.0
    name, colon, rest = visible(basis).partition(": ")
    left = max(room - text_width(f"{colon}{rest}", _SMALL), _NAME)
    text = within(f"{within(name, _SMALL, left)}{colon}{rest}", _SMALL, room)
    return [
        _line([_LEFT, _RIGHT], [_BOTTOM + 6.0] * 2, "base"),
        _words(text, _LEFT, 299.0, _SMALL, muted=True),
        _words("rocsolid", _RIGHT, 299.0, _TEXT, strong=True, end=True),
    ]

"""Upper limits of text widths in unknown fonts, and texts that fit.

A picture may be shown in other fonts. The widths are at least those of DejaVu Sans; the other usual
fonts for ``sans-serif`` are narrower, so texts that fit in DejaVu Sans fit in them too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_PLAIN = (
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
)  # fmt: skip
_BOLD = (
    35, 46, 53, 84, 70, 101, 88, 31, 46, 46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70,
    70, 70, 70, 70, 70, 70, 40, 40, 84, 84, 84, 59, 100, 78, 77, 74, 84, 69, 69, 83,
    84, 38, 38, 78, 64, 100, 84, 86, 74, 86, 78, 73, 69, 82, 78, 111, 78, 73, 73, 46,
    37, 46, 84, 50, 50, 68, 72, 60, 72, 68, 44, 72, 72, 35, 35, 67, 35, 105, 72, 69,
    72, 72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72, 84,
)  # fmt: skip
"""The widths of the characters from the space to the tilde, in hundredths of the font size."""

_OTHER, _WIDE = 100, 125  # widths of other letters, and of East Asian letters or pictograms
_BREAK = re.compile("(?<![=<≤≥–]) (?![%=<≤≥–])")  # a number stays with its sign


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """An upper limit of the width of the text at that font size.

    >>> text_width("AUC", 10.0), text_width("AUC", 10.0, bold=True)
    (21.3, 23.4)
    """
    widths = _BOLD if bold else _PLAIN
    return round(sum(_advance(character, widths) for character in text) * size / 100.0, 9)


def _advance(character: str, widths: Sequence[int]) -> int:
    plain = unicodedata.normalize("NFD", character)[0]  # accents do not widen letters
    if plain.isascii():
        return widths[ord(plain) - 32] if plain.isprintable() else _OTHER
    if unicodedata.combining(plain):
        return 0
    return _WIDE if unicodedata.east_asian_width(plain) in "WF" else _OTHER


def within(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """The text, shortened in the middle if it is wider than the room.

    >>> within("gradient_boosting_v2", 10.0, 80.0)
    'gradie…ing_v2'
    """
    if text_width(text, size, bold=bold) <= room:
        return text
    for kept in range(len(text) - 1, 0, -1):
        left = kept - kept // 2
        short = f"{text[:left].rstrip()}…{text[len(text) - kept // 2 :].lstrip()}"
        if text_width(short, size, bold=bold) <= room:
            return short
    return "…"


def wrapped(
    text: str, size: float, room: float, most: int, *, bold: bool = False
) -> tuple[str, ...]:
    """At most ``most`` lines of that width; an ellipsis replaces the rest.

    A word that is wider than a line is shortened in the middle.

    >>> wrapped("one two three", 10.0, 45.0, 2)
    ('one two', 'three')
    >>> wrapped("one two three four", 10.0, 45.0, 2)
    ('one two', 'three…')
    """
    lines: list[str] = []
    for word in _BREAK.split(text):
        short = within(word, size, room, bold=bold)
        longer = f"{lines[-1]} {short}" if lines else ""
        if lines and text_width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(short)
    if len(lines) > most:
        last = lines[most - 1]
        while text_width(f"{last}…", size, bold=bold) > room:
            last = last[:-1]
        lines = [*lines[: most - 1], f"{last}…"]
    return tuple(lines)


def whole_sentences(
    sentences: Sequence[str], size: float, room: float, most: int, *, bold: bool = False
) -> tuple[str, ...]:
    """As many whole sentences as fit, or the part of the first that fits."""
    shown: tuple[str, ...] = ()
    for count in range(1, len(sentences) + 1):
        text = " ".join(sentences[:count])
        made = wrapped(text, size, room, most, bold=bold)
        if shown and " ".join(made) != text:
            break
        shown = made
    return shown

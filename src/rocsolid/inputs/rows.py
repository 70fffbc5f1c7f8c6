"""Name rows in error messages; parse numbers from text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError

SHOWN = 3
"""The number of rows that a message lists before it counts the rest."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The numbering of rows: positions in an array start at 0, lines of a file at 1.

    ``number`` maps ascending positions to the numbers that the user sees. ``number`` runs only for
    an error, so it may read the file again.

    >>> print(Rows().name([3]))
    row 3, counting from 0
    >>> print(Rows().name([3, 8, 11, 20, 21]))
    rows 3, 8, 11 and 2 more, counting from 0
    """

    noun: str = "row"
    note: str = ", counting from 0"
    number: Callable[[list[int]], list[int]] | None = None

    def name(self, positions: Any) -> str:
        """Name the first few of these positions."""
        return self.name_first([int(i) for i in np.asarray(positions)[:SHOWN]], len(positions))

    def name_first(self, positions: list[int], count: int) -> str:
        """Name the first few of ``count`` positions when only those are known.

        >>> print(Rows().name_first([3, 8, 11], 90))
        rows 3, 8, 11 and 87 more, counting from 0
        """
        shown = positions if self.number is None else self.number(positions)
        text = f"{self.noun}{'s' if count > 1 else ''} {', '.join(map(str, shown))}"
        more = count - len(positions)
        if more:
            text += f" and {more:,} more"
        elif len(shown) > 1:
            head, _, last = text.rpartition(", ")
            text = f"{head} and {last}"
        return text + self.note

    def where(self, column: str, bad: NDArray[np.bool_]) -> str:
        """The column with the marked rows, for an error's ``where``."""
        return f"{column}, {self.name(np.flatnonzero(bad))}"


ARRAY_ROWS = Rows()


def lines_at(numbered: Iterable[tuple[int, object]], positions: Iterable[int]) -> list[int]:
    """Return the numbers of the items at these ascending positions.

    >>> lines_at([(2, "a"), (5, "b"), (6, "c")], [0, 2])
    [2, 6]
    """
    numbers = (number for number, _ in numbered)
    lines: list[int] = []
    passed = 0
    for position in positions:
        lines += islice(numbers, position - passed, position - passed + 1)
        passed = position + 1
    return lines


class Unnumbered(Rows):
    """Rows of a source without an order: a message can name only the column."""

    __slots__ = ()

    def name(self, positions: Any) -> str:
        return "some row" if len(positions) == 1 else "some rows"

    def where(self, column: str, bad: NDArray[np.bool_]) -> str:  # noqa: ARG002 -- which is not known
        return column


# fmt: off
NULLS = frozenset([
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "N/A", "NA", "NULL", "NaN", "n/a", "nan", "null",
])
# fmt: on
"""Cells that mean "no number": the strings that pyarrow's CSV reader treats as missing."""

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DECIMAL_COMMA = re.compile(_FLOAT.pattern.replace(r"\.", ","))
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)


EXACT_IN_FLOAT64 = 2**53
"""A float64 holds every integer up to here exactly."""


def may_be_rounded(values: Any) -> NDArray[np.intp]:
    """The positions where a pyarrow column of floats may hold a rounded number."""
    import pyarrow as pa

    floats = pa.types.is_floating(values.type)
    whole = [chunk.drop_null() if chunk.null_count else chunk for chunk in values.chunks if floats]
    known = [np.from_dlpack(chunk) for chunk in whole]  # to drop nothing would load pyarrow.compute
    if not any((np.abs(values) >= EXACT_IN_FLOAT64).any() for values in known):
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(np.abs(values.to_numpy()) >= EXACT_IN_FLOAT64)  # this loads pandas


def exact_as_float(text: str) -> bool:
    """Return whether a float64 represents the number exactly.

    >>> exact_as_float("9007199254740993"), exact_as_float("1e400"), exact_as_float("1e300")
    (False, False, True)
    """
    if _INTEGER.fullmatch(text):
        return abs(int(text)) < 2**1023 and int(float(text)) == int(text)
    return is_number(text)


def read_numbers(texts: Sequence[str | None], name: str, rows: Rows) -> list[int | float | None]:
    """Parse each text as an integer of any size, a float, or None for a missing value."""
    numbers: list[int | float | None] = []
    for i, text in enumerate(texts):
        stripped = "" if text is None else text.strip()
        if stripped in NULLS:
            numbers.append(None)
        elif _INTEGER.fullmatch(stripped):
            numbers.append(int(stripped))
        elif is_number(stripped):
            numbers.append(float(stripped))
        else:
            what, fix = why_no_number(stripped)
            raise InputError(what, where=f"{name}, {rows.name([i])}", value=text, fix=fix)
    return numbers


def with_decimal_points(texts: Sequence[str | None]) -> list[str | None]:
    """Convert decimal commas to points, unless some number of the column has a point.

    A point may then be the thousands separator, so all texts stay unchanged and are refused later.

    >>> with_decimal_points(["0,5", "2", "n.a."]), with_decimal_points(["0,5", "1.250"])
    (['0.5', '2', 'n.a.'], ['0,5', '1.250'])
    """
    if any(text is not None and "." in text and is_number(text.strip()) for text in texts):
        return list(texts)
    return [
        text.replace(",", ".") if text and _DECIMAL_COMMA.fullmatch(text.strip()) else text
        for text in texts
    ]


def is_number(text: str) -> bool:
    """Return whether the text is a number that a float64 can hold: not 1e400, not 1_000."""
    if _INFINITE.fullmatch(text):
        return True
    return bool(_FLOAT.fullmatch(text)) and math.isfinite(float(text))


def why_no_number(text: str) -> tuple[str, str]:
    """Explain why a text is not a number, and how to fix it.

    >>> why_no_number("0,5")
    ('a number with a decimal comma', 'write a decimal point, as in 0.5')
    """
    stripped = text.strip()
    pointed = stripped.replace(",", ".")
    if stripped.count(",") == 1 and is_number(pointed):
        return "a number with a decimal comma", f"write a decimal point, as in {pointed}"
    if stripped.endswith("%") and is_number(stripped[:-1].strip()):
        return "a percentage written as text", "remove the percent sign in every row"
    if is_number(stripped):
        return "a number stored as text", "convert the column to numbers first"
    if stripped.casefold() == "nan":
        return "a missing value where a number should be", "write a number, or leave the row out"
    if _FLOAT.fullmatch(stripped):
        return "a number too large for a float64", "write inf if infinity is meant"
    return "text where a number should be", "write a number there, or leave the row out"

"""How an error names the rows that it is about."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError

SHOWN = 3
"""How many rows a message names before it says how many more there are."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The way to number rows: positions in an array count from 0, lines of a file from 1.

    ``number`` turns ascending positions into the numbers that the reader will look for. It runs
    only when there is something to report, so it may be slow (it may read the file again).

    >>> print(Rows().name([3]))
    row 3, counting from 0
    >>> print(Rows().name([3, 8, 11, 20, 21]))
    rows 3, 8, 11 and 2 more, counting from 0
    """

    noun: str = "row"
    note: str = ", counting from 0"
    number: Callable[[list[int]], list[int]] | None = None

    def name(self, positions: Any) -> str:
        """The first few of these positions, in words."""
        return self.name_first([int(i) for i in np.asarray(positions)[:SHOWN]], len(positions))

    def name_first(self, positions: list[int], count: int) -> str:
        """The same from the first of ``count`` positions, where nobody holds them all.

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


class Unnumbered(Rows):
    """Rows of a source that has no order of its own: a message can only name the column."""

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
"""Cells that mean "no number": what pyarrow's CSV reader takes for missing."""

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DECIMAL_COMMA = re.compile(_FLOAT.pattern.replace(r"\.", ","))
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)


EXACT_IN_FLOAT64 = 2**53
"""Up to here a float64 holds every integer."""


def may_be_rounded(values: Any) -> NDArray[np.intp]:
    """Where a pyarrow column of floats may stand for a number that a float64 cannot hold."""
    import pyarrow as pa

    floats = pa.types.is_floating(values.type)
    whole = [chunk.drop_null() if chunk.null_count else chunk for chunk in values.chunks if floats]
    known = [np.from_dlpack(chunk) for chunk in whole]  # to drop nothing would load pyarrow.compute
    if not any((np.abs(values) >= EXACT_IN_FLOAT64).any() for values in known):
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(np.abs(values.to_numpy()) >= EXACT_IN_FLOAT64)  # this loads pandas


def exact_as_float(text: str) -> bool:
    """Whether a float64 stands for the same number: an integer unchanged, no overflow.

    >>> exact_as_float("9007199254740993"), exact_as_float("1e400"), exact_as_float("1e300")
    (False, False, True)
    """
    if _INTEGER.fullmatch(text):
        return abs(int(text)) < 2**1023 and int(float(text)) == int(text)
    return is_number(text)


def read_numbers(texts: Sequence[str | None], name: str, rows: Rows) -> list[int | float | None]:
    """Each text as an integer of any size, a float, or None for a missing one."""
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
    """Decimal commas as points, unless some number of the column has a point already.

    Then a point may be the mark of the thousands, and all texts stay as they are, to be refused.

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
    """Whether the text is a number that a float64 can hold: not 1e400, not 1_000."""
    if _INFINITE.fullmatch(text):
        return True
    return bool(_FLOAT.fullmatch(text)) and math.isfinite(float(text))


def why_no_number(text: str) -> tuple[str, str]:
    """What is wrong with text in the place of a number, and how to fix it.

    >>> why_no_number("0,5")
    ('a number with a decimal comma', 'write a decimal point, as in 0.5')
    """
    stripped = text.strip()
    pointed = stripped.replace(",", ".")
    if stripped.count(",") == 1 and is_number(pointed):
        return "a number with a decimal comma", f"write a decimal point, as in {pointed}"
    if stripped.endswith("%") and is_number(stripped[:-1].strip()):
        return "a percentage written as text", "leave out the percent sign in every row"
    if is_number(stripped):
        return "a number stored as text", "convert the column to numbers first"
    if _FLOAT.fullmatch(stripped):
        return "a number too large for a float64", "write inf if infinity is meant"
    return "text where a number should be", "put a number there, or leave the row out"

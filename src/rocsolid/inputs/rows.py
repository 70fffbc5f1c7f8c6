"""How an error names the rows that it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

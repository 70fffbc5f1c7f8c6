"""Intervals drawn with characters beside a table, where the terminal has room for them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from rocsolid.report.bars import Bar
from rocsolid.report.cells import Cells

_LEAST, _MOST, _GAP = 20, 48, 2
_KEY = "o value, = interval, - certified"


@dataclass(frozen=True, slots=True)
class BarAxis:
    """From ``low`` to ``high`` in ``width`` characters."""

    low: float
    high: float
    width: int

    def place(self, value: float) -> int:
        share = (value - self.low) / (self.high - self.low)
        return 1 + min(max(round(share * (self.width - 3)), 0), self.width - 3)

    def head(self) -> str:
        """Both ends, with as many decimals as they differ in, and the key if there is room.

        >>> BarAxis(0.5, 0.75, 12).head(), BarAxis(0.5, 0.75, 44).head()
        ('0.50    0.75', '0.50  o value, = interval, - certified  0.75')
        """
        digits = max(2, 1 - math.floor(math.log10(self.high - self.low)))
        low, high = f"{self.low:.{digits}f}", f"{self.high:.{digits}f}"
        between = self.width - len(low) - len(high)
        return low + (_KEY if len(_KEY) + 2 <= between else "").center(between) + high

    def bar(self, bar: Bar, mark: float | None) -> str:
        """One line: the mark, what is certified over it, then the interval, then the value.

        >>> BarAxis(0.0, 1.0, 13).bar(Bar(0.6, (0.4, 0.8), (0.2, 0.8)), 0.0)
        '|: --==o== |'
        """
        line = ["|", *" " * (self.width - 2), "|"]
        if mark is not None and self.low <= mark <= self.high:
            line[self.place(mark)] = ":"
        for limits, sign in ((bar.outer, "-"), (bar.inner, "=")):
            if limits is not None and all(map(math.isfinite, limits)):
                first, last = map(self.place, limits)
                line[first : last + 1] = sign * (last + 1 - first)
        if math.isfinite(bar.value):
            line[self.place(bar.value)] = "o"
        return "".join(line)


def with_bars(
    cells: Cells, bars: Sequence[Bar], room: int, *, gap: int = _GAP, mark: float | None = None
) -> Cells:
    """The table with a column of bars, where there is something to compare and ``room`` for it.

    ``o`` is the value, ``=`` the interval, ``-`` the certified one, ``:`` the mark.
    """
    used = sum(
        max(cell_len(row[at]) for row in (cells.heads, *cells.rows)) + gap
        for at in range(len(cells.heads))
    )
    width = min(room - used, _MOST)
    marked = [] if mark is None else [mark]
    limits = [one for bar in bars for one in (bar.inner, bar.outer) if one is not None]
    known = [x for one in limits if all(map(math.isfinite, one)) for x in one]
    ends = [*known, *(bar.value for bar in bars if math.isfinite(bar.value))]
    if len(bars) + len(marked) < 2 or width < _LEAST or not ends or min(ends) == max(ends):
        return cells
    axis = BarAxis(min(*ends, *marked), max(*ends, *marked), width)
    drawn = tuple((*row, axis.bar(bar, mark)) for row, bar in zip(cells.rows, bars, strict=True))
    return replace(cells, heads=(*cells.heads, axis.head()), rows=drawn)

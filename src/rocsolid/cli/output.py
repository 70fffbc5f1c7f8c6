"""What the verbs share: writing a file whole or not at all, and the table of results."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from rocsolid.errors import InputError
from rocsolid.report.text import Bar, Cells
from rocsolid.visible import UNSEEN, visible

if TYPE_CHECKING:
    from rocsolid.report.blocks import TextBlock


if TYPE_CHECKING:
    pass


def json_text(data: Any) -> str:
    """In full letters, except characters that steer a terminal: these are written \\uXXXX."""
    text = json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False, default=str)
    return "\n".join(UNSEEN.sub(_in_json, line) for line in text.split("\n")) + "\n"


def _in_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def print_json(data: Any) -> None:
    text = json_text(data)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # JSON has its own way to write any character in ASCII
        text = json.dumps(json.loads(text), indent=2) + "\n"
    sys.stdout.write(text)


def write_text(path: str, text: str) -> None:
    """See `write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: str, content: bytes) -> None:
    """The file appears complete or not at all, whatever happens on the way."""
    target = Path(path)
    if target.is_dir():
        raise InputError("this is a folder, not a file", value=path, fix="name a file in it")
    try:
        if target.exists() and not target.is_file():  # a pipe or a device stays what it is
            target.write_bytes(content)
        else:
            _replace(target.resolve(), content)  # a link stays one
    except OSError as error:
        raise InputError(
            f"the file cannot be written: {error.strerror}",
            where=path,
            fix="name a file in a folder that exists and may be written to",
        ) from error


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)  # a temporary file is private; the report is an ordinary one
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def refuse_overwriting(used: str, target: str, option: str = "--html") -> None:
    """What an option writes may not take the place of a file that is read, or written as well."""
    if os.path.exists(used) and os.path.exists(target):
        same = os.path.samefile(used, target)
    else:
        same = os.path.abspath(used) == os.path.abspath(target)
    if same:
        raise InputError(
            "this would overwrite a file that the command uses", where=option, value=target,
            fix="name another file",
        )  # fmt: skip


_MORE = "... and {:,} more; --json prints them all."
_LINE = 80  # letters, where columns have two between them if they can
_NAME_WIDTH = 16  # a name may be folded over several lines, but not into crumbs


class Screen(Console):
    """A console that takes text as it is: ``[x]`` and ``:x:`` in a name are no markup.

    A name cannot steer the terminal either: in all that is printed, controls are written out.
    A reader of the output that has had enough (``| head``) is reported as the ``BrokenPipeError``
    that it is, so that the program can end well.
    """

    def __init__(self, *, soft_wrap: bool = False) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, soft_wrap=soft_wrap)

    def print(self, *objects: Any, **options: Any) -> None:
        """As rich's; only line breaks at the ends of a text are taken to be ours."""
        super().print(*map(_seen, objects), **options)

    def notes(self, remarks: Iterable[str]) -> None:
        """Each sentence once."""
        for text in dict.fromkeys(remarks):
            self.print(f"note: {text}")

    def on_broken_pipe(self) -> None:
        self.quiet = True
        raise BrokenPipeError

    def show(self, table: Table) -> None:
        """Print a table; where the terminal is too narrow its lines run over, as no number is cut.

        Columns that may not wrap keep their whole width.
        """
        _seen(table)
        needed = 2 * (len(table.columns) - 1)
        for column in table.columns:
            width = max(cell_len(str(cell)) for cell in (column.header, *column.cells))
            needed += width if column.no_wrap else min(width, _NAME_WIDTH)
        wide = Screen()
        wide.width = max(self.width, needed)
        wide.print(table)

    def table(
        self, heads: Sequence[str], rows: Iterable[Sequence[str]], *, names: int = 1, gap: int = 2
    ) -> None:
        """Show rows under heads; the first ``names`` columns hold names."""
        from rocsolid.report.text import Cells

        self.show(text_table(Cells("", (*heads,), (*map(tuple, rows),), names), gap=gap))


def show_blocks(blocks: Iterable[TextBlock]) -> None:
    """Every table with what is said of it, warnings as notes, and the methods last."""
    from rocsolid.report.blocks import methods_of

    screen, listed = Screen(), list(blocks)
    for block in listed:
        if block.heading:
            screen.print(block.heading, style="bold")
        if block.cells is not None:
            _show_cells(screen, block, block.cells)
        elif block.more:
            screen.print(_MORE.format(block.more))
        for text in filter(None, block.said):
            screen.print(text)
        for note in block.notes:
            screen.print(f"note: {note}")
        if block is not listed[-1] and (block.cells or block.said or block.notes):
            screen.print()
    made = methods_of(listed)
    if made and (listed[-1].cells or listed[-1].said or listed[-1].notes):
        screen.print()
    for text in made:
        screen.print(text, style="dim")


def _show_cells(screen: Screen, block: TextBlock, cells: Cells) -> None:

    if cells.caption:
        screen.print(cells.caption)
    gap = 2 if _width(cells, 2) <= max(screen.width, _LINE) else 1
    bars = [bar for bar in block.bars if bar is not None]
    if bars and len(bars) == len(cells.rows):
        cells = with_bars(cells, bars, screen.width, gap=gap, mark=block.mark)
    screen.show(text_table(cells, gap=gap))
    if block.more:
        screen.print(_MORE.format(block.more))
    if block.said or block.notes:
        screen.print()


def _width(cells: Cells, gap: int) -> int:
    rows = (cells.heads, *cells.rows)
    return sum(max(map(cell_len, column)) + gap for column in zip(*rows, strict=True)) - gap


def tell(line: str) -> None:
    """One line as it is, however long: where a file was written, say."""
    Screen(soft_wrap=True).print(line)


def text_table(cells: Cells, *, gap: int = 2) -> Table:
    """The cells for a terminal: names fold, numbers do not."""
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    for i, head in enumerate(cells.heads):
        if i < cells.names:
            table.add_column(head, overflow="fold")
        else:
            table.add_column(head, justify="right", no_wrap=True)
    for row in cells.rows:
        table.add_row(*row)
    return table


def print_words(text: str) -> None:
    """Plain words, wrapped to the width of the terminal."""
    for line in text.split("\n"):
        Screen().print(line)


def print_table(heads: list[str], rows: list[list[str]]) -> None:
    """The first column to the left, the others to the right."""
    Screen().table(heads, rows)


def _seen(shown: Any) -> Any:
    if isinstance(shown, str):
        inner = shown.strip("\n")
        return shown.replace(inner, visible(inner)) if inner else shown
    if isinstance(shown, Table):
        for column in shown.columns:
            column.header = _seen(column.header)
            column._cells = [visible(one) if isinstance(one, str) else one for one in column.cells]
    return shown


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

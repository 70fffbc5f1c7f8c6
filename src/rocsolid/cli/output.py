"""Output shared by the verbs: writing files atomically, and tables in the terminal."""

from __future__ import annotations

import io
import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.report.text import Bar, Cells
from rocsolid.visible import UNSEEN, visible

if TYPE_CHECKING:
    from rocsolid.report.blocks import TextBlock


def json_text(data: Any) -> str:
    text = io.StringIO()  # json.dumps would keep every piece until the last
    json.dump(data, text, indent=2, allow_nan=False, ensure_ascii=False, default=str)
    return _UNSEEN_IN_LINES.sub(_in_json, text.getvalue()) + "\n"


_UNSEEN_IN_LINES = re.compile(f"(?!\n){UNSEEN.pattern}")


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
    """Write a file completely or not at all, whatever happens."""
    target = Path(path)
    if target.is_dir():
        raise InputError("this is a folder, not a file", value=path, fix="choose a file in it")
    try:
        if target.exists() and not target.is_file():  # a pipe or a device stays what it is
            target.write_bytes(content)
        else:
            _replace(target.resolve(), content)  # a link stays one
    except OSError as error:
        raise InputError(
            f"the file cannot be written: {error.strerror}",
            where=path,
            fix="choose a file in an existing, writable folder",
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
LINE = 78  # letters, on a terminal that is not wider than usual
_USUAL, _NARROW = 80, 60
_BREAK = re.compile("(?<![=<≤≥]) (?![%=<≤≥])")  # a number stays with its sign
_NAME_WIDTHS = (16, 8)  # letters that a name keeps where a line is too long, and at least
_LONG_NAME, _SHORT_NAME = 28, 20  # letters of a name in a sentence, and if it is shortened


class Screen(Console):
    """A console that prints text literally: ``[x]`` and ``:x:`` in a name are not markup.

    If the reader of the output stops (``| head``), the ``BrokenPipeError`` is raised, so that the
    program exits cleanly.
    """

    def __init__(self, *, soft_wrap: bool = False) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, soft_wrap=soft_wrap)

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*map(_seen, objects), **options)

    def notes(self, remarks: Iterable[str]) -> None:
        """Print each sentence once."""
        for text in dict.fromkeys(remarks):
            self.words(visible(f"note: {text}"))

    def on_broken_pipe(self) -> None:
        self.quiet = True
        raise BrokenPipeError

    @property
    def room(self) -> int:
        """The width of a line of a table, at least `_NARROW`."""
        return self.width if self.width > _USUAL else min(max(self.width, _NARROW), LINE)

    def show(self, table: Table) -> None:
        """Print a rich table; a column that may not wrap keeps its whole width."""
        _seen(table)
        needed = 2 * (len(table.columns) - 1)
        for column in table.columns:
            width = _widest([str(column.header), *map(str, column.cells)])
            needed += width if column.no_wrap else min(width, _NAME_WIDTHS[0])
        wide = Screen()
        wide.width = max(self.room, needed)
        wide.print(table)

    def cells(self, cells: Cells) -> None:
        """Print cells without breaking names or numbers; only ``sentences`` wrap.

        Long names are shortened, and columns beyond the width continue below.
        """
        cells = _visible(cells)
        if cells.sentences:
            self.show(worded_table(cells))
            return
        for part in fitted(cells, self.room):
            for line in part:
                self.print(line.rstrip(), style="bold" if line is part[0] else None, no_wrap=True,
                           overflow="ignore", crop=False)  # fmt: skip

    def words(self, text: str, names: Iterable[str] = ()) -> None:
        room = min(self.width, self.room)
        for line in wrapped(with_short_names(text, names, room), room):
            self.print(shortened(line, room), no_wrap=True, overflow="ignore", crop=False)

    def table(
        self, heads: Sequence[str], rows: Iterable[Sequence[str]], *, names: int = 1,
        sentences: bool = False,
    ) -> None:  # fmt: skip
        self.cells(Cells("", (*heads,), (*map(tuple, rows),), names, sentences))


def _visible(cells: Cells) -> Cells:
    rows = tuple(tuple(map(visible, row)) for row in cells.rows)
    return replace(cells, heads=tuple(map(visible, cells.heads)), rows=rows)


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` columns; a longer word has its own line.

    >>> wrapped("one two three", 8)
    ['one two', 'three']
    """
    lines: list[str] = []
    for line in text.split("\n"):
        words = _BREAK.split(line)
        row, used = words[0], cell_len(words[0])
        for word in words[1:]:
            size = cell_len(word)
            if used + 1 + size > width:
                lines.append(row)
                row, used = word, size
            else:
                row, used = f"{row} {word}", used + 1 + size
        lines.append(row)
    return lines


def shortened(name: str, width: int) -> str:
    """A name in at most ``width`` columns, shortened in the middle.

    >>> shortened("bert_base_run_self_learn_cv", 12)
    'bert_b…rn_cv'
    """
    if cell_len(name) <= width:
        return name
    left, right = width - 1 - (width - 1) // 2, (width - 1) // 2
    first, last = name, name
    while cell_len(first) > left:
        first = first[:-1]
    while cell_len(last) > right:
        last = last[1:]
    return f"{first}…{last}"


def with_short_names(text: str, names: Iterable[str], room: int) -> str:
    """Shorten long names in the middle if the text then takes fewer lines of ``room`` columns.

    Names that would look the same stay whole.

    >>> name = "bert_base_run_self_learn_cv_2019"
    >>> with_short_names(f"{name} has the highest nDCG: 0.7.", [name], 50)
    'bert_base_…n_cv_2019 has the highest nDCG: 0.7.'
    """
    long = [name for name in map(visible, names) if cell_len(name) > _LONG_NAME]
    short = {name: shortened(name, _SHORT_NAME) for name in long}
    if not short or len({*short.values()}) < len(short):
        return text
    longest_first = sorted(short, key=len, reverse=True)
    cut = re.sub("|".join(map(re.escape, longest_first)), lambda name: short[name[0]], text)
    return cut if len(wrapped(cut, room)) < len(wrapped(text, room)) else text


def fitted(cells: Cells, room: int) -> list[list[str]]:
    """The lines of a table, or of several tables if its columns do not fit side by side.

    >>> fitted(Cells("", ("score", "AUC"), (("a", "0.7"), ("model", "0.81"))), 40)
    [['score   AUC', 'a       0.7', 'model  0.81']]
    """
    columns = [list(column) for column in zip(cells.heads, *cells.rows, strict=True)]
    gap, widths = 2, list(map(_widest, columns))
    if sum(widths) + 2 * (len(widths) - 1) > room:
        gap = 1
        for least in _NAME_WIDTHS:
            over = sum(widths) + len(widths) - 1 - room
            if over > 0:
                widths = _narrowed(columns, widths, cells.names, over, least)
    parts: list[list[str]] = []
    first = cells.names
    while first < len(columns) or not parts:
        last = first
        used = sum(widths[: cells.names]) + gap * (cells.names - 1)
        while last < len(columns) and (
            last == first or used + gap + widths[last] <= room
        ):  # fmt: skip
            used += gap + widths[last]
            last += 1
        chosen = [*range(cells.names), *range(first, last)]
        parts.append([
            (" " * gap).join(
                _cell(columns[i][row], widths[i], left=i < cells.names) for i in chosen
            )
            for row in range(len(columns[0]))
        ])  # fmt: skip
        first = max(last, first + 1)
    return parts


def _widest(column: Sequence[str]) -> int:
    return max(map(cell_len, column))


def _narrowed(
    columns: Sequence[Sequence[str]], widths: list[int], names: int, over: int, least: int
) -> list[int]:
    floors = [
        min(width, least) if i < names else min(width, max(_widest(column[1:] or ("",)), least))
        for i, (column, width) in enumerate(zip(columns, widths, strict=True))
    ]
    narrowed = list(widths)
    while over > 0:
        spare = [width - floor for width, floor in zip(narrowed, floors, strict=True)]
        if max(spare) <= 0:
            break
        widest = max(range(len(spare)), key=lambda i: (spare[i] > 0, narrowed[i]))
        narrowed[widest] -= 1
        over -= 1
    return narrowed


def _cell(text: str, width: int, *, left: bool) -> str:
    text = shortened(text, width)
    space = " " * (width - cell_len(text))
    return text + space if left else space + text


def show_blocks(
    blocks: Iterable[TextBlock], *, loose: bool = True, names: Collection[str] = ()
) -> None:
    """Print every table with its sentences and notes, and the methods last.

    Sentences that are too long shorten ``names``.
    """
    from rocsolid.report.blocks import methods_of

    screen, listed = Screen(), list(blocks)
    for block in listed:
        if block.heading:
            screen.print(shortened(visible(block.heading), screen.room), style="bold")
        if block.cells is not None:
            _show_cells(screen, block, block.cells)
            if loose and (block.said or block.notes):
                screen.print()
        elif block.more:
            screen.words(_MORE.format(block.more))
        for text in filter(None, block.said):
            screen.words(visible(text), names)
        for note in block.notes:
            screen.words(visible(f"note: {note}"), names)
        if loose and block is not listed[-1] and (block.cells or block.said or block.notes):
            screen.print()
    made = methods_of(listed)
    if made and (listed[-1].cells or listed[-1].said or listed[-1].notes):
        screen.print()
    for text in made:
        for line in wrapped(visible(text), min(screen.width, screen.room)):
            screen.print(line, style="dim", no_wrap=True, overflow="ignore", crop=False)


def _show_cells(screen: Screen, block: TextBlock, cells: Cells) -> None:
    if cells.caption:
        screen.words(visible(cells.caption))
    bars = [bar for bar in block.bars if bar is not None]
    if bars and len(bars) == len(cells.rows):
        cells = with_bars(cells, bars, screen.room, mark=block.mark)
    screen.cells(cells)
    if block.more:
        screen.words(_MORE.format(block.more))


def tell(line: str) -> None:
    """Print one line without wrapping, such as the name of a written file."""
    Screen(soft_wrap=True).print(line)


def worded_table(cells: Cells) -> Table:
    """A table whose texts wrap between words."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for i, head in enumerate(cells.heads):
        words = i < cells.names and any(" " in row[i] for row in cells.rows)
        side: Literal["left", "right"] = "left" if i < cells.names else "right"
        table.add_column(head, justify=side, no_wrap=not words, overflow="fold")
    for row in cells.rows:
        table.add_row(*row)
    return table


def print_words(text: str, names: Iterable[str] = ()) -> None:
    Screen().words(text, names)


def print_error(message: str) -> None:
    """Print an error, wrapped in a terminal, and otherwise in one line for searches."""
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False, emoji=False)
    text = "\n".join(map(visible, f"rocsolid: {message.strip()}".split("\n")))
    lines = wrapped(text, min(console.width, LINE)) if console.is_terminal else [text]
    for line in lines:
        console.print(line)


def print_table(heads: list[str], rows: list[list[str]]) -> None:
    Screen().table(heads, rows, sentences=any(" " in row[0] for row in rows))


def _seen(shown: Any) -> Any:
    if isinstance(shown, str):
        inner = shown.strip("\n")
        return shown.replace(inner, visible(inner)) if inner else shown
    if isinstance(shown, Table):
        for column in shown.columns:
            column.header = _seen(column.header)
            column._cells = [visible(one) if isinstance(one, str) else one for one in column.cells]
    return shown


_LEAST, _MOST = 20, 48
_KEY = "o value, = interval, - certified"


@dataclass(frozen=True, slots=True)
class BarAxis:
    low: float
    high: float
    width: int

    def place(self, value: float) -> int:
        share = (value - self.low) / (self.high - self.low)
        return 1 + min(max(round(share * (self.width - 3)), 0), self.width - 3)

    def head(self) -> str:
        """Both ends, with the decimals needed to distinguish them, and the key if there is room.

        >>> BarAxis(0.5, 0.75, 12).head(), BarAxis(0.5, 0.75, 44).head()
        ('0.50    0.75', '0.50  o value, = interval, - certified  0.75')
        """
        digits = max(2, 1 - math.floor(math.log10(self.high - self.low)))
        low, high = f"{self.low:.{digits}f}", f"{self.high:.{digits}f}"
        between = self.width - len(low) - len(high)
        return low + (_KEY if len(_KEY) + 2 <= between else "").center(between) + high

    def bar(self, bar: Bar, mark: float | None) -> str:
        """One line: the mark, then the certified interval over it, then the interval, then the
        value.

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


def with_bars(cells: Cells, bars: Sequence[Bar], room: int, *, mark: float | None = None) -> Cells:
    """Add a column of bars if there is something to compare and enough ``room``.

    ``o`` is the value, ``=`` the interval, ``-`` the certified one, ``:`` the mark.
    """
    used = sum(
        max(cell_len(row[at]) for row in (cells.heads, *cells.rows)) + 2
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

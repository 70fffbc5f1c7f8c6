"""What people read on standard output: names and numbers exactly as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from rocsolid.visible import visible

if TYPE_CHECKING:
    from rocsolid.report.blocks import TextBlock
    from rocsolid.report.cells import Cells

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
        from rocsolid.report.cells import Cells

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
    from rocsolid.cli.bars import with_bars

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

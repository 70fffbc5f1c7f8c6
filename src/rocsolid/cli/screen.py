"""What people read on standard output: names and numbers exactly as they are."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

_NAME_WIDTH = 16  # a name may be folded over several lines, but not into crumbs


class Screen(Console):
    """A console that takes text as it is: ``[x]`` and ``:x:`` in a name are no markup.

    A reader of the output that has had enough (``| head``) is reported as the ``BrokenPipeError``
    that it is, so that the program can end well.
    """

    def __init__(self, *, soft_wrap: bool = False) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, soft_wrap=soft_wrap)

    def on_broken_pipe(self) -> None:
        self.quiet = True
        raise BrokenPipeError

    def show(self, table: Table) -> None:
        """Print a table; where the terminal is too narrow its lines run over, as no number is cut.

        Columns that may not wrap keep their whole width.
        """
        needed = 2 * (len(table.columns) - 1)
        for column in table.columns:
            width = max(cell_len(str(cell)) for cell in (column.header, *column.cells))
            needed += width if column.no_wrap else min(width, _NAME_WIDTH)
        wide = Screen()
        wide.width = max(self.width, needed)
        wide.print(table)

"""How the verbs of ``rocsolid leak`` end: page, JSON or words, and the exit code."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from rocsolid.cli.output import print_json, write_text
from rocsolid.cli.screen import Screen, tell
from rocsolid.errors import InputError
from rocsolid.report.disclosure import Disclosure, render_disclosure
from rocsolid.visible import visible

FINDING = 1

Flag = Annotated[bool, Parameter(negative=())]


def finish(
    data: dict[str, Any],
    show: Callable[[], None],
    *,
    json: bool,
    html: str | None = None,
    page: Callable[[str], Disclosure] | None = None,
    what: str = "the surprise",
    bits: float = 0.0,
    fail_above: float | None = None,
) -> int:
    """Write the page, print the answer, and compare the bits with the limit.

    ``what`` names the bits: the surprise of the very values that were released, or the most that
    any values can give away.
    """
    if fail_above is not None and not fail_above >= 0:
        raise InputError("a limit is at least 0 bits", where="--fail-above", value=fail_above)
    if html is not None and page is not None:
        write_text(html, render_disclosure(page(shlex.join(["rocsolid", *sys.argv[1:]]))))
    if json:
        print_json(data)
    else:
        show()
        if html is not None:
            tell(f"\nReport: {html}")
    if fail_above is not None and bits > fail_above:
        say(f"{what} is {bits:,.2f} bits, above the limit of {fail_above:g}")
        return FINDING
    return 0


def say(message: str) -> None:
    """A remark beside the answer."""
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False, emoji=False)
    console.print(f"rocsolid: {visible(message)}")


def print_words(text: str) -> None:
    """Plain words, wrapped to the width of the terminal."""
    for line in text.split("\n"):
        Screen().print(line)


def print_table(heads: list[str], rows: list[list[str]]) -> None:
    """The first column to the left, the others to the right."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for i, head in enumerate(heads):
        table.add_column(head, justify="right" if i else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    Screen().print(table)

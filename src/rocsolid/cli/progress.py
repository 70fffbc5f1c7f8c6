"""A progress bar on the terminal's error stream, for work that takes a while."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from rocsolid.visible import visible


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """What to call with the steps done and all there are; ``None`` where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(visible(what)), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def named_progress_bar(
    names: Mapping[str, str],
) -> Iterator[Callable[[str, float, int], None] | None]:
    """The same over several parts, with the name of the one that is being made."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda name, done, total: bar.update(
            task, description=escape(visible(names[name])), completed=done, total=total
        )

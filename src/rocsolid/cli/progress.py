"""A progress bar on the terminal's error stream, for long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from rocsolid.inputs.files import watched
from rocsolid.visible import visible

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0  # seconds before a bar appears: what is done by then needs none


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callback for finished and total steps; ``None`` if no terminal would show it."""
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task(escape(visible(what)), total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        with watched(show):
            yield show


@contextmanager
def named_progress_bar(
    names: Mapping[str, str],
) -> Iterator[Callable[[str, float, int], None] | None]:
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("", total=None)
        yield lambda name, done, total: bar.update(
            task, description=escape(visible(names[name])), completed=done, total=total
        )


@contextmanager
def _bar() -> Iterator[Progress | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    bar, lock, ended = Progress(console=Console(stderr=True), transient=True), Lock(), False

    def appear() -> None:
        with lock:
            if not ended:
                bar.start()

    timer = Timer(PATIENCE, appear)
    timer.daemon = True
    timer.start()
    try:
        yield bar
    finally:
        timer.cancel()
        with lock:
            ended = True
            if bar.live.is_started:
                bar.stop()

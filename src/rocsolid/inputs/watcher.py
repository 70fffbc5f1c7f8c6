"""Where a long job reports how far it is: set once around it, and found by what does the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watcher = Callable[[int, int], None]

_WATCHER: ContextVar[Watcher | None] = ContextVar("_WATCHER", default=None)


@contextmanager
def watched(by: Watcher | None) -> Iterator[None]:
    """While it lasts, ``by`` is called with what is done and all there is of each long job.

    That is bytes of a file that is read, or blocks of resamples. ``None`` changes nothing.

    >>> seen = []
    >>> with watched(lambda done, total: seen.append((done, total))):
    ...     watcher()(1, 2)
    >>> seen, watcher()
    ([(1, 2)], None)
    """
    token = _WATCHER.set(by or _WATCHER.get())
    try:
        yield
    finally:
        _WATCHER.reset(token)


def watcher() -> Watcher | None:
    """Whom to call, if anybody."""
    return _WATCHER.get()

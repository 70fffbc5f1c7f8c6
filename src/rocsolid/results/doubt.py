"""Warnings that say which of two intervals to rely on."""

from __future__ import annotations

from collections.abc import Iterable


class Doubt(str):
    """A warning that a calibrated interval or test may miss too often: the certified one decides.

    >>> doubted(["a tie counts half", Doubt("Only 4 positive rows")]), doubted(["plain"])
    (True, False)
    """

    __slots__ = ()


def doubted(warnings: Iterable[str]) -> bool:
    """Whether one of them says to rely on what is certified."""
    return any(isinstance(text, Doubt) for text in warnings)

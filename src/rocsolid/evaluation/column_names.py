"""One column or several, as the caller named them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocsolid.errors import InputError


def column_names(given: str | Sequence[str], argument: str) -> tuple[str, ...]:
    """At least one name, none of them twice.

    >>> column_names("risk", "scores"), column_names(["risk", "lab"], "scores")
    (('risk',), ('risk', 'lab'))
    """
    if not isinstance(given, Iterable):
        raise InputError("a column is named by text", where=argument, value=given)
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names:
        raise InputError(f"{argument} names no column", where=argument, fix="name at least one")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("a column is named twice", where=argument, value=twice)
    return names

"""Names and values in DuckDB's SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def name(column: str) -> str:
    """Return a column's name, which may contain any character.

    >>> print(name('a "b"'))
    "a ""b\"""
    """
    return '"' + column.replace('"', '""') + '"'


def text(value: str) -> str:
    """
    >>> print(text("it's"))
    'it''s'
    """
    return "'" + value.replace("'", "''") + "'"


def listing(values: Iterable[str]) -> str:
    return "[" + ", ".join(map(text, values)) + "]"


def struct(fields: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{text(key)}: {text(kind)}" for key, kind in fields.items()) + "}"


def path(value: str) -> str:
    """Return a path without patterns: DuckDB would expand *, ? and [.

    >>> path("part[1].csv")
    'part[[]1].csv'
    """
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in value)

"""What a result looks like where it is not printed: in a list, in a notebook, in an error."""

from __future__ import annotations


def one_line(result: object) -> str:
    """The first line of its text, and how many more there are."""
    first, *rest = str(result).splitlines() or [""]
    if not rest:
        return first
    return f"{first} (print it for {len(rest)} more line{'s' if len(rest) > 1 else ''})"

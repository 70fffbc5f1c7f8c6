"""The table that a verb reads: one file, or many that make one table."""

from __future__ import annotations

from rocsolid.errors import InputError


def source_of(tables: tuple[str, ...]) -> str | list[str]:
    """One name as it is; several, as a shell makes them of an unquoted pattern, as a list.

    >>> source_of(("scores.csv",)), source_of(("part-0.csv", "part-1.csv"))
    ('scores.csv', ['part-0.csv', 'part-1.csv'])
    """
    if not tables:
        raise InputError("no table is named", fix="name a file, such as scores.csv")
    for name in tables:
        if name.startswith("-") and name != "-":  # "-" alone is standard input
            raise InputError(
                "there is no such option",
                value=name,
                fix=f"look at --help; a file of that name is written ./{name}",
            )
    return tables[0] if len(tables) == 1 else list(tables)

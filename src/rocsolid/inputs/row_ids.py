"""The keys that identify rows in several tables."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rocsolid.errors import InputError
from rocsolid.inputs.delimited import listed
from rocsolid.results.plain import plain_key

_LONGEST = 12  # digits with zeros in front


def spellings(row_id: str) -> set[str]:
    """Return other spellings of a key, by case, spaces, zeros in front or a decimal zero.

    >>> sorted(spellings(" p1")), {"7", "007"} <= spellings("7.0"), "7.0" in spellings("07")
    (['P1', 'p1'], True, True)
    """
    bare = row_id.strip()
    whole = bare.removesuffix(".0")
    others = {bare, whole, bare.casefold(), bare.upper(), bare.lower()}
    if whole.isascii() and whole.isdigit():
        short = whole.lstrip("0") or "0"
        others |= {f"{short}.0", *(short.zfill(width) for width in range(1, _LONGEST + 1))}
    return others - {row_id}


def row_ids(values: Any, where: str) -> list[str]:
    """Return the keys of the rows as text; a repeated key is an error.

    >>> row_ids([7, 3], "labels.csv")
    ['7', '3']
    """
    ids = [str(plain_key(value)) for value in values]
    twice = [row_id for row_id, count in Counter(ids).items() if count > 1]
    if twice:
        raise InputError(
            f"rows that occur more than once: {listed(twice, 5)}",
            where=where,
            fix="include each row once",
        )
    return ids

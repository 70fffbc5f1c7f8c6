"""The keys that identify rows in several tables."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rocsolid.errors import InputError
from rocsolid.inputs.delimited import listed
from rocsolid.results.plain import plain_key


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

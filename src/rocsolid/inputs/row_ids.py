"""The keys that identify rows in several tables."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def ids_of_units(
    values: Any, unit: NDArray[np.intp], where: str
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the keys of the rows as text, each once, and the unit of each key.

    A key may be repeated in rows of one unit, such as the visits of a patient.

    >>> ids_of_units(["a", "a", "b"], np.array([0, 0, 1]), "id")
    (['a', 'b'], array([0, 1]))
    """
    ids = _texts(values)
    unit_of: dict[str, int] = {}
    for row_id, number in zip(ids, unit.tolist(), strict=True):
        if unit_of.setdefault(row_id, number) != number:
            row_ids(values, where)
    return list(unit_of), np.array(list(unit_of.values()), dtype=np.int64)


def _texts(values: Any) -> list[str]:
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    return [value if type(value) is str else str(plain_key(value)) for value in plain]


def row_ids(values: Any, where: str) -> list[str]:
    """Return the keys of the rows as text; a repeated key is an error.

    >>> row_ids([7, 3], "labels.csv")
    ['7', '3']
    """
    ids = _texts(values)
    if len(set(ids)) < len(ids):
        twice = [row_id for row_id, count in Counter(ids).items() if count > 1]
        raise InputError(
            f"rows that occur more than once: {listed(twice, 5)}",
            where=where,
            fix="include each row once",
        )
    return ids

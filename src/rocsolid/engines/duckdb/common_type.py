"""One type for a column that several files hold, without rounding any of them."""

from __future__ import annotations

from collections.abc import Sequence

from rocsolid.errors import InputError

_NARROW = {
    "BOOLEAN": (0, 1), "TINYINT": (1, 8), "SMALLINT": (1, 16), "INTEGER": (1, 32),
    "UTINYINT": (0, 8), "USMALLINT": (0, 16), "UINTEGER": (0, 32),
}  # fmt: skip
_WIDE = {"BIGINT": (1, 64), "UBIGINT": (0, 64)}
_FLOATS = ("FLOAT", "DOUBLE")
_NOTHING = '"NULL"'  # the type of a column without a value
_SIGNED = {8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT"}


def common_type(column: str, types: Sequence[str]) -> str:
    """The type that holds every value of all of them; integers of 64 bits never become floats.

    A file in which the column has no value may have no type for it.

    >>> common_type("s", ["INTEGER", "BIGINT"]), common_type("s", ["FLOAT", "INTEGER"])
    ('BIGINT', 'DOUBLE')
    >>> common_type("s", ["BIGINT", "DOUBLE"])
    Traceback (most recent call last):
    rocsolid.errors.InputError: the files hold column 's' in different types: BIGINT and DOUBLE.
    Fix: write the column in one type in all files.
    """
    kinds = set(types) - {_NOTHING} or {"DOUBLE"}
    if len(kinds) == 1:
        return kinds.pop()
    integers = {kind: (_NARROW | _WIDE)[kind] for kind in kinds if kind in _NARROW | _WIDE}
    if kinds == set(integers):
        signed = any(sign for sign, _ in integers.values())
        bits = max(2 * size if signed and not sign else size for sign, size in integers.values())
        bits = next((size for size in _SIGNED if size >= bits), 128)
        if bits <= 64:
            return _SIGNED[bits] if signed else "U" + _SIGNED[bits]
    elif kinds <= {*_NARROW, *_FLOATS}:
        return "DOUBLE"
    raise InputError(
        f"the files hold column {column!r} in different types: {' and '.join(sorted(kinds))}",
        fix="write the column in one type in all files",
    )

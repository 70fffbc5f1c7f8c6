"""JSON from files of any size, with errors that name the file and the line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from rocsolid.errors import InputError, OutOfMemoryError
from rocsolid.room import memory_bound

_OBJECTS = 8  # bytes of Python objects for a byte of JSON, at most
LONGEST_LINE = 1 << 26  # bytes


def parsed(text: bytes | str, where: str) -> Any:
    """Parse a JSON document.

    >>> parsed(b"[" * 100_000, "deep.json")
    Traceback (most recent call last):
    rocsolid.errors.InputError: the JSON is nested too deeply (deep.json).
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise InputError("the JSON is nested too deeply", where=where) from None
    except ValueError as error:  # also invalid UTF-8, and integers of thousands of digits
        raise InputError(
            f"this is not JSON, or the file was cut off: {error}",
            where=where,
            fix="write the log again",
        ) from None


def check_room(size: int, where: str) -> None:
    """Refuse JSON of ``size`` bytes whose objects would exceed the memory."""
    bound, limit = memory_bound()
    if size * _OBJECTS > bound:
        raise OutOfMemoryError(
            f"the log has {size / 1e6:,.0f} MB of JSON, whose objects may need "
            f"{size * _OBJECTS / 1e6:,.0f} MB; this process is bounded by {limit}",
            where=where,
            fix="allow more memory, or write one JSON object per line with the keys item, model "
            "and score",
        )


def whole(path: str) -> Any:
    """Parse a file that is one JSON document."""
    check_room(os.path.getsize(path), path)
    with open(path, "rb") as file:
        return parsed(file.read(), path)


def lines(path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the place and the object of each line that is not empty."""
    with open(path, "rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1):
            where = f"{path}, line {number}"
            if len(line) == LONGEST_LINE:
                raise InputError(f"the line has more than {LONGEST_LINE:,} bytes", where=where)
            if not line.strip():
                continue
            yield where, mapping(parsed(line, where), where)


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """Require a JSON object."""
    if not isinstance(value, Mapping):
        raise InputError("a JSON object was expected", where=where, value=value)
    return value


def required(document: Mapping[str, Any], key: str, kind: type[Any], where: str) -> Any:
    """Require a key with a value of a type."""
    value = document.get(key)
    if not isinstance(value, kind):
        raise InputError(
            f"the log has no {key!r}" if value is None else f"{key!r} has another form",
            where=where,
            fix="write the log again, with a version of the framework that rocsolid reads",
        )
    return value

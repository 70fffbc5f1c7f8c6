"""Results as JSON has them, and in one line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np


def counted(count: int, noun: str) -> str:
    """So many of them.

    >>> counted(1, "positive"), counted(1200, "negative")
    ('1 positive', '1,200 negatives')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def one_line(result: object) -> str:
    """The first line of its text, and how many more there are."""
    first, *rest = str(result).splitlines() or [""]
    if not rest:
        return first
    return f"{first} (print it for {counted(len(rest), 'more line')})"


class Plain:
    """A frozen dataclass that is written as JSON: all its fields, unless ``_json`` lists others.

    The list names attributes in their order, one as ``key=path.to.it`` where its key is another.
    ``*name`` has the keys of that attribute in its place, and ``name?`` may be left out: it is
    where it is ``None``. A mapping under ``by`` is a segment. `json_schema` reads the same list.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Limits(Plain):
    ...     low: float
    ...     high: float
    ...     _json = "high lowest=low whole=low.real"
    >>> Limits(1.0, math.inf).to_dict()
    {'high': None, 'lowest': 1.0, 'whole': 1.0}
    """

    __slots__ = ()
    _json: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return written(self, names_of(type(self)))


def names_of(cls: type[Plain]) -> str:
    """What is written of a result: its ``_json``, or all its fields."""
    return cls._json or " ".join(field.name for field in fields(cls))  # type: ignore[arg-type]


def entries(names: str) -> Iterator[tuple[str, str, bool]]:
    """The key, the path and whether it is always there; no key where those of the value stand.

    >>> list(entries("top=limits.high *limits note?"))
    [('top', 'limits.high', True), ('', 'limits', True), ('note', 'note', False)]
    """
    for name in names.split():
        key, _, path = name.removesuffix("?").partition("=")
        own = "" if key.startswith("*") else key
        yield own, path or key.removeprefix("*"), not name.endswith("?")


def written(result: object, names: str) -> dict[str, Any]:
    """Some attributes of a result as plain data; ``names`` is as in `Plain`."""
    data: dict[str, Any] = {}
    for key, path, always in entries(names):
        value = attrgetter(path)(result)
        if not key:
            data |= plain(value)
        elif key == "by" and isinstance(value, Mapping):
            data[key] = plain_segment(value)
        elif always or value is not None:
            data[key] = plain(value)
    return data


def attributes(result: object, names: str) -> dict[str, Any]:
    """The same as they are, such as for the settings of a result."""
    return {key: attrgetter(path)(result) for key, path, _ in entries(names)}


def plain(value: Any) -> Any:
    """Lists, mappings, numbers and text; a number that is not finite is ``None``.

    >>> plain({"a": (1, float("nan")), "b": np.array([0.5, np.inf]), "c": Fraction(1, 3)})
    {'a': [1, None], 'b': [0.5, None], 'c': '1/3'}
    """
    if isinstance(value, np.generic):  # such as a positive label taken from an array
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [plain(inner) for inner in value]
    if isinstance(value, Fraction):
        return str(value)
    return value.to_dict() if hasattr(value, "to_dict") else value


def plain_key(value: Any) -> Any:
    """A number or text; whatever JSON has no word for, a date or an infinity, becomes its text.

    >>> import datetime
    >>> plain_key(np.int64(3)), plain_key(datetime.date(2024, 5, 1)), plain_key(float("inf"))
    (3, '2024-05-01', 'inf')
    """
    found = value.item() if isinstance(value, np.generic) else value
    if isinstance(found, str | int) or (isinstance(found, float) and math.isfinite(found)):
        return found
    return str(found)


def plain_segment(by: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A segment's columns and values; all rows stay ``None``."""
    return None if by is None else {name: plain_key(value) for name, value in by.items()}

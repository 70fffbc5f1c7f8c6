"""Derive JSON Schemas (draft 2020-12) from results and typed dictionaries.

In annotations, a text describes the key, `holds` limits its values, and a second type is the type
in JSON. The schema of a result lists the keys of its ``_json`` (see `Plain`).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Never,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from rocsolid.remarks.remark import Remark
from rocsolid.results.plain import Plain, entries, names_of


def holds(**keywords: Any) -> tuple[tuple[str, Any], ...]:
    """Keywords of a JSON Schema, as a marker for annotations.

    >>> holds(minimum=0)
    (('minimum', 0),)
    """
    return tuple(keywords.items())


ITS_KEYS = object()
"""Marks a result in a typed dictionary whose keys are merged into the dictionary."""

Count = Annotated[int, holds(minimum=0)]
Rank = Annotated[int, holds(minimum=1)]
ZeroToOne = Annotated[float, holds(minimum=0, maximum=1)]
FloatOrNaN = Annotated[float, holds(type=("number", "null"))]
"""In JSON a number that is not finite is null."""
PValue = Annotated[ZeroToOne, holds(type=("number", "null"))]
IntervalLevel = Annotated[
    float,
    holds(exclusiveMinimum=0, exclusiveMaximum=1),
    "The level of the intervals, such as 0.95.",
]

AtFloor = Annotated[bool, "True if no draw was as extreme, so that p_value is only an upper limit."]
Assumptions = Annotated[tuple[str, ...], "The assumptions of the interval."]
ScoresFingerprint = Annotated[
    str,
    "A fingerprint of the scores of all rows, never of labels, weights or the rows of a "
    "segment; the order of the rows does not matter.",
]
MeasureName = Annotated[str, "What was measured."]
RequestedMeasure = Annotated[str, "The measure as it was requested."]
FullName = Annotated[str, "The full name, with every convention."]
ScoreName = Annotated[str, "The score column."]
SegmentKey = Mapping[str, str | float | bool]
SegmentOrAll = Annotated[
    Mapping[str, Any] | None,
    SegmentKey | None,
    "The segment, with a value for each column; null for all rows. Dates and infinities are "
    "written as text.",
]
Keywords = Annotated[Mapping[str, Any], "The settings, by the names of the Python keywords."]
StdError = Annotated[float | None, "The standard error; null if the method has none."]
Warnings = Annotated[tuple[Remark, ...], tuple[str, ...], "Warnings, in plain words."]


_SIMPLE: dict[Any, dict[str, Any]] = {
    Any: {},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    int: {"type": "integer"},
    str: {"type": "string"},
    Fraction: {"type": "string", "pattern": r"^-?\d+(/\d+)?$"},
}


def json_schema(name: str, command: str, *documents: type) -> dict[str, Any]:
    """The schema of a command's output: a document, or one of several."""
    made = Definitions()
    whole: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:rocsolid:schema:{name}",
        "title": f"{command} --json",
    }
    if len(documents) == 1:
        whole |= made.object(documents[0])
        whole["description"] = f"What `{command} --json` prints."
    else:
        keys = dict.fromkeys(key for cls in documents for key in _keys(cls))
        whole["oneOf"] = [  # each refuses the keys that only others have
            made.reference(cls)
            | {"not": {"anyOf": [{"required": [key]} for key in keys if key not in _keys(cls)]}}
            for cls in documents
        ]
    return whole | {"$defs": made.known}


class Definitions:
    """The schemas of classes by name, including nested classes."""

    def __init__(self, start: str = "#/$defs/") -> None:
        self.start = start
        self.known: dict[str, Any] = {}

    def reference(self, cls: type) -> dict[str, Any]:
        if (name := _name(cls)) not in self.known:
            self.known[name] = {}  # it may hold others of its kind
            self.known[name] |= self.object(cls)
        return {"$ref": f"{self.start}{name}"}

    def object(self, cls: type) -> dict[str, Any]:
        keys = _keys(cls)
        return {
            "type": "object",
            "description": _words(cls),
            "properties": {key: self._schema(hint) for key, (hint, _) in keys.items()},
            "required": [key for key, (_, required) in keys.items() if required],
        }

    def _schema(self, hint: Any) -> dict[str, Any]:
        schema = self._of_type(_bare(hint))
        for mark in getattr(hint, "__metadata__", ()):
            if isinstance(mark, tuple):
                schema |= {key: list(v) if isinstance(v, tuple) else v for key, v in mark}
            elif isinstance(mark, str):
                schema["description"] = mark
        return schema

    def _of_type(self, hint: Any) -> dict[str, Any]:
        origin, inner = get_origin(hint), get_args(hint)
        if hint in _SIMPLE:
            return dict(_SIMPLE[hint])
        if origin is Annotated:
            return self._schema(hint)
        if origin is Literal:
            return {"const": inner[0]} if len(inner) == 1 else {"enum": list(inner)}
        if origin in (Union, UnionType):
            parts = [self._schema(part) for part in inner if part is not NoneType]
            return _either(parts, ["null"] * (NoneType in inner))
        if isinstance(origin, type) and issubclass(origin, Mapping):
            each = self._schema(inner[1])
            return {"type": "object"} | ({"additionalProperties": each} if each else {})
        if isinstance(origin, type) and issubclass(origin, Iterable):
            fixed = origin is tuple and ... not in inner
            size = {"minItems": len(inner), "maxItems": len(inner)} if fixed else {}
            return {"type": "array", "items": self._schema(inner[0]), **size}
        if is_typeddict(hint) or (isinstance(hint, type) and issubclass(hint, Plain)):
            return self.reference(hint)
        raise TypeError(f"{hint} has no JSON Schema: annotate its type in JSON")


def _either(parts: list[dict[str, Any]], null: list[str]) -> dict[str, Any]:
    if all(part.keys() == {"type"} for part in parts):
        return {"type": [*(part["type"] for part in parts), *null]}
    if len(parts) == 1 and "enum" in parts[0]:
        return {"enum": [*parts[0]["enum"], None]}
    if len(parts) == 1 and "type" in parts[0]:
        return {**parts[0], "type": [parts[0]["type"], *null]}
    return {"anyOf": [*parts, *({"type": name} for name in null)]}


def _name(cls: type) -> str:
    """

    >>> _name(NotImplementedError)
    'not_implemented_error'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


@cache
def _keys(cls: type) -> dict[str, tuple[Any, bool]]:
    own: dict[str, tuple[Any, bool]] = {}
    joined: dict[str, tuple[Any, bool]] = {}
    for key, hint, required in _typed(cls) if is_typeddict(cls) else _listed(cls):
        if key:
            own[key] = (hint, required)
        else:
            joined |= _keys(hint)
    both = own | {key: joined[key] for key in joined if key not in own}
    return {key: (hint, required) for key, (hint, required) in both.items() if hint is not Never}


def _typed(cls: type) -> Iterator[tuple[str, Any, bool]]:
    """The keys of a typed dictionary; an empty key for a result that is merged."""
    for key, hint in _hints(cls).items():
        optional = get_origin(hint) is NotRequired
        inner = get_args(hint)[0] if optional else hint
        spread = ITS_KEYS in getattr(inner, "__metadata__", ())
        yield ("", inner.__origin__, True) if spread else (key, inner, not optional)


def _listed(cls: type[Plain]) -> Iterator[tuple[str, Any, bool]]:
    for key, path, required in entries(names_of(cls)):
        hint: Any = cls
        for step in path.split("."):
            hint = _attribute(hint, step)
        yield key, hint if key else _bare(hint), required


def _attribute(cls: type, name: str) -> Any:
    """The annotation of a field or a property; a property's docstring describes it."""
    attribute = inspect.getattr_static(cls, name, None)
    if isinstance(attribute, property):
        hint = get_type_hints(attribute.fget, include_extras=True)["return"]
        return Annotated[hint, _words(attribute)] if attribute.__doc__ else hint
    hint = _hints(cls)[name]
    return get_args(hint)[0] if get_origin(hint) is ClassVar else hint


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls, include_extras=True)


def _bare(hint: Any) -> Any:
    """A type without markers, or its type in JSON."""
    marks = getattr(hint, "__metadata__", ())
    types = [mark for mark in marks if not isinstance(mark, str | tuple)]
    return types[-1] if types else hint.__origin__ if marks else hint


def _words(described: object) -> str:
    text = (inspect.getdoc(described) or "").partition("\n\n")[0]
    return " ".join(re.sub(r"\b(None|NaN)\b", "null", text.replace("`", "")).split())

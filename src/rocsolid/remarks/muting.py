"""Collect the remarks of a result and of its parts; mute some of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Self, TypeVar

from rocsolid.remarks.remark import Remark, Shown, checks

_T = TypeVar("_T")
_MADE_WHEN_READ = ("warnings", "notes", "results")
"""The name of the attribute for results whose remarks are not in a field."""


class Checked:
    """A result that lists its remarks and can be copied without some of them."""

    __slots__ = ()

    @property
    def checks(self) -> tuple[Remark, ...]:
        """The remarks of this result and of its parts, without repetition.

        >>> import rocsolid as rs
        >>> [one.code for one in rs.auc([0, 0, 1, 1], [1, 3, 2, 4]).checks]
        ['ROC001', 'ROC001']
        """
        return tuple(dict.fromkeys(_remarks(self)))

    def without(self, *codes: str) -> Self:
        """Return the same result without the remarks of these checks.

        Numbers and verdicts do not change: if a doubt leaves the decision to the certified
        interval, muting the doubt does not alter that.

        >>> import rocsolid as rs
        >>> quiet = rs.auc([0, 0, 1, 1], [1, 3, 2, 4]).without("ROC001")
        >>> quiet.warnings, quiet.deciding.certified
        ((), True)
        """
        return muted(self, checks.known(codes))


def shown(remarks: Iterable[Remark], codes: frozenset[str]) -> tuple[Remark, ...]:
    """Drop the remarks with these codes, but keep the dropped ones in ``muted``."""
    every = tuple(remarks)
    before = remarks.muted if isinstance(remarks, Shown) else ()
    kept = Shown(one for one in every if one.code not in codes)
    kept.muted = (*before, *(one for one in every if one.code in codes))
    return kept


def muted(value: _T, codes: frozenset[str]) -> _T:
    """Copy a value of any type without the remarks of these codes, at any depth.

    A result with a field ``muted`` builds its remarks lazily, so it stores the codes; a sequence
    with a method ``muting`` does the same.
    """
    return value if not codes else _muted(value, codes)


def _muted(value: Any, codes: frozenset[str]) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        changed = {}
        for field in fields(value):
            before = getattr(value, field.name)
            after = before | codes if field.name == "muted" else _muted(before, codes)
            if after is not before and field.init:
                changed[field.name] = after
        return replace(value, **changed) if changed else value
    if hasattr(value, "muting"):
        return value.muting(codes)
    if isinstance(value, Mapping):
        inside = {key: _muted(each, codes) for key, each in value.items()}
        return inside if any(inside[key] is not value[key] for key in value) else value
    if isinstance(value, tuple) and value and all(isinstance(each, Remark) for each in value):
        return shown(value, codes) if any(each.code in codes for each in value) else value
    if type(value) in (tuple, list):
        items = [_muted(each, codes) for each in value]
        same = all(a is b for a, b in zip(items, value, strict=True))
        return value if same else type(value)(items)
    return value


def _remarks(value: Any) -> Iterator[Remark]:
    if isinstance(value, Remark):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        names = dict.fromkeys(field.name for field in fields(value))
        more = (name for name in _MADE_WHEN_READ if hasattr(type(value), name))
        for name in {**names, **dict.fromkeys(more)}:
            yield from _remarks(getattr(value, name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _remarks(each)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for each in value:
            yield from _remarks(each)

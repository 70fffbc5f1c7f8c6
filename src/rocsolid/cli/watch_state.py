"""The file between two batches of ``rocsolid watch``: what was seen, and what it was seen of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

from rocsolid.cli.output import json_text, write_text
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.difference_sequence import DifferenceSequence
from rocsolid.intervals.guarantees.sequence import Sequence

_Watched = TypeVar("_Watched", Sequence, DifferenceSequence)
_NOTE = "watched"


def stored(path: str, watched: Sequence | DifferenceSequence, of: dict[str, Any]) -> None:
    """Write the state with a note ``of`` the columns and the measure that it is about."""
    write_text(path, json_text({**watched.to_dict(), _NOTE: of}))


def resumed(path: str, fresh: _Watched, of: dict[str, Any]) -> _Watched:
    """The stored sequence, which must have been begun with the same options and columns."""
    if not Path(path).exists():
        return fresh
    try:
        plain = json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(
            f"the state is not JSON: {error}", where=path, fix="name another file"
        ) from None
    note = plain.get(_NOTE, {}) if isinstance(plain, dict) else {}
    for name, now in of.items():
        _same(path, name, note.get(name, now), now)
    try:
        begun = type(fresh).from_dict(plain)
    except InputError as error:
        raise InputError(
            error.what,
            where=path,
            fix="name the file that rocsolid watch wrote, or a new one to begin",
        ) from None
    for name in ("level", "alternative", "margin", "lower_is_better"):
        _same(path, name, getattr(begun, name, None), getattr(fresh, name, None))
    return begun


def _same(path: str, name: str, before: Any, now: Any) -> None:
    if before != now:
        raise InputError(
            f"the state was begun with {name}={before!r}; it cannot go on with {now!r}",
            where=path,
            fix="give the same options for every batch, or begin a new state",
        )

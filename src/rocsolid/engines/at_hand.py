"""The rows of an engine's source in memory, where a question needs them all at once."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from rocsolid.engines.capabilities import Feature, streams
from rocsolid.engines.engine import Columns, Engine
from rocsolid.engines.fits import bytes_of_files, bytes_of_rows, refuse_too_many
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import InputError
from rocsolid.inputs.many_files import is_many, table_files


def checked(engine: Engine | InMemory, needed: Collection[Feature]) -> Engine | InMemory:
    """The engine after its check, or its rows where it lacks one of these features.

    The engine is closed before its rows are read, because its data would take memory beside them.
    """
    engine.check()
    if isinstance(engine, InMemory) or streams(engine.name, needed):
        return engine
    return collected(engine)


def collected(engine: Engine) -> InMemory:
    """The rows of an engine that was checked, which is closed; refused where they do not fit."""
    check_room(engine, engine.columns, engine.rows)
    source, room = engine.source, engine.room
    engine.close()
    rows = InMemory(engine.data, engine.columns, room)
    rows.check()
    rows.source = source
    return rows


def has_room(engine: Engine) -> bool:
    """Whether the rows of an engine fit in memory."""
    try:
        check_room(engine, engine.columns, engine.rows)
    except InputError:
        return False
    return True


def check_room(engine: Engine | InMemory, columns: Columns, rows: int | None = None) -> None:
    """Refuse to collect columns that take more memory than is allowed.

    ``rows`` is how many there are, where that is known. Rows in memory are there already.
    """
    if isinstance(engine, InMemory):
        return
    if isinstance(engine.data, str | os.PathLike) or is_many(engine.data):
        needed = bytes_of_files(table_files(engine.data), columns)
    else:
        needed = bytes_of_rows(_count(engine.data) if rows is None else rows, columns)
    refuse_too_many(needed, engine.room, engine.source)


def _count(frame: Any) -> int:
    import narwhals as nw

    return int(nw.from_native(frame).lazy().select(nw.len()).collect().item())

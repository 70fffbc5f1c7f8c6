"""DuckDB's errors, in words that say what to do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rocsolid.errors import InputError, OutOfMemoryError, RocsolidError
from rocsolid.room import out_of_memory


class UnreadableError(InputError):
    """A file or a relation could not be read to its end."""


@contextmanager
def explained(spill: Path) -> Iterator[None]:
    """Errors of DuckDB and of Arrow streams from it become errors of this library."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise _translated(error, str(error), spill) from error
    except OSError as error:  # pyarrow's class for whatever ends a stream
        if error.errno == errno.ENOSPC:
            raise _disk_full(spill) from error
        raise _translated(error, str(error), spill) from error


def _translated(error: Any, message: str, spill: Path) -> RocsolidError:
    line = next(
        (part.strip() for part in message.splitlines() if part.strip()), type(error).__name__
    )
    if "max_temp_directory_size" in message or "No space left" in message:
        return _disk_full(spill)
    if "Out of Memory" in message or out_of_memory(error) is not None:
        return OutOfMemoryError(
            "the memory allowed is too little for this sort",
            where="memory",
            value=line,
            fix="give more memory, or fewer threads",
        )
    if "INTERRUPT" in message.upper():
        return InputError("reading was interrupted, so there is no result", fix="run it again")
    return UnreadableError(
        f"DuckDB cannot read this: {line.rstrip('.')}", fix="write or copy the data again"
    )


def _disk_full(spill: Path) -> InputError:
    return InputError(
        "the disk for sorting is full",
        where=str(spill.parent),
        fix="give more memory with --memory, or set TMPDIR to a folder with more space",
    )

"""Whether rows fit into memory as columns, judged before they are read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from rocsolid.engines.engine import Columns
from rocsolid.errors import InputError
from rocsolid.inputs.space import BESIDE, bytes_of_row, rows_of_file

# measured, and rounded up
_SORTED = 130  # what sorting all rows together takes, which weights and clusters need
_COLUMN = 20  # and what either of them adds to that
_TEXT = 3  # text is held as it is and as columns


def fits(files: Sequence[Path], columns: Columns, memory: int) -> bool:
    """Whether the process would stay below ``memory`` bytes if it read these files into memory.

    Parquet and Arrow files say how many rows they have; of a text file the length of its first
    lines is taken for that of all, and of a packed one what they unpack to.
    """
    return all(BESIDE + needed <= memory for needed in _running(files, columns))


def bytes_of_files(files: Sequence[Path], columns: Columns) -> float:
    """The memory that the rows of these files would take."""
    return max(_running(files, columns))


def bytes_of_rows(rows: float, columns: Columns) -> float:
    """What so many rows take while they are read, sorted and evaluated."""
    row = bytes_of_row(len(columns.scores), len(columns.by))
    beside = (columns.weight is not None) + (columns.cluster is not None)
    if beside:
        row += _SORTED + _COLUMN * beside
    return rows * row


def refuse_too_many(needed: float, room: float, source: str) -> None:
    """An error where rows would take more bytes than there is room for."""
    if needed <= room:
        return
    needed, room = math.ceil(needed / 1e6), math.floor(room / 1e6)
    raise InputError(
        f"this needs all rows in memory at once, about {needed:,} MB, and there is room for "
        f"{room:,} MB",
        where=source,
        fix=f"raise memory= by {needed - room:,} MB, take a sample, or ask for a measure that is "
        "made of summaries, such as the AUC",
    )


def _running(files: Sequence[Path], columns: Columns) -> Iterator[float]:
    """The size of the first file, of the first two, and so on."""
    needed = 0.0
    for path in files:
        rows, text = rows_of_file(path)
        needed += bytes_of_rows(rows, columns) + _TEXT * text
        yield needed

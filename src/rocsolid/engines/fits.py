"""Whether rows fit into memory as columns, judged before they are read."""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from rocsolid.engines.engine import Columns
from rocsolid.errors import InputError
from rocsolid.inputs.files import damaged, find_file

# measured, and rounded up: what this process comes to while it reads rows and evaluates them
# the interpreter with NumPy, pyarrow and pandas takes 150 MB; the rest is for what Arrow's threads
# hold longer when a busy machine lets them finish late
BESIDE = 170_000_000
_ROW = 50  # bytes that a label and a score take while they are read and sorted
_SCORE = 25  # what each further score adds
_KEY = 140  # what each column of segments adds: keys may be text
_SORTED = 130  # what sorting all rows together takes, which weights and clusters need
_COLUMN = 20  # and what either of them adds to that
_TEXT = 3  # text is held as it is and as columns
_LEAST = 9  # bytes of a row in an Arrow stream, which does not say how many it has
_HEAD = 64 * 1024  # bytes looked at to guess the length of a line


def fits(files: Sequence[Path], columns: Columns, memory: int) -> bool:
    """Whether the process would stay below ``memory`` bytes if it read these files into memory.

    Parquet and Arrow files say how many rows they have; of a text file the length of its first
    lines is taken for that of all, and of a packed one what they unpack to.
    """
    return all(BESIDE + needed <= memory for needed in _running(files, columns))


def bytes_of_files(files: Sequence[Path], columns: Columns) -> float:
    """What the rows of these files would take."""
    return max(_running(files, columns))


def bytes_of_rows(rows: float, columns: Columns) -> float:
    """What so many rows take while they are read, sorted and evaluated."""
    row = _ROW + _SCORE * (len(columns.scores) - 1) + _KEY * len(columns.by)
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


def half_of_all() -> int:
    """Half of the machine's memory, in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _running(files: Sequence[Path], columns: Columns) -> Iterator[float]:
    """What the first file takes, the first two, and so on."""
    needed = 0.0
    for path in files:
        rows, text = _rows(path)
        needed += bytes_of_rows(rows, columns) + _TEXT * text
        yield needed


def _rows(path: Path) -> tuple[float, float]:
    """How many rows a file has, and how many bytes of text."""
    file = find_file(path)
    if file.format in ("parquet", "ipc"):
        try:
            return _said(path, file.format), 0
        except Exception as error:  # pyarrow has no class of its own for a damaged file
            raise damaged(file, error) from error
    size = float(path.stat().st_size)
    if file.format == "ipc stream":
        return size / _LEAST, 0
    with path.open("rb") as opened:
        head = opened.read(_HEAD)
    if file.gzipped:
        packed = len(head)
        try:
            head = zlib.decompressobj(wbits=31).decompress(head)
        except zlib.error as error:
            raise damaged(file, error) from error
        size *= len(head) / packed
    return (size * max(head.count(b"\n"), 1) / len(head), size) if head else (0, 0)


def _said(path: Path, form: str) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if form == "parquet":
        return int(pq.ParquetFile(path).metadata.num_rows)
    with pa.memory_map(str(path)) as mapped:  # of which only what describes the batches is read
        reader = pa.ipc.open_file(mapped)
        return sum(reader.get_batch(i).num_rows for i in range(reader.num_record_batches))

"""What the rows of files take in memory, judged before they are read."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from rocsolid.errors import OutOfMemoryError
from rocsolid.inputs.files import damaged, find_file
from rocsolid.inputs.wanted import Wanted
from rocsolid.room import ADVICE, memory_bound

# measured, and rounded up: what this process comes to while it reads rows and evaluates them
# the interpreter with NumPy, pyarrow and pandas takes 150 MB; the rest is for what Arrow's threads
# hold longer when a busy machine lets them finish late
BESIDE = 170_000_000
_ROW = 50  # bytes that a label and a score take while they are read and sorted
_SCORE = 25  # what each further score adds
_KEY = 140  # what each column of segments adds: keys may be text
_LEAST = 9  # bytes of a row in an Arrow stream, which does not say how many it has
_HEAD = 64 * 1024  # bytes looked at to guess the length of a line


def bytes_of_row(scores: int, keys: int) -> int:
    return _ROW + _SCORE * (scores - 1) + _KEY * keys


def refuse_beyond_bound(files: Sequence[str | PathLike[str]], wanted: Wanted) -> None:
    """An error where the rows of these files take more than this process may.

    A container would be killed without a message. Text of columns that are not read is not counted:
    it is released while the file is read.
    """
    bound, by = memory_bound()
    rows = sum(rows_of_file(path)[0] for path in files)
    # a key may be short, or one number for all rows: here only what is needed for certain counts
    needed = BESIDE + rows * bytes_of_row(max(len(wanted.numbers), 1), 0)
    if needed > bound:
        raise OutOfMemoryError(
            f"the rows take about {needed / 1e6:,.0f} MB of memory; what this process may take is "
            f"{bound / 1e6:,.0f} MB, bounded by {by}",
            where=Path(files[0]).name,
            fix=ADVICE,
        )


def rows_of_file(source: str | PathLike[str]) -> tuple[float, float]:
    """How many rows a file has, and how many bytes of text."""
    file, path = find_file(source), Path(source)
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

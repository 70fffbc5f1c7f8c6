"""Whether files fit into memory as columns, judged before they are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rocsolid.engines.engine import Columns

_ROW = 30  # bytes that a label and a score take while they are read and sorted
_COLUMN = 20  # and what each further column adds
_TEXT = 3  # text is held as it is and as columns
_LINE = 64 * 1024  # bytes looked at to guess the length of a line


def fits(files: Sequence[Path], columns: Columns, memory: int) -> bool:
    """Whether reading these files into memory would stay below ``memory`` bytes.

    Parquet and Arrow files say how many rows they have; of a text file the length of its first
    lines is taken for that of all.
    """
    further = len(columns.scores) - 1 + len(columns.by)
    further += (columns.weight is not None) + (columns.cluster is not None)
    return sum(map(_rows, files)) * (_ROW + _COLUMN * further) <= memory and (
        sum(_TEXT * path.stat().st_size for path in files if not _binary(path)) <= memory
    )


def _binary(path: Path) -> bool:
    return path.suffix.lower() in (".parquet", ".pq", ".arrow", ".feather", ".ipc")


def _rows(path: Path) -> int:
    if path.suffix.lower() in (".parquet", ".pq"):
        import pyarrow.parquet as pq

        from rocsolid.inputs.files import damaged, find_file

        try:
            return int(pq.ParquetFile(path).metadata.num_rows)
        except Exception as error:  # pyarrow has no class of its own for a damaged file
            raise damaged(find_file(path), error) from error
    with path.open("rb") as file:
        head = file.read(_LINE)
    lines = max(head.count(b"\n"), 1)
    return int(path.stat().st_size / (len(head) / lines)) if head else 0

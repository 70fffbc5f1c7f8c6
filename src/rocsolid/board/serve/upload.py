"""An uploaded table, read from memory."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rocsolid.errors import InputError
from rocsolid.inputs.files import File, damaged

MEDIA_TYPES = {"text/csv": "csv", "application/vnd.apache.parquet": "parquet"}
_NAME = "the upload"
_ONE_ROW = 4096  # more bytes for a name and a score nobody needs


def uploaded(content: bytes, rows: int, columns: Collection[str]) -> File:
    """A CSV or Parquet table of so many rows, of which these columns are read.

    What is packed must not grow when it is unpacked: a Parquet file says in its footer how many
    rows and bytes it holds, and a column of text holds each value once, however many rows have it.
    Both are looked at before the rows are written out.
    """
    if not content.startswith(b"PAR1"):
        return File(_NAME, "csv", content)
    import pyarrow as pa
    import pyarrow.parquet

    file = File(_NAME, "parquet", content)
    try:
        footer = pyarrow.parquet.read_metadata(file.arrow())
        groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
        if footer.num_rows > rows or sum(one.num_rows for one in groups) > rows:
            raise InputError(
                f"the upload has {footer.num_rows:,} rows",
                fix=f"give one score for each of {rows:,}",
            )
        if sum(one.total_byte_size for one in groups) > rows * _ONE_ROW:
            raise _too_large("send the two columns alone")
        for i in range(len(footer.schema)):
            leaf = footer.schema.column(i)
            top = leaf.path.partition(".")[0]
            if top not in columns:
                continue
            if leaf.max_repetition_level or leaf.path != top:
                raise InputError("a cell holds several values", where=f"column {top!r}")
            if leaf.length > _ONE_ROW or _longest(file, leaf) > _ONE_ROW:
                raise _too_large(f"write values of column {top!r} of at most {_ONE_ROW:,} bytes")
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise damaged(file, error) from error
    return file


def _longest(file: File, leaf: Any) -> int:
    """The bytes of the longest text in a column, whose values are not written out for each row."""
    import pyarrow.compute as pc
    import pyarrow.parquet

    if leaf.physical_type != "BYTE_ARRAY":
        return 0
    found = pyarrow.parquet.ParquetFile(file.arrow(), read_dictionary=[leaf.path])
    longest = 0
    for batch in found.iter_batches(columns=[leaf.path]):
        values = batch.column(0)
        distinct = getattr(values, "dictionary", values)
        longest = max(longest, pc.max(pc.binary_length(distinct)).as_py() or 0)
    return longest


def _too_large(fix: str) -> InputError:
    return InputError("the upload is too large when it is unpacked", fix=fix)

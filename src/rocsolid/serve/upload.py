"""An uploaded table, read from memory."""

from __future__ import annotations

from rocsolid.errors import InputError
from rocsolid.inputs.files import File, damaged

MEDIA_TYPES = {"text/csv": "csv", "application/vnd.apache.parquet": "parquet"}
_NAME = "the upload"
_ONE_ROW = 4096  # more bytes for a name and a score nobody needs


def uploaded(content: bytes, rows: int) -> File:
    """A CSV or Parquet table of so many rows.

    What is packed must not grow when it is unpacked: a Parquet file says in its footer how many
    rows and bytes it holds, which is looked at before they are read.
    """
    if not content.startswith(b"PAR1"):
        return File(_NAME, "csv", content)
    import pyarrow as pa
    import pyarrow.parquet

    file = File(_NAME, "parquet", content)
    try:
        footer = pyarrow.parquet.read_metadata(file.arrow())
        groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
    except (pa.ArrowException, OSError) as error:
        raise damaged(file, error) from error
    if footer.num_rows > rows or sum(one.num_rows for one in groups) > rows:
        raise InputError(
            f"the upload has {footer.num_rows:,} rows", fix=f"give one score for each of {rows:,}"
        )
    if sum(one.total_byte_size for one in groups) > rows * _ONE_ROW:
        raise InputError(
            "the upload is too large when it is unpacked", fix="send the two columns alone"
        )
    return file

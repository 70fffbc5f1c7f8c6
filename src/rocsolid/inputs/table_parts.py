"""A table read in parts, where no rows are kept: Parquet and Arrow files of any length."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.arrays import missing_values
from rocsolid.inputs.files import File, damaged, find_file
from rocsolid.inputs.many_files import is_many, partition, table_files
from rocsolid.inputs.rows import Rows
from rocsolid.inputs.tables import Table, read_table, validated
from rocsolid.inputs.wanted import Wanted

_ROWS = 1 << 20
_IN_PARTS = ("parquet", "ipc", "ipc stream")


def comes_in_parts(source: Any) -> bool:
    """Whether all of it is in files that can be read a part at a time, and again.

    >>> comes_in_parts("-")
    False
    """
    if source == "-" or not (isinstance(source, str | os.PathLike) or is_many(source)):
        return False
    paths = table_files(source)
    return not any(map(partition, paths)) and all(
        find_file(path).format in _IN_PARTS for path in paths
    )


def table_parts(
    source: Any,
    *,
    labels: Sequence[str] = (),
    numbers: Sequence[str] = (),
    beside: Sequence[str] = (),
) -> Iterator[Table]:
    """The named columns as `read_table` has them, in parts of about a million rows.

    A source that does not come in parts is one part. Columns ``beside`` them must exist, and are
    not read.
    """
    if not comes_in_parts(source):
        yield read_table(source, labels=labels, numbers=numbers)
        return
    wanted, empty = Wanted(tuple(labels), tuple(numbers)), True
    for path in table_files(source):
        for part in _of_file(find_file(path), wanted, beside):
            empty = False
            yield part
    if empty:
        raise InputError("the table has no rows", value=str(source), fix="write at least one row")


def distinct_labels(source: Any, label: str, beside: Sequence[str] = ()) -> NDArray[Any]:
    """The values of a column of labels, none of which may be missing; see `table_parts`.

    >>> distinct_labels({"y": [1, 0, 1]}, "y")
    array([0, 1])
    """
    distinct: list[NDArray[Any]] = []
    for part in table_parts(source, labels=[label], beside=beside):
        values = part[label]
        if values.dtype.kind == "f" and (missing := np.isnan(values)).any():
            raise missing_values(f"column {label!r}", missing, part.rows)
        distinct = [np.unique(np.concatenate([*distinct, np.unique(values)]))]
    return distinct[0]


def _of_file(file: File, wanted: Wanted, beside: Sequence[str]) -> Iterator[Table]:
    import pyarrow as pa

    start = 0
    try:
        for batch in _batches(file, wanted, replace(wanted, keys=tuple(beside))):
            rows = _numbered_from(start, file)
            start += len(batch)
            if len(batch):
                columns = {name: batch[name] for name in wanted.names}
                yield Table(validated(columns, wanted, rows), rows, file.name)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise damaged(file, error) from error


def _batches(file: File, wanted: Wanted, there: Wanted) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet

    if file.format == "parquet":
        parquet = pyarrow.parquet.ParquetFile(file.arrow())
        there.check(parquet.schema_arrow.names, file.name)
        yield from parquet.iter_batches(_ROWS, columns=wanted.names)
        return
    opened = pa.ipc.open_file if file.format == "ipc" else pa.ipc.open_stream
    reader = opened(file.arrow())
    there.check(reader.schema.names, file.name)
    each = (
        map(reader.get_batch, range(reader.num_record_batches))
        if file.format == "ipc"
        else iter(reader)
    )
    for batch in each:
        some = batch.select(wanted.names)
        some.validate(full=True)  # buffers are taken as they are
        yield some


def _numbered_from(start: int, file: File) -> Rows:
    note = f" of {file.name}, counting from 0"
    return Rows("row", note, lambda at: [start + i for i in at])

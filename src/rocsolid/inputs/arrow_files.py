"""Parquet and Arrow IPC files: typed columns, of which only the wanted ones are read."""

from __future__ import annotations

from typing import Any

from rocsolid.inputs.files import File, damaged
from rocsolid.inputs.rows import Rows
from rocsolid.inputs.wanted import Wanted


def read_arrow_file(file: File, wanted: Wanted) -> tuple[dict[str, Any], Rows]:
    """The wanted columns, and the way to name rows (such a file has no lines)."""
    import pyarrow as pa

    try:
        table = _READERS[file.format](file, wanted)
    except (pa.ArrowException, OSError) as error:
        raise damaged(file, error) from error
    columns = {name: table[name] for name in wanted.read(table.column_names)}
    return columns, Rows("row", f" of {file.name}, counting from 0")


def _parquet(file: File, wanted: Wanted) -> Any:
    import pyarrow.parquet

    parquet = pyarrow.parquet.ParquetFile(file.arrow())
    wanted.check(parquet.schema_arrow.names, file.name)
    return parquet.read(columns=wanted.read(parquet.schema_arrow.names))


def _ipc(file: File, wanted: Wanted) -> Any:
    import pyarrow as pa

    present = pa.ipc.open_file(file.arrow()).schema.names
    wanted.check(present, file.name)
    fields = [present.index(name) for name in wanted.read(present)]
    options = pa.ipc.IpcReadOptions(included_fields=fields)
    return _checked(pa.ipc.open_file(file.arrow(), options=options).read_all())


def _ipc_stream(file: File, wanted: Wanted) -> Any:
    import pyarrow as pa

    reader = pa.ipc.open_stream(file.arrow())
    wanted.check(reader.schema.names, file.name)
    return _checked(reader.read_all().select(wanted.read(reader.schema.names)))


def _checked(table: Any) -> Any:
    """IPC buffers are taken as they are, so a damaged file must be found before it is used."""
    table.validate(full=True)
    return table


_READERS = {"parquet": _parquet, "ipc": _ipc, "ipc stream": _ipc_stream}

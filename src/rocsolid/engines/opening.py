"""Which engine a source goes to: its kind decides, and for files whether they fit into memory."""

from __future__ import annotations

import os
import re
from typing import Any

from rocsolid.arguments import one_of, whole
from rocsolid.engines.engine import Columns, Engine, Reading
from rocsolid.engines.fits import fits
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import InputError
from rocsolid.inputs.many_files import is_many, table_files
from rocsolid.inputs.space import BESIDE

_UNITS = {
    "": 1, "b": 1,
    "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
}  # fmt: skip
_TEXT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*")


def byte_count(text: str, option: str) -> int:
    """A number of bytes with or without a unit: 1 MB is 1,000,000 bytes, 1 MiB 1,048,576.

    >>> byte_count("1MB", "--size"), byte_count("0.5 KiB", "--size"), byte_count("2000", "--size")
    (1000000, 512, 2000)
    """
    found = _TEXT.fullmatch(text)
    if found is None or found[2].lower() not in _UNITS:
        raise InputError(
            "this is not a number of bytes", where=option, value=text, fix="write 1MB, say"
        )
    return int(float(found[1]) * _UNITS[found[2].lower()])


def open_engine(source: Any, columns: Columns, reading: Reading = Reading()) -> Engine | InMemory:
    """The engine for a source.

    A Spark dataframe goes to Spark, a DuckDB relation to DuckDB, and a lazy frame to the library
    that it belongs to. Files go to DuckDB if ``memory`` is given, in bytes or as text such as
    "1GB", and is less than reading them would take. Everything else is read into memory. Nothing
    depends on what is installed.
    """
    limit, threads, progress = _limit(reading.memory), reading.threads, reading.progress
    if threads is not None:
        whole(threads, "threads")
    one_of(columns.nan, ("raise", "omit"), "nan")
    library = type(source).__module__.partition(".")[0]
    if library == "pyspark":
        from rocsolid.engines.spark import open_spark

        return open_spark(source, columns, memory=limit, threads=threads, progress=progress)
    if library in ("duckdb", "_duckdb"):
        from rocsolid.engines.duckdb import open_duckdb

        return open_duckdb(source, columns, memory=limit, threads=threads, progress=progress)
    if _is_path(source):
        if limit is None:
            return InMemory(source, columns)
        if source == "-" or fits(table_files(source), columns, limit):
            return InMemory(source, columns, limit - BESIDE)
        from rocsolid.engines.duckdb import open_duckdb

        return open_duckdb(source, columns, memory=limit, threads=threads, progress=progress)
    if _is_lazy(source):
        if threads is not None:
            raise InputError(
                "how many threads compute a lazy frame is for its own library to say",
                where="threads",
                value=threads,
                fix="leave threads out, and set them there",
            )
        from rocsolid.engines.narwhals import open_narwhals

        return open_narwhals(source, columns, memory=limit, progress=progress)
    for name, value in (("memory", reading.memory), ("threads", threads)):
        if value is not None:
            raise InputError(
                f"{name} is for files and relations; these rows are in memory already",
                where=name,
                value=value,
                fix="leave it out, or pass the path of a file",
            )
    return InMemory(source, columns)


def _limit(memory: int | str | None) -> int | None:
    if memory is None:
        return None
    if isinstance(memory, str):
        memory = byte_count(memory, "memory")
    if isinstance(memory, bool) or not isinstance(memory, int) or memory < 1:
        raise InputError(
            "memory must be a number of bytes", value=memory, fix='give it as text such as "1GB"'
        )
    return memory


def _is_path(source: Any) -> bool:
    return isinstance(source, str | os.PathLike) or is_many(source)


def _is_lazy(source: Any) -> bool:
    import narwhals as nw

    frame = nw.from_native(source, pass_through=True)
    return isinstance(frame, nw.LazyFrame)

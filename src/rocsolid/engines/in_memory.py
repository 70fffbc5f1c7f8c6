"""The choice between rows in memory, if they fit, and an engine."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of, whole
from rocsolid.engines.engine import Columns, Engine, EngineName, Reading
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import scores
from rocsolid.inputs.binary import (
    BinaryRows,
    TextLabel,
    binary_rows,
    frequencies,
    pos_label_from_text,
    positives,
    sample_weights,
)
from rocsolid.inputs.folds import Segments, segments_of
from rocsolid.inputs.groups import codes
from rocsolid.inputs.many_files import is_path, table_files
from rocsolid.inputs.models import AlignedScores, ModelRows, model_rows, outcome_rows
from rocsolid.inputs.tables import BESIDE, Table, bytes_of_row, read_table, rows_of_file
from rocsolid.remarks.remark import Remark
from rocsolid.summaries.groups import Groups

# measured bytes a row, rounded up
_SORTED = 130  # for sorting all rows together, which weights and clusters need
_COLUMN = 20  # for each column of weights or clusters
CHECKED = 1 << 18
"""The largest number of rows for which the groups' effect on an AUC is checked."""
_ORDERED = 200  # for each score of ordered outcomes, whose pairs are counted for each row
_CHECK = 200  # bytes a row for this check
_TEXT = 3  # text is in memory both as it is and as columns


def fits(files: Sequence[Path], columns: Columns, memory: int) -> bool:
    """Return whether the process would stay below ``memory`` bytes if it read these files.

    Parquet and Arrow files contain their number of rows. For text, the length of a line is
    estimated from the first lines. For a compressed file, the ratio of compression is estimated
    too.
    """
    return BESIDE + bytes_of_files(files, columns) <= memory


def bytes_of_files(files: Sequence[Path], columns: Columns) -> float:
    sizes = map(rows_of_file, files)
    return sum(bytes_of_rows(rows, columns) + _TEXT * text for rows, text in sizes)


def bytes_of_rows(rows: float, columns: Columns) -> float:
    row = bytes_of_row(len(columns.scores), len(columns.by))
    beside = (columns.weight is not None) + (columns.cluster is not None)
    if beside:
        row += _SORTED + _COLUMN * beside
    if columns.ordered:
        row += _ORDERED * len(columns.scores)
    looked_at = min(rows, CHECKED) if columns.by or columns.cluster is not None else 0.0
    return rows * row + looked_at * _CHECK


def refuse_too_many(needed: float, room: float, source: str) -> None:
    if needed <= room:
        return
    needed, room = math.ceil(needed / 1e6), math.floor(room / 1e6)
    raise InputError(
        f"this needs all rows in memory at once, about {needed:,} MB, and there is room for "
        f"{room:,} MB",
        where=source,
        fix=f"raise memory= by {needed - room:,} MB, take a sample, or choose a measure that "
        f"needs only summaries, such as the AUC",
    )


class InMemory:
    """A source whose rows are read once, validated and kept.

    ``room`` limits the bytes of rows that a column of frequencies repeats. ``copy_of`` then
    contains the original row of each repeated row.
    """

    name: EngineName = "memory"

    def __init__(self, data: Any, columns: Columns, room: float = math.inf) -> None:
        self.data = data
        self._room = room
        self.columns = columns
        self.source = ""
        self.pos_label = columns.pos_label
        self.segments: Segments | None = None
        self.warnings: tuple[Remark, ...] = ()
        self.copy_of: NDArray[np.intp] | None = None
        self.cluster: NDArray[np.int64] | None = None
        self.cluster_keys: NDArray[Any] | None = None

    @property
    def rows(self) -> int:
        return len(self._table)

    @property
    def others(self) -> Mapping[str, NDArray[np.int64]]:
        """The values of each further column that has few, as numbers."""
        return self._table.others

    def check(self) -> None:
        """Read all columns and check them, except for the scores, which `rows_of` checks."""
        columns, wanted = self.columns, self.columns.wanted
        table = read_table(
            self.data, labels=wanted.labels, numbers=wanted.numbers, keys=wanted.keys,
            every=columns.check_columns,
        )  # fmt: skip
        if columns.frequency is not None:
            name = f"column {columns.frequency!r}"
            counts = frequencies(table[columns.frequency], len(table), name, rows=table.rows)
            needed = bytes_of_rows(int(counts.sum()), columns)
            refuse_too_many(needed, self._room, table.source)
            if counts.max() > 1:
                self.copy_of = np.repeat(np.arange(len(table)), counts)
            table = table.repeated(counts)
        self.take(table)

    def take(self, table: Table) -> None:
        """Check the columns of a table, except for the scores and ordered outcomes."""
        columns = self.columns
        self._table = table
        self.source, self.warnings = table.source, table.warnings
        if isinstance(columns.pos_label, TextLabel):
            self.pos_label = pos_label_from_text(columns.pos_label, table[columns.label])
        if not columns.ordered:
            self._positive = positives(
                table[columns.label],
                pos_label=self.pos_label,
                name=f"column {columns.label!r}",
                rows=table.rows,
            )
        self._weight = None
        if columns.weight is not None:
            name = f"column {columns.weight!r}"
            self._weight = sample_weights(
                table[columns.weight], len(table), name=name, rows=table.rows
            )
        if columns.cluster is not None:
            name = f"column {columns.cluster!r}"
            self.cluster, self.cluster_keys = codes(
                table[columns.cluster], name=name, rows=table.rows
            )
        if columns.by:
            self.segments = segments_of(table, columns.by)

    def rows_of(self, score: str) -> tuple[BinaryRows, NDArray[np.bool_] | None]:
        """Return the rows that have the score, and a mask of them where some rows lack it."""
        values = scores(
            self._table[score],
            name=f"column {score!r}",
            rows=self._table.rows,
            nan="raise" if self.columns.nan == "raise" else "allow",
        )
        rows = binary_rows(
            self._positive,
            values,
            sample_weight=self._weight,
            cluster=self.cluster,
            lower_is_better=self.columns.lower_is_better,
            nan=self.columns.nan,
        )
        return rows, ~np.isnan(values) if rows.omitted else None

    def complete_rows(self) -> ModelRows:
        return model_rows(
            self._positive,
            {name: self._table[name] for name in self.columns.scores},
            sample_weight=self._weight,
            cluster=self.cluster,
            lower_is_better=self.columns.lower_is_better,
            nan=self.columns.nan,
            word="column",
            rows=self._table.rows,
        )

    def ordered_rows(
        self, scores: Sequence[str] | None = None, segment: int | None = None
    ) -> AlignedScores:
        """Return rows with ordered outcomes that have these scores, or every score."""
        columns, rows_of = self.columns, slice(None)
        if segment is not None:
            assert self.segments is not None
            rows_of = self.segments.code == segment
        weight, cluster = (
            None if values is None else values[rows_of] for values in (self._weight, self.cluster)
        )
        names = columns.scores if scores is None else scores
        return outcome_rows(
            self._table[columns.label][rows_of],
            {name: self._table[name][rows_of] for name in names},
            sample_weight=weight, cluster=cluster, lower_is_better=columns.lower_is_better,
            nan=columns.nan, word="column", name=f"column {columns.label!r}", rows=self._table.rows,
        )  # fmt: skip

    def groups_of(self, kept: NDArray[np.bool_] | None) -> Groups | None:
        if self.segments is None:
            return None
        code, left_out = self.segments.code, None
        if kept is not None:
            code, left_out = code[kept], code[~kept]
        return Groups.of(code, len(self.segments), left_out)

    def clusters_apart(self) -> bool:
        if self.cluster is None or self.segments is None:
            return True
        code, cluster = self.segments.code, self.cluster
        least = np.full(int(cluster.max()) + 1, np.iinfo(np.int64).max)
        np.minimum.at(least, cluster, code)
        return bool((least[cluster] == code).all())

    def close(self) -> None:
        """Do nothing."""


_UNITS = {
    "": 1, "b": 1,
    "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
}  # fmt: skip
_OPENING_TEXT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*")


def byte_count(text: str, option: str) -> int:
    """Parse a number of bytes, with or without a unit: 1 MB is 1,000,000 bytes, 1 MiB 1,048,576.

    >>> byte_count("1MB", "--size"), byte_count("0.5 KiB", "--size"), byte_count("2000", "--size")
    (1000000, 512, 2000)
    """
    match = _OPENING_TEXT.fullmatch(text)
    if match is None or match[2].lower() not in _UNITS:
        raise InputError(
            "this is not a number of bytes", where=option, value=text, fix="write for example 500MB"
        )
    return int(float(match[1]) * _UNITS[match[2].lower()])


def open_engine(source: Any, columns: Columns, reading: Reading = Reading()) -> Engine | InMemory:
    """Open the engine for a source.

    Spark sorts a Spark dataframe. DuckDB sorts a DuckDB relation, a lazy frame, and files that need
    more than ``memory``, in bytes or as text such as "1GB". All other sources are read into memory.
    """
    limit, threads, progress = _limit(reading.memory), reading.threads, reading.progress
    if threads is not None:
        whole(threads, "threads")
    one_of(columns.nan, ("raise", "omit"), "nan")
    library = type(source).__module__.partition(".")[0]
    if library == "pyspark":
        from rocsolid.engines.spark import open_spark

        return open_spark(source, columns, memory=limit, threads=threads, progress=progress)
    if is_path(source):
        if limit is None:
            return InMemory(source, columns)
        if source == "-" or fits(table_files(source), columns, limit):
            return InMemory(source, columns, limit - BESIDE)
    if is_path(source) or library in ("duckdb", "_duckdb") or _is_lazy(source):
        from rocsolid.engines.duckdb import open_duckdb

        return open_duckdb(source, columns, memory=limit, threads=threads, progress=progress)
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


def _is_lazy(source: Any) -> bool:
    import narwhals as nw

    return isinstance(nw.from_native(source, pass_through=True), nw.LazyFrame)


def checked(engine: Engine | InMemory, *, needs_rows: bool) -> Engine | InMemory:
    """Check the engine, and collect its rows if all of them are needed at once.

    Collecting closes the engine first, because its data also use memory.
    """
    engine.check()
    if isinstance(engine, InMemory) or not needs_rows:
        return engine
    return collected(engine)


def collected(engine: Engine) -> InMemory:
    check_room(engine, engine.columns, engine.rows)
    source, room = engine.source, engine.room
    engine.close()
    rows = InMemory(engine.data, engine.columns, room)
    rows.check()
    rows.source = source
    return rows


def has_room(engine: Engine) -> bool:
    try:
        check_room(engine, engine.columns, engine.rows)
    except InputError:
        return False
    return True


def check_room(engine: Engine | InMemory, columns: Columns, rows: int | None = None) -> None:
    if isinstance(engine, InMemory):
        return
    if is_path(engine.data):
        needed = bytes_of_files(table_files(engine.data), columns)
    else:
        needed = bytes_of_rows(_count(engine.data) if rows is None else rows, columns)
    refuse_too_many(needed, engine.room, engine.source)


def _count(frame: Any) -> int:
    import narwhals as nw

    return int(nw.from_native(frame).lazy().select(nw.len()).collect().item())

"""The engine for rows that are in memory or fit there; it gives rows and groups of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.capabilities import EngineName
from rocsolid.engines.engine import Columns
from rocsolid.engines.fits import bytes_of_rows, refuse_too_many
from rocsolid.inputs import (
    BinaryRows,
    TextLabel,
    binary_rows,
    codes,
    pos_label_from_text,
    positives,
    read_table,
    sample_weights,
    scores,
)
from rocsolid.inputs.models import ModelRows, model_rows
from rocsolid.inputs.segments import Segments, segments_of
from rocsolid.inputs.weights import frequencies
from rocsolid.remarks.remark import Remark
from rocsolid.summaries.groups import Groups


class InMemory:
    """A source whose rows are read once, validated, and kept.

    It is opened and checked as every engine is. What the others reduce, whoever asks makes of
    ``rows_of`` and ``groups_of``. ``room`` is what rows of a table of counts may take, written out;
    ``copy_of`` then says which row of the table each of them is.
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

    @property
    def rows(self) -> int:
        return len(self._table)

    def check(self) -> None:
        """Read all, and check what is shared; scores are checked where they are requested."""
        columns, wanted = self.columns, self.columns.wanted
        table = read_table(
            self.data, labels=wanted.labels, numbers=wanted.numbers, keys=wanted.keys
        )
        if columns.frequency is not None:
            name = f"column {columns.frequency!r}"
            counts = frequencies(table[columns.frequency], len(table), name, rows=table.rows)
            needed = bytes_of_rows(int(counts.sum()), columns)
            refuse_too_many(needed, self._room, table.source)
            if counts.max() > 1:
                self.copy_of = np.repeat(np.arange(len(table)), counts)
            table = table.repeated(counts)
        self._table = table
        self.source, self.warnings = table.source, table.warnings
        if isinstance(columns.pos_label, TextLabel):
            self.pos_label = pos_label_from_text(columns.pos_label, table[columns.label])
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
            self.cluster = codes(table[columns.cluster], name=name, rows=table.rows)[0]
        if columns.by:
            self.segments = segments_of(table, columns.by)

    def rows_of(self, score: str) -> tuple[BinaryRows, NDArray[np.bool_] | None]:
        """The rows that have the score, and which they are where some lack it."""
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
        """The rows that have every score."""
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

    def groups_of(self, kept: NDArray[np.bool_] | None) -> Groups | None:
        """The segments of the rows that are kept; ``None`` where no column names any."""
        if self.segments is None:
            return None
        code, left_out = self.segments.code, None
        if kept is not None:
            code, left_out = code[kept], code[~kept]
        return Groups.of(code, len(self.segments), left_out)

    def clusters_apart(self) -> bool:
        """Whether no cluster has rows in two segments."""
        if self.cluster is None or self.segments is None:
            return True
        code, cluster = self.segments.code, self.cluster
        least = np.full(int(cluster.max()) + 1, np.iinfo(np.int64).max)
        np.minimum.at(least, cluster, code)
        return bool((least[cluster] == code).all())

    def close(self) -> None:
        """There is nothing to give up."""

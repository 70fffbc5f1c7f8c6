"""The wanted columns of a source as a query, and where in the source a row is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rocsolid.engines.duckdb.limited import Limited
from rocsolid.inputs.rows import SHOWN, Rows

Text = Literal["csv", "jsonl"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A file, or the one table of another source: its query, and how its rows are named."""

    query: str
    rows: Rows
    diagnose: Callable[[Exception], Exception]
    """The error for a piece that could not be read, from the one that DuckDB gave."""


@dataclass(frozen=True, slots=True)
class Scan:
    """``query`` selects all wanted columns under their own names, in the source's order.

    ``types`` are DuckDB's. Where the source is ``text``, the columns are text as in the files, and
    their types are still to be found; columns in ``typed`` (from the names of folders) are not.
    """

    name: str
    query: str
    types: dict[str, str]
    pieces: tuple[Piece, ...]
    suspects: tuple[str, ...] = ()
    """The columns that are named like folds of a cross-validation, and not wanted."""
    text: Text | None = None
    typed: frozenset[str] = frozenset()
    semicolons: bool = False
    """Whether semicolons stand between the cells, where numbers may have a decimal comma."""

    def where(self, db: Limited, column: str, bad: str) -> str:
        """The rows for which ``bad`` holds, in words, for an error; there must be one."""
        counts = []
        location = ""
        for piece in self.pieces:
            (count,) = db.rows(f"SELECT count(*) FILTER (WHERE {bad}) FROM ({piece.query})")[0]
            if count and not location:
                at = db.rows(
                    f"SELECT n FROM (SELECT row_number() OVER () - 1 AS n, * FROM ({piece.query}))"
                    f" WHERE {bad} ORDER BY n LIMIT {SHOWN}"
                )
                location = piece.rows.name_first([n for (n,) in at], count)
            elif count:
                counts.append(count)
        more = f", and {sum(counts):,} more in other files" if counts else ""
        return f"column {column!r}, {location}{more}"

    def unreadable(self, db: Limited, error: Exception) -> Exception:
        """The error that names the piece that cannot be read, if reading one by one finds it."""
        from rocsolid.engines.duckdb.faults import UnreadableError

        for piece in self.pieces:
            try:
                # a checksum of every column makes sure that every value is decoded
                for _ in db.stream(f"SELECT {', '.join(self._decoded())} FROM ({piece.query})"):
                    pass
            except UnreadableError as found:
                return piece.diagnose(found)
        return error

    def _decoded(self) -> list[str]:
        from rocsolid.engines.duckdb.sql_text import name

        return [f"bit_xor(hash({name(column)}))" for column in self.types]

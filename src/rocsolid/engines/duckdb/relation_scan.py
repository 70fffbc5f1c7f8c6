"""A DuckDB relation: its wanted columns are copied, so that the limits of the engine hold."""

from __future__ import annotations

from typing import Any

from rocsolid.engines.duckdb.faults import explained
from rocsolid.engines.duckdb.limited import Limited, reader
from rocsolid.engines.duckdb.scan import Piece, Scan
from rocsolid.engines.duckdb.sql_text import name
from rocsolid.inputs.rows import ARRAY_ROWS
from rocsolid.inputs.wanted import Wanted


def scan_relation(relation: Any, wanted: Wanted, db: Limited) -> Scan:
    """The relation runs once, on its own connection and with that connection's settings.

    Sorting takes place on the copy, which is in the temporary folder: nothing is set or made on a
    connection that somebody else works with.
    """
    wanted.check(relation.columns, "the relation")
    kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
    types = {column: kinds[column] for column in wanted.names}
    chosen = ", ".join(map(name, wanted.names))
    with explained(db.spill):
        table = db.copied(reader(relation.project(chosen)))
    query = f"SELECT {chosen} FROM {table}"
    return Scan("the relation", query, types, (Piece(query, ARRAY_ROWS, lambda error: error),))

"""The columns of a scan in types that are compared as in memory; others are refused."""

from __future__ import annotations

from typing import Any

from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.scan import Scan
from rocsolid.engines.duckdb.sql_text import name
from rocsolid.engines.duckdb.text_columns import Typed, text_columns
from rocsolid.errors import InputError
from rocsolid.inputs import refusals
from rocsolid.inputs.arrays import column as valid_column
from rocsolid.inputs.scores import scores
from rocsolid.inputs.wanted import Wanted

INTEGERS = {
    "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT",
    "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
}  # fmt: skip
FLOATS = {"FLOAT", "DOUBLE"}


def typed_columns(scan: Scan, wanted: Wanted, db: Limited) -> dict[str, Typed]:
    """For each wanted column its expression and type; booleans in the place of numbers are 0, 1."""
    if scan.text is not None:
        typed = text_columns(scan, wanted, db)
    else:
        typed = {column: (name(column), scan.types[column]) for column in wanted.names}
    for column in wanted.names:
        expression, kind = typed[column]
        if column in wanted.numbers:
            if kind not in INTEGERS | FLOATS:
                raise _no_numbers(scan, column, kind, db)
            if kind == "BOOLEAN":
                typed[column] = f"CAST({expression} AS UTINYINT)", "UTINYINT"
        elif kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
            raise refusals.of_lists(f"column {column!r}", kind)
    return typed


def missing(expression: str, kind: str) -> str:
    """The condition for a missing value.

    isnan() is not used: DuckDB answers it from the ranges that a Parquet file states for its
    columns, which leave NaN out, so ``WHERE NOT isnan(s)`` keeps NaN (2.0.0).

    >>> missing("s", "DOUBLE"), missing("s", "BIGINT")
    ('(s IS NULL OR NOT (isfinite(s) OR isinf(s)))', '(s IS NULL)')
    """
    if kind in FLOATS:
        return f"({expression} IS NULL OR NOT (isfinite({expression}) OR isinf({expression})))"
    return f"({expression} IS NULL)"


def _no_numbers(scan: Scan, column: str, kind: str, db: Limited) -> InputError:
    """The error that the in-memory reader gives for the first value of such a column."""
    quoted = name(column)
    there = f"{quoted} IS NOT NULL"
    values: Any = db.arrow(
        f"SELECT {quoted} FROM ({scan.query}) WHERE {quoted} IS NOT NULL LIMIT 1"
    )
    try:
        scores(valid_column(values[column], f"column {column!r}"), name=f"column {column!r}")
    except InputError as error:
        where = scan.where(db, column, there) if error.value is not None else None
        return InputError(error.what, where=where or error.where, value=error.value, fix=error.fix)
    return InputError(
        "scores must be numbers", where=f"column {column!r}", value=kind, fix="convert them first"
    )

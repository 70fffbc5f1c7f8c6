"""A missing value where there must be one: how many, and the file and the row of the first."""

from __future__ import annotations

from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.scan import Scan
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import FILL_OR_DROP, missing_text


def refuse_missing(
    scan: Scan, db: Limited, column: str, absent: str, count: int, fix: str = FILL_OR_DROP
) -> None:
    """An error unless ``count``, of the rows for which ``absent`` holds, is 0."""
    if count:
        raise InputError(missing_text(count), where=scan.where(db, column, absent), fix=fix)


def count_of(scan: Scan, db: Limited, conditions: list[str]) -> list[int]:
    """For how many rows each condition holds, in one pass."""
    counts = ", ".join(f"count(*) FILTER (WHERE {each})" for each in conditions)
    return [int(count) for count in db.rows(f"SELECT {counts} FROM ({scan.query})")[0]]

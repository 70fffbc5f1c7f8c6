"""The queries that sort: the only work that DuckDB's memory limit and temporary files are for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rocsolid.engines.duckdb.checked import CheckedSource, Score
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.row_feed import RowFeed


@dataclass(frozen=True, slots=True)
class Codes:
    """A table that gives the values of some columns a number from 0 on."""

    table: str
    columns: tuple[str, ...]
    count: int

    def join(self, name: str) -> str:
        """The clause that adds the number as ``name.code``."""
        same = " AND ".join(f"rows.{column} = {name}.{column}" for column in self.columns)
        return f"JOIN {self.table} AS {name} ON {same}"


def numbered(db: Limited, table: CheckedSource, columns: tuple[str, ...], where: str) -> Codes:
    """The combinations of values that occur, in ascending order."""
    named = ", ".join(columns)
    made = db.made(
        f"SELECT {named}, row_number() OVER (ORDER BY {named}) - 1 AS code"
        f" FROM (SELECT DISTINCT {named} FROM ({table.query}) WHERE {where})"
    )
    ((count,),) = db.rows(f"SELECT count(*) FROM {made}")
    return Codes(made, columns, count)


def sorted_rows(
    db: Limited,
    table: CheckedSource,
    score: Score,
    *,
    descending: bool,
    segments: Codes | None = None,
    clusters: Codes | None = None,
    weighted: bool = False,
    where: str = "true",
    beside: bool = False,
    seen: Callable[[int], None] | None = None,
) -> RowFeed:
    """All rows that have the score, segment after segment, lower ones first.

    ``descending`` sorts the other way round, for scores of which a lower one is better.
    """
    chosen = ["p", f"{score.value} AS s"]
    joins, order = [], "s DESC" if descending else "s"
    if weighted:
        chosen.append("w")
    if segments is not None:
        chosen.append("g.code AS g")
        joins.append(segments.join("g"))
        order = f"g, {order}"
    if clusters is not None:
        chosen.append("c.code AS c")
        joins.append(clusters.join("c"))
    query = (
        f"SELECT {', '.join(chosen)} FROM ({table.query}) AS rows {' '.join(joins)}"
        f" WHERE NOT {score.missing} AND {where} ORDER BY {order}"
    )
    return RowFeed(db.stream(query, beside=beside), descending, seen)

"""The check of all rows, and queries over checked rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.engines.check import RowCounts, Tally, refuse_missing, sums_by_label
from rocsolid.engines.duckdb.columns import (
    FLOATS,
    MOST,
    Scan,
    check_few,
    counts_of,
    label_values,
    missing,
    missing_labels,
    positive_values,
    typed_columns,
)
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.row_feed import RowFeed
from rocsolid.engines.duckdb.sql_text import text
from rocsolid.engines.engine import Columns
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import of_bad_weights, of_lost_digits
from rocsolid.inputs.rows import EXACT_IN_FLOAT64


@dataclass(frozen=True, slots=True)
class Score:
    """A score column: its name and its type in the table's query."""

    column: str
    name: str
    kind: str

    @property
    def missing(self) -> str:
        return missing(self.name, self.kind)

    @property
    def value(self) -> str:
        return f"CAST({self.name} AS {self.kind})"


@dataclass(frozen=True, slots=True)
class CheckedSource:
    """A source with valid rows.

    ``query`` selects each row's class ``p`` (1 or 0), scores ``s0``, ``s1``, …, weight ``w``,
    cluster ``c`` and segment keys ``b0``, ``b1``, …
    """

    query: str
    counted: RowCounts
    scores: dict[str, Score]
    weighted: bool
    keys: tuple[str, ...]
    pos_label: Any
    """The positive label in the type of the labels."""

    def complete(self) -> CheckedSource:
        """Return the rows that have every score."""
        counted = self.counted
        if not counted.missing():
            return self
        kept = " AND ".join(f"NOT {score.missing}" for score in self.scores.values())
        groups = dict.fromkeys(self.scores, counted.all_scores)
        return replace(
            self,
            query=f"SELECT * FROM ({self.query}) WHERE {kept}",
            counted=replace(counted, groups=groups),
        )


def checked(scan: Scan, columns: Columns, db: Limited) -> CheckedSource:
    types = typed_columns(scan, columns.wanted, db)
    label, kind = types[columns.label]
    scores = {
        column: Score(column, f"s{i}", types[column][1]) for i, column in enumerate(columns.scores)
    }
    given = {name: types[column][0] for name, column in columns.short.items()}
    absent = {name: missing(name, types[column][1]) for name, column in columns.short.items()}
    if columns.weight is not None:
        given["w"] = f"CAST({types[columns.weight][0]} AS DOUBLE)"
        absent["w"] = _bad("w")
    table = f"SELECT {', '.join(f'{sql} AS {name}' for name, sql in given.items())} FROM "
    table += f"({scan.query})"
    check_few(db, table, columns.label)
    by_label = _by_label(db, table, sums_by_label(columns, absent))
    if not len(by_label["n"]):
        raise InputError(
            "the table has a header but no rows", where=scan.name, fix="write at least one row"
        )

    def where(name: str) -> str:
        column = columns.short[name]
        return scan.where(db, column, missing(*types[column]))

    tally = Tally(columns, by_label, where)
    tally.check_keys()
    if columns.weight is not None:
        if by_label["no_w"].any():
            raise _bad_weight(scan, db, columns.weight, given["w"])
        tally.check_total()
    labels = label_values(scan, columns.label, by_label["l"])
    if (lacking := missing_labels(labels)).any():
        spelled = _among("VARCHAR", by_label["spelled"][lacking], f"CAST({label} AS VARCHAR)")
        location = scan.where(db, columns.label, spelled)
        refuse_missing(int(by_label["n"][lacking].sum()), lambda: location)
    positive, pos_label = positive_values(labels, columns.label, columns.pos_label)
    counted = tally.counted(positive)
    for column, score in list(scores.items()):
        if counted.groups[column].omitted and score.kind not in FLOATS:
            scores[column] = _as_float(scan, db, score, *types[column])
    is_positive = _among(kind, by_label["spelled"][positive])
    query = f"SELECT CAST({is_positive} AS TINYINT) AS p, * FROM ({table})"
    keys = tuple(name for name in columns.short if name.startswith("b"))
    return CheckedSource(query, counted, scores, columns.weight is not None, keys, pos_label)


def _by_label(db: Limited, table: str, sums: dict[str, str]) -> dict[str, Any]:
    each = ", ".join(f"{sql} AS {name}" for name, sql in sums.items())
    rows = db.arrow(
        f"SELECT l, CAST(l AS VARCHAR) AS spelled, {each} FROM ({table})"
        f" GROUP BY l ORDER BY l LIMIT {MOST + 1}"
    )
    columns = {name: rows[name].to_numpy() for name in rows.column_names if name != "l"}
    return {**columns, "l": rows["l"]}


def _among(kind: str, spelled: Any, label: str = "l") -> str:
    if not len(spelled):
        return "false"
    return f"{label} IN ({', '.join(f'CAST({text(each)} AS {kind})' for each in spelled)})"


def _bad(weight: str) -> str:
    return f"({weight} IS NULL OR NOT ({weight} >= 0 AND isfinite({weight})))"


def _bad_weight(scan: Scan, db: Limited, column: str, weight: str) -> InputError:
    # FILTER checks each row; WHERE would use the value ranges of a Parquet file, which ignore NaN
    bad = _bad(weight)
    query = f"SELECT any_value({weight}) FILTER (WHERE {bad}) FROM ({scan.query})"
    bad_value: Any = db.rows(query)[0][0]
    value = float("nan") if bad_value is None else bad_value
    return of_bad_weights(scan.where(db, column, bad), value)


def _as_float(scan: Scan, db: Limited, score: Score, expression: str, kind: str) -> Score:
    """Turn integers with gaps into floats, as in memory, if each has an exact float."""
    if kind in ("BIGINT", "UBIGINT"):
        rounded = (
            f"abs(CAST({expression} AS HUGEINT)) > {EXACT_IN_FLOAT64} AND "
            f"CAST(CAST({expression} AS DOUBLE) AS HUGEINT) <> CAST({expression} AS HUGEINT)"
        )
        if counts_of(db, scan.query, rounded)[0]:
            raise of_lost_digits(scan.where(db, score.column, missing(expression, kind)))
    return replace(score, kind="DOUBLE")


@dataclass(frozen=True, slots=True)
class Codes:
    """A table that numbers the values of some columns from 0."""

    table: str
    columns: tuple[str, ...]
    count: int

    def join(self, name: str) -> str:
        """Return the clause that adds the number as ``name.code``."""
        same = " AND ".join(f"rows.{column} = {name}.{column}" for column in self.columns)
        return f"JOIN {self.table} AS {name} ON {same}"


def numbered(db: Limited, table: CheckedSource, columns: tuple[str, ...], where: str) -> Codes:
    named = ", ".join(columns)
    table_of = db.table(
        f"AS SELECT {named}, row_number() OVER (ORDER BY {named}) - 1 AS code"
        f" FROM (SELECT DISTINCT {named} FROM ({table.query}) WHERE {where})"
    )
    ((count,),) = db.rows(f"SELECT count(*) FROM {table_of}")
    return Codes(table_of, columns, count)


def sorted_rows(
    db: Limited,
    table: CheckedSource,
    score: Score,
    *,
    descending: bool,
    segments: Codes | None = None,
    clusters: Codes | None = None,
    weighted: bool = False,
    beside: bool = False,
    seen: Callable[[int], None] | None = None,
) -> RowFeed:
    """Return all rows that have the score, by segment and ascending score.

    ``descending`` reverses the scores if lower scores are better.
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
        f" WHERE NOT {score.missing} ORDER BY {order}"
    )
    return RowFeed(db.stream(query, beside=beside), descending, seen)

"""The check of all rows, and queries over checked rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.engines.check import RowCounts, Sizes, refuse_missing
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
from rocsolid.inputs.arrays import of_bad_weights, of_huge_weights, of_lost_digits
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
    rows: int
    scores: dict[str, Score]
    sizes: dict[str, Sizes]
    weighted: bool
    keys: tuple[str, ...]
    pos_label: Any
    """The positive label in the type of the labels."""

    def complete(self, db: Limited) -> CheckedSource:
        if not any(omitted for _, _, omitted in self.sizes.values()):
            return self
        kept = " AND ".join(f"NOT {score.missing}" for score in self.scores.values())
        query = f"SELECT * FROM ({self.query}) WHERE {kept}"
        counts = dict(db.rows(f"SELECT p, count(*) FROM ({query}) GROUP BY p"))
        sizes = counts.get(1, 0), counts.get(0, 0)
        if not counts:
            raise InputError(
                "no row has all of its scores",
                where=", ".join(f"column {name!r}" for name in self.scores),
            )
        omitted = self.rows - sum(sizes)
        return replace(self, query=query, sizes=dict.fromkeys(self.sizes, (*sizes, omitted)))


def checked(scan: Scan, columns: Columns, db: Limited) -> CheckedSource:
    types = typed_columns(scan, columns.wanted, db)
    label, kind = types[columns.label]
    scores = {
        column: Score(column, f"s{i}", types[column][1]) for i, column in enumerate(columns.scores)
    }
    present = {"l": columns.label, **{f"b{i}": column for i, column in enumerate(columns.by)}}
    if columns.cluster is not None:
        present["c"] = columns.cluster
    columns_of = present | {score.name: column for column, score in scores.items()}
    given = {name: types[column][0] for name, column in columns_of.items()}
    absent = {name: missing(*types[column]) for name, column in columns_of.items()}
    if columns.weight is not None:
        w = given["w"] = f"CAST({types[columns.weight][0]} AS DOUBLE)"
        absent["w"] = f"({w} IS NULL OR NOT ({w} >= 0 AND isfinite({w})))"
    table = f"SELECT {', '.join(f'{sql} AS {name}' for name, sql in given.items())} FROM "
    table += f"({scan.query})"
    check_few(db, table, columns.label)
    by_label = _by_label(db, scan, label, absent)
    counts = RowCounts(
        scan.name,
        by_label["n"],
        {column: by_label[f"no_{name}"] for name, column in columns_of.items()},
        lambda column: scan.where(db, column, missing(*types[column])),
    )
    if not len(by_label["n"]):
        raise InputError(
            "the table has a header but no rows", where=scan.name, fix="write at least one row"
        )
    counts.check_keys(columns)
    if columns.weight is not None:
        if by_label["no_w"].any():
            raise _bad_weight(scan, db, columns.weight, given["w"], absent["w"])
        _check_total(db, table, columns.weight)
    labels = label_values(scan, columns.label, by_label["l"])
    if (lacking := missing_labels(labels)).any():
        spelled = _among("VARCHAR", by_label["spelled"][lacking], f"CAST({label} AS VARCHAR)")
        where = scan.where(db, columns.label, spelled)
        refuse_missing(int(by_label["n"][lacking].sum()), lambda: where)
    positive, pos_label = positive_values(labels, columns.label, columns.pos_label)
    sizes = counts.sizes(columns, positive)
    for column, score in list(scores.items()):
        if sizes[column][2] and score.kind not in FLOATS:
            scores[column] = _as_float(scan, db, score, *types[column])
    is_positive = _among(kind, by_label["spelled"][positive])
    query = f"SELECT CAST({is_positive} AS TINYINT) AS p, * FROM ({table})"
    keys = tuple(name for name in present if name.startswith("b"))
    rows, weighted = int(by_label["n"].sum()), columns.weight is not None
    return CheckedSource(query, rows, scores, sizes, weighted, keys, pos_label)


def _by_label(db: Limited, scan: Scan, label: str, absent: dict[str, str]) -> dict[str, Any]:
    counts = ", ".join(
        f"count(*) FILTER (WHERE {condition}) AS no_{name}" for name, condition in absent.items()
    )
    table = db.arrow(
        f"SELECT {label} AS l, CAST({label} AS VARCHAR) AS spelled, count(*) AS n, {counts}"
        f" FROM ({scan.query}) GROUP BY ALL ORDER BY l LIMIT {MOST + 1}"
    )
    columns = {name: table[name].to_numpy() for name in table.column_names if name != "l"}
    return {**columns, "l": table["l"]}


def _among(kind: str, spelled: Any, label: str = "l") -> str:
    if not len(spelled):
        return "false"
    return f"{label} IN ({', '.join(f'CAST({text(each)} AS {kind})' for each in spelled)})"


def _bad_weight(scan: Scan, db: Limited, column: str, weight: str, bad: str) -> InputError:
    # FILTER checks each row; WHERE would use the value ranges of a Parquet file, which ignore NaN
    query = f"SELECT any_value({weight}) FILTER (WHERE {bad}) FROM ({scan.query})"
    bad_value: Any = db.rows(query)[0][0]
    value = float("nan") if bad_value is None else bad_value
    return of_bad_weights(scan.where(db, column, bad), value)


def _check_total(db: Limited, table: str, column: str) -> None:
    ((total, largest),) = db.rows(f"SELECT sum(w / 2e16), max(w) FROM ({table})")
    if total * 2e16 == float("inf"):
        raise of_huge_weights(f"column {column!r}", value=largest)


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

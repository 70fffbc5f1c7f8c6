"""The check of all rows, and queries over checked rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.engines.check import MOST_LABELS, RowCounts, check_rows, refuse_missing
from rocsolid.engines.duckdb.columns import (
    FLOATS,
    Scan,
    Typed,
    check_few,
    counts_of,
    missing,
    missing_labels,
    read_from_text,
    typed_columns,
)
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.row_feed import RowFeed
from rocsolid.engines.duckdb.sql_text import text
from rocsolid.engines.engine import Columns
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import of_lost_digits
from rocsolid.inputs.rows import EXACT_IN_FLOAT64


@dataclass(frozen=True, slots=True)
class Score:
    """A score column: its name and its type in the table's query."""

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
    rows = _ScanRows.of(scan, columns, db, types)
    absent = {name: missing(name, types[column][1]) for name, column in columns.short.items()}
    if columns.weight is not None:
        absent["w"] = "(w IS NULL OR NOT (w >= 0 AND isfinite(w)))"
    counted = check_rows(rows, columns, absent)
    scores = {}
    for i, column in enumerate(columns.scores):
        score = Score(f"s{i}", types[column][1])
        if counted.groups[column].omitted and score.kind not in FLOATS:
            score = _as_float(rows, score)
        scores[column] = score
    is_positive = _among(types[columns.label][1], counted.sums["spelled"][counted.positive])
    query = f"SELECT CAST({is_positive} AS TINYINT) AS p, * FROM ({rows.query(scan.query)})"
    keys = tuple(name for name in columns.short if name.startswith("b"))
    return CheckedSource(query, counted, scores, columns.weight is not None, keys)


@dataclass(frozen=True, slots=True)
class _ScanRows:
    """The rows of a source with short names; see `rocsolid.engines.check.LocatedRows`."""

    scan: Scan
    columns: Columns
    db: Limited
    given: str

    @classmethod
    def of(cls, scan: Scan, columns: Columns, db: Limited, types: dict[str, Typed]) -> _ScanRows:
        values = {name: types[column][0] for name, column in columns.short.items()}
        if columns.weight is not None:
            values["w"] = f"CAST({values['w']} AS DOUBLE)"
        return cls(scan, columns, db, ", ".join(f"{sql} AS {n}" for n, sql in values.items()))

    def query(self, query: str) -> str:
        return f"SELECT {self.given} FROM ({query})"

    def by_label(self, sums: Mapping[str, str]) -> dict[str, Any]:
        query, label = self.query(self.scan.query), self.columns.label
        check_few(self.db, query, label)
        each = ", ".join(f"{sql} AS {name}" for name, sql in sums.items())
        rows = self.db.arrow(
            f"SELECT l, CAST(l AS VARCHAR) AS spelled, {each} FROM ({query})"
            f" GROUP BY l ORDER BY l LIMIT {MOST_LABELS + 1}"
        )
        columns = {name: rows[name].to_numpy() for name in rows.column_names if name != "l"}
        labels = rows["l"]
        if not len(labels):
            raise InputError(
                "the table has a header but no rows",
                where=self.scan.name,
                fix="write at least one row",
            )
        if self.scan.text and label not in self.scan.typed and not labels.null_count:
            if len(labels) <= MOST_LABELS:
                labels = read_from_text(labels, self.scan)
            lacking = missing_labels(labels)
            spelled = _among("VARCHAR", columns["spelled"][lacking])
            refuse_missing(int(columns["n"][lacking].sum()), lambda: self.where("l", spelled))
        return {**columns, "l": labels}

    def where(self, name: str, bad: str) -> str:
        return self.scan.where(self.db, self.columns.short[name], bad, self.given)

    def first(self, name: str, bad: str) -> Any:
        # FILTER checks each row; WHERE would use the value ranges of a Parquet file without NaN
        query = (
            f"SELECT any_value({name}) FILTER (WHERE {bad}) FROM ({self.query(self.scan.query)})"
        )
        return self.db.rows(query)[0][0]


def _among(kind: str, spelled: Any) -> str:
    if not len(spelled):
        return "false"
    return f"l IN ({', '.join(f'CAST({text(each)} AS {kind})' for each in spelled)})"


def _as_float(rows: _ScanRows, score: Score) -> Score:
    """Turn integers with gaps into floats, as in memory, if each has an exact float."""
    if score.kind in ("BIGINT", "UBIGINT"):
        whole = f"CAST({score.name} AS HUGEINT)"
        rounded = (
            f"abs({whole}) > {EXACT_IN_FLOAT64} AND "
            f"CAST(CAST({score.name} AS DOUBLE) AS HUGEINT) <> {whole}"
        )
        if counts_of(rows.db, rows.query(rows.scan.query), rounded)[0]:
            raise of_lost_digits(rows.where(score.name, score.missing))
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
        joins.append(segments.join("g"))
        order = f"g.code, {order}"
    if clusters is not None:
        chosen.append("c.code AS c")
        joins.append(clusters.join("c"))
    query = (
        f"SELECT {', '.join(chosen)} FROM ({table.query}) AS rows {' '.join(joins)}"
        f" WHERE NOT {score.missing} ORDER BY {order}"
    )
    return RowFeed(db.stream(query, beside=beside), descending, seen)

"""One look at all rows before any other work: what is missing, which weights, how many of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rocsolid.engines.duckdb.label_values import positive_condition
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.refuse_missing import SCORES, count_of, refuse_missing
from rocsolid.engines.duckdb.scan import Scan
from rocsolid.engines.duckdb.typed import FLOATS, missing, typed_columns
from rocsolid.engines.engine import Columns
from rocsolid.errors import InputError
from rocsolid.inputs.number_text import EXACT_IN_FLOAT64
from rocsolid.inputs.wanted import Wanted


@dataclass(frozen=True, slots=True)
class Score:
    """A score column: its name in the table's query, its type there, and when it is missing."""

    column: str
    name: str
    kind: str

    @property
    def missing(self) -> str:
        return missing(self.name, self.kind)

    @property
    def comparable(self) -> str:
        """Its value in a type that holds every number of the column, and any bound for it."""
        return f"CAST({self.name} AS {'DOUBLE' if self.kind in FLOATS else 'HUGEINT'})"

    @property
    def value(self) -> str:
        """Its value in the kept rows."""
        return f"CAST({self.name} AS {self.kind})"


@dataclass(frozen=True, slots=True)
class Checked:
    """A source whose rows are valid.

    ``query`` gives each row's class ``p`` (1 or 0), scores ``s0``, ``s1``, …, weight ``w``, cluster
    ``c`` and segment keys ``b0``, ``b1``, …
    """

    query: str
    rows: int
    scores: dict[str, Score]
    weighted: bool
    keys: tuple[str, ...]


def wanted_of(columns: Columns) -> Wanted:
    """What each column is for."""
    numbers = (*columns.scores, *(() if columns.weight is None else (columns.weight,)))
    keys = (*columns.by, *(() if columns.cluster is None else (columns.cluster,)))
    return Wanted((columns.label,), numbers, keys)


def checked(scan: Scan, columns: Columns, db: Limited) -> Checked:
    """The table's query, after everything that is wrong with a row has been refused by its name."""
    ((rows,),) = db.rows(f"SELECT count(*) FROM ({scan.query})")
    if not rows:
        raise InputError(
            "the table has a header but no rows", where=scan.name, fix="write at least one row"
        )
    types = typed_columns(scan, wanted_of(columns), db)
    label, label_kind = types[columns.label]
    scores = {
        column: Score(column, f"s{i}", types[column][1]) for i, column in enumerate(columns.scores)
    }
    given = {score.name: types[column][0] for column, score in scores.items()}
    if columns.weight is not None:
        given["w"] = f"CAST({types[columns.weight][0]} AS DOUBLE)"
    if columns.cluster is not None:
        given["c"] = types[columns.cluster][0]
    keys = {f"b{i}": column for i, column in enumerate(columns.by)}
    given |= {name: types[column][0] for name, column in keys.items()}

    present = {"l": columns.label, **keys}
    if columns.cluster is not None:
        present["c"] = columns.cluster
    absent = {n: missing(*types[column]) for n, column in present.items()}
    if columns.weight is not None:
        w = given["w"]
        absent["w"] = f"({w} IS NULL OR NOT ({w} >= 0 AND isfinite({w})))"
    table = f"SELECT {label} AS l, {_listed(given)} FROM ({scan.query})"
    absent |= {score.name: missing(*types[column]) for column, score in scores.items()}
    count = dict(zip(absent, count_of(scan, db, list(absent.values())), strict=True))
    for n, column in present.items():
        refuse_missing(scan, db, column, absent[n], count[n])
    if columns.weight is not None and count["w"]:
        raise _bad_weight(scan, db, columns.weight, given["w"], absent["w"])
    if columns.weight is not None:
        _check_total(db, table, columns.weight)
    for score in list(scores.values()):
        lacking = count[score.name]
        if columns.nan == "raise":
            refuse_missing(scan, db, score.column, absent[score.name], lacking, SCORES)
        if lacking == rows:
            raise InputError(
                "every score is missing, so no row is left", where=f"column {score.column!r}"
            )
        if lacking and score.kind not in FLOATS:
            scores[score.column] = _as_float(scan, db, score, *types[score.column])
    positive = positive_condition(scan, db, table, columns.label, label_kind, columns.pos_label)
    query = f"SELECT CAST({positive} AS TINYINT) AS p, * EXCLUDE (l) FROM ({table})"
    return Checked(query, rows, scores, columns.weight is not None, tuple(keys))


def _listed(given: dict[str, str]) -> str:
    return ", ".join(f"{expression} AS {name}" for name, expression in given.items())


def _bad_weight(scan: Scan, db: Limited, column: str, value: str, bad: str) -> InputError:
    found: Any = db.rows(f"SELECT {value} FROM ({scan.query}) WHERE {bad} LIMIT 1")[0][0]
    return InputError(
        "weights must be finite and not negative",
        where=scan.where(db, column, bad),
        value=float("nan") if found is None else found,
        fix="give each row a finite weight of 0 or more",
    )


def _check_total(db: Limited, table: str, column: str) -> None:
    ((total, largest),) = db.rows(f"SELECT sum(w / 2e16), max(w) FROM ({table})")
    if total * 2e16 == float("inf"):
        raise InputError(
            "the weights add up to more than a float64 can hold",
            where=f"column {column!r}",
            value=largest,
            fix="divide all of them by the largest, which changes no result",
        )


def _as_float(scan: Scan, db: Limited, score: Score, expression: str, kind: str) -> Score:
    """Integers beside missing values become floats, as in memory, if a float holds each of them."""
    if kind in ("BIGINT", "UBIGINT"):
        rounded = (
            f"abs(CAST({expression} AS HUGEINT)) > {EXACT_IN_FLOAT64} AND "
            f"CAST(CAST({expression} AS DOUBLE) AS HUGEINT) <> CAST({expression} AS HUGEINT)"
        )
        ((count,),) = db.rows(f"SELECT count(*) FILTER (WHERE {rounded}) FROM ({scan.query})")
        if count:
            raise InputError(
                "a column of integers beyond 53 bits has missing values, and NaN needs a float64 "
                "that cannot hold such integers exactly",
                where=scan.where(db, score.column, missing(expression, kind)),
                fix="drop the rows with a missing value first",
            )
    return replace(score, kind="DOUBLE")

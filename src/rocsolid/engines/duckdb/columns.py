"""The needed columns of a source as a query, and the location of a row for errors."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.engines.check import MOST_LABELS, not_numbers, too_many_labels
from rocsolid.engines.duckdb.limited import Limited, UnreadableError
from rocsolid.engines.duckdb.sql_text import name, text
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import of_lists, of_long_integers, of_mixed_integers
from rocsolid.inputs.delimited import Wanted
from rocsolid.inputs.files import File
from rocsolid.inputs.rows import EXACT_IN_FLOAT64, NULLS, SHOWN, Rows, why_no_number

Text = Literal["csv", "jsonl"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A file, or the table of another source: its query, and the names of its rows."""

    query: str
    rows: Rows
    diagnose: Callable[[Exception], Exception]
    """Returns the error for an unreadable piece from DuckDB's error."""


@dataclass(frozen=True, slots=True)
class Scan:
    """``query`` selects all needed columns under their own names, in the source's order.

    ``types`` are DuckDB types. Columns of a ``text`` source are text until `typed_columns`
    determines their types, except for the columns in ``typed``, which come from folder names.
    """

    name: str
    query: str
    types: dict[str, str]
    pieces: tuple[Piece, ...]
    suspects: tuple[str, ...] = ()
    """The columns that are named like folds of a cross-validation and were not requested."""
    text: Text | None = None
    typed: frozenset[str] = frozenset()
    semicolons: bool = False
    """True if semicolons separate the cells, so that numbers may have a decimal comma."""

    def where(self, db: Limited, column: str, bad: str, given: str = "*") -> str:
        """Return the location of the rows that satisfy ``bad``, which uses the names in ``given``.

        At least one row must exist.
        """
        counts = []
        location = ""
        for piece in self.pieces:
            (count,) = counts_of(db, f"SELECT {given} FROM ({piece.query})", bad)
            if count and not location:
                at = db.rows(
                    f"SELECT n FROM (SELECT row_number() OVER () - 1 AS n, {given}"
                    f" FROM ({piece.query})) WHERE {bad} ORDER BY n LIMIT {SHOWN}"
                )
                location = piece.rows.name_first([n for (n,) in at], count)
            elif count:
                counts.append(count)
        more = f", and {sum(counts):,} more in other files" if counts else ""
        return f"column {column!r}, {location}{more}"

    def unreadable(self, db: Limited, error: Exception) -> Exception:
        """Return the error for the unreadable file, found by reading one file at a time."""
        for piece in self.pieces:
            try:
                # a checksum of every column ensures that every value is decoded
                sums = ", ".join(f"bit_xor(hash({name(column)}))" for column in self.types)
                for _ in db.stream(f"SELECT {sums} FROM ({piece.query})"):
                    pass
            except UnreadableError as unreadable:
                return piece.diagnose(unreadable)
        return error


def counts_of(db: Limited, query: str, *conditions: str) -> tuple[int, ...]:
    """Return the number of rows of the query that satisfy each condition."""
    counts = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in conditions)
    return db.rows(f"SELECT {counts} FROM ({query})")[0]


_INTEGER = r"[+-]?[0-9]+"
_FLOAT = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_INFINITE = r"[+-]?(inf|infinity)"
_CANONICAL = r"0|-?[1-9][0-9]{0,17}"
_SPACE = r" \t\r\n\f\v"

Typed = tuple[str, str]
"""The expression for a column's values, and their DuckDB type."""


def _typed(scan: Scan, column: str, wanted: Wanted, db: Limited) -> Typed:
    """Return the type of a column. Labels of text remain text, because few labels are distinct."""
    if scan.text is None or column in scan.typed:
        return name(column), scan.types[column]
    if column in wanted.numbers:
        return _number(scan, column, db)
    if column in wanted.keys and column not in wanted.labels:
        return _key(scan, column, db)
    return f"CAST({name(column)} AS VARCHAR)", "VARCHAR"


def _number(scan: Scan, column: str, db: Limited) -> Typed:
    """Return 64-bit integers where all values are integers, otherwise floats; both are exact."""
    raw = f"trim(CAST({name(column)} AS VARCHAR), E'{_SPACE}')"
    if scan.semicolons:
        raw = _with_points(scan, raw, db)
    missing = f"({raw} IS NULL OR {raw} IN ({', '.join(map(text, sorted(NULLS)))}))"
    integer = f"regexp_full_match({raw}, '{_INTEGER}')"
    infinite = f"regexp_full_match(lower({raw}), '{_INFINITE}')"
    as_float = f"TRY_CAST({raw} AS DOUBLE)"
    finite = f"(regexp_full_match({raw}, '{_FLOAT}') AND isfinite({as_float}))"
    truth = f"lower({raw}) IN ('true', 'false')"
    whole = f"TRY_CAST({raw} AS HUGEINT)"
    rounded = (
        f"({whole} IS NULL OR (abs({whole}) > {EXACT_IN_FLOAT64}"
        f" AND TRY_CAST({as_float} AS HUGEINT) <> {whole}))"
    )
    counted = (
        missing, f"NOT {missing} AND {integer}", f"NOT {missing} AND {truth}",
        f"NOT {missing} AND NOT {integer} AND ({infinite} OR {finite})",
        f"NOT {missing} AND {integer} AND {whole} IS NULL",
        f"NOT {missing} AND {integer} AND {rounded}",
    )  # fmt: skip
    counts = ", ".join(f"count(*) FILTER (WHERE {each})" for each in counted)
    ((n, none, integers, truths, floats, huge, inexact, low, high),) = db.rows(
        f"SELECT count(*), {counts}, min({whole}) FILTER (WHERE {integer}),"
        f" max({whole}) FILTER (WHERE {integer}) FROM ({scan.query})"
    )
    value = f"CASE WHEN {missing} THEN NULL ELSE {raw} END"
    if truths and truths + none == n:
        return f"CAST({value} AS BOOLEAN)", "BOOLEAN"
    if none + integers + floats < n:
        bad = f"NOT {missing} AND NOT {integer} AND NOT {infinite} AND ({finite}) IS NOT TRUE"
        raise _no_number(scan, column, bad, db)
    if integers and not floats and not huge:
        kind = "BIGINT" if high < 2**63 else "UBIGINT"
        if (low >= -(2**63) and high < 2**63) or (low >= 0 and high < 2**64):
            return f"CAST({value} AS {kind})", kind
    if huge or (integers and not floats):
        raise of_long_integers(f"column {column!r}")
    if inexact:
        raise of_mixed_integers(f"column {column!r}")
    return f"CAST({value} AS DOUBLE)", "DOUBLE"


def _with_points(scan: Scan, raw: str, db: Limited) -> str:
    """Turn decimal commas into points: see `rocsolid.inputs.rows.with_decimal_points`."""
    pointed = f"contains({raw}, '.') AND regexp_full_match({raw}, '{_FLOAT}')"
    if counts_of(db, scan.query, pointed)[0]:
        return raw  # commas separate thousands
    comma = _FLOAT.replace(r"\.", ",")
    replaced = f"replace({raw}, ',', '.')"
    return f"(CASE WHEN regexp_full_match({raw}, '{comma}') THEN {replaced} ELSE {raw} END)"


def _no_number(scan: Scan, column: str, bad: str, db: Limited) -> InputError:
    where = scan.where(db, column, bad)
    value: Any = db.rows(f"SELECT {name(column)} FROM ({scan.query}) WHERE {bad} LIMIT 1")[0][0]
    if scan.text == "jsonl" and value.startswith('"'):
        import json

        value = json.loads(value)
    what, fix = why_no_number(value)
    return InputError(what, where=where, value=value, fix=fix)


def _key(scan: Scan, column: str, db: Limited) -> Typed:
    """Return text, or integers where every key is the usual spelling of an integer."""
    raw = name(column)
    if scan.text == "csv":
        ((canonical,),) = db.rows(
            f"SELECT bool_and(regexp_full_match({raw}, '{_CANONICAL}')) FROM ({scan.query})"
        )
        return (f"CAST({raw} AS BIGINT)", "BIGINT") if canonical else (raw, "VARCHAR")
    kinds = {kind for (kind,) in db.rows(f"SELECT DISTINCT json_type({raw}) FROM ({scan.query})")}
    kinds -= {None, "NULL"}
    if kinds <= {"VARCHAR"}:
        return f"{raw} ->> '$'", "VARCHAR"
    if kinds == {"UBIGINT"}:
        ((high,),) = db.rows(f"SELECT max(CAST({raw} AS HUGEINT)) FROM ({scan.query})")
        kind = "BIGINT" if high < 2**63 else "UBIGINT"
        return f"CAST({raw} AS {kind})", kind
    for allowed, kind in (
        ({"BIGINT", "UBIGINT"}, "BIGINT"),
        ({"BIGINT", "UBIGINT", "DOUBLE"}, "DOUBLE"),
        ({"BOOLEAN"}, "BOOLEAN"),
    ):
        if kinds <= allowed:
            return f"CAST({raw} AS {kind})", kind
    if kinds & {"ARRAY", "OBJECT"}:
        nested = f"SELECT {raw} FROM ({scan.query}) WHERE json_type({raw}) IN ('ARRAY', 'OBJECT')"
        raise InputError(
            "a list or an object where one value should be", where=f"column {column!r}",
            value=db.rows(f"{nested} LIMIT 1")[0][0], fix="pass one value per row",
        )  # fmt: skip
    raise InputError(
        "the keys of a column are of different types",
        where=f"column {column!r}",
        value=sorted(kinds),
        fix="write all of them as text, or all of them as numbers",
    )


INTEGERS = {
    "BOOLEAN": (0, 1), "TINYINT": (1, 8), "SMALLINT": (1, 16), "INTEGER": (1, 32),
    "BIGINT": (1, 64), "UTINYINT": (0, 8), "USMALLINT": (0, 16), "UINTEGER": (0, 32),
    "UBIGINT": (0, 64),
}  # fmt: skip
"""Whether each type is signed, and its bits."""

FLOATS = {"FLOAT", "DOUBLE"}


def typed_columns(scan: Scan, wanted: Wanted, db: Limited) -> dict[str, Typed]:
    """Return the expression and type of each column; booleans become 0 and 1 as numbers."""
    typed = {column: _typed(scan, column, wanted, db) for column in wanted.names}
    for column, (expression, kind) in typed.items():
        if column in wanted.numbers:
            if kind not in FLOATS and kind not in INTEGERS:
                raise _no_numbers(scan, column, kind, db)
            if kind == "BOOLEAN":
                typed[column] = f"CAST({expression} AS UTINYINT)", "UTINYINT"
        elif kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
            raise of_lists(f"column {column!r}", kind)
    return typed


def missing(expression: str, kind: str) -> str:
    """Return the condition for a missing value.

    isnan() is not used: DuckDB evaluates it from the column ranges in a Parquet file, which ignore
    NaN, so ``WHERE NOT isnan(s)`` keeps NaN (2.0.0).

    >>> missing("s", "DOUBLE"), missing("s", "BIGINT")
    ('(s IS NULL OR NOT (isfinite(s) OR isinf(s)))', '(s IS NULL)')
    """
    if kind in FLOATS:
        return f"({expression} IS NULL OR NOT (isfinite({expression}) OR isinf({expression})))"
    return f"({expression} IS NULL)"


def _no_numbers(scan: Scan, column: str, kind: str, db: Limited) -> InputError:
    quoted = name(column)
    there = f"{quoted} IS NOT NULL"
    value = db.arrow(f"SELECT {quoted} FROM ({scan.query}) WHERE {there} LIMIT 1")[column]
    return not_numbers(value, column, kind, where=lambda: scan.where(db, column, there))


_LOOKED_AT = 200_000  # rows in which distinct values are counted first


def check_few(db: Limited, table: str, column: str) -> None:
    """Reject a column of scores as labels before its values are listed.

    ``table`` is a query that selects the labels as ``l``.
    """
    ((few,),) = db.rows(
        f"SELECT count(DISTINCT l) FROM (SELECT l FROM ({table}) LIMIT {_LOOKED_AT})"
    )
    if few > MOST_LABELS:
        raise too_many_labels(column)


def missing_labels(values: Any) -> NDArray[np.bool_]:
    """Return a mask of missing labels, such as the text "nan" among numbers."""
    import pyarrow.compute as pc

    if isinstance(values, np.ndarray):
        return np.zeros(len(values), dtype=np.bool_)
    is_missing: NDArray[np.bool_] = pc.is_null(values, nan_is_null=True).to_numpy()
    return is_missing


def read_from_text(values: Any, scan: Scan) -> Any:
    from rocsolid.inputs.delimited import read_delimited, read_jsonl

    texts = values.to_pylist()
    wanted = Wanted(labels=("label",))
    if scan.text == "jsonl":
        lines = "".join(f'{{"label": {value}}}\n' for value in texts)
        return read_jsonl(File(scan.name, "jsonl", lines.encode()), wanted)[0]["label"]
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerows([("label", "row"), *((value, 0) for value in texts)])
    return read_delimited(File(scan.name, "csv", out.getvalue().encode()), wanted)[0]["label"]


def distinct_names(present: Sequence[str], wanted: Wanted, where: str) -> None:
    """Reject columns that differ only in case, which are the same column in DuckDB."""
    for column in wanted.names:
        same = [other for other in present if other.casefold() == column.casefold()]
        if len(same) > 1:
            raise InputError(
                "column names differ only in upper and lower case",
                where=where,
                value=same,
                fix="rename one of them",
            )

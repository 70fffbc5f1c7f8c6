"""What columns of text files mean: the rules of the readers for files that fit into memory."""

from __future__ import annotations

from typing import Any

from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.scan import Scan
from rocsolid.engines.duckdb.sql_text import name, text
from rocsolid.errors import InputError
from rocsolid.inputs import refusals
from rocsolid.inputs.number_text import EXACT_IN_FLOAT64, NULLS, why_no_number
from rocsolid.inputs.wanted import Wanted

_INTEGER = r"[+-]?[0-9]+"
_FLOAT = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_INFINITE = r"[+-]?(inf|infinity)"
_CANONICAL = r"0|-?[1-9][0-9]{0,17}"
_SPACE = r" \t\r\n\f\v"

Typed = tuple[str, str]
"""The expression that gives a column's values, and DuckDB's type of them."""


def text_columns(scan: Scan, wanted: Wanted, db: Limited) -> dict[str, Typed]:
    """Numbers and keys with their types; labels stay text, as few of them differ."""
    typed: dict[str, Typed] = {}
    for column in wanted.names:
        if column in scan.typed:
            typed[column] = name(column), scan.types[column]
        elif column in wanted.numbers:
            typed[column] = _number(scan, column, db)
        elif column in wanted.keys and column not in wanted.labels:
            typed[column] = _key(scan, column, db)
        else:
            typed[column] = f"CAST({name(column)} AS VARCHAR)", "VARCHAR"
    return typed


def _number(scan: Scan, column: str, db: Limited) -> Typed:
    """Integers of 64 bits where all are integers, floats otherwise, each read exactly."""
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
        raise refusals.of_long_integers(f"column {column!r}")
    if inexact:
        raise refusals.of_mixed_integers(f"column {column!r}")
    return f"CAST({value} AS DOUBLE)", "DOUBLE"


def _with_points(scan: Scan, raw: str, db: Limited) -> str:
    """Decimal commas as points: see `rocsolid.inputs.number_text.with_decimal_points`."""
    pointed = f"contains({raw}, '.') AND regexp_full_match({raw}, '{_FLOAT}')"
    ((thousands,),) = db.rows(f"SELECT count(*) FILTER (WHERE {pointed}) FROM ({scan.query})")
    if thousands:
        return raw
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
    """Text, or integers where every key is written as an integer would be."""
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
    raise InputError(
        "the keys of a column are of different types",
        where=f"column {column!r}",
        value=sorted(kinds),
        fix="write all of them as text, or all of them as numbers",
    )

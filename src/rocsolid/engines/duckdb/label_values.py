"""Which values of the label column are positive: the few distinct ones are judged in memory."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.scan import Scan
from rocsolid.engines.duckdb.sql_text import text
from rocsolid.engines.duckdb.typed import missing
from rocsolid.errors import InputError
from rocsolid.inputs.files import File
from rocsolid.inputs.labels import TextLabel, pos_label_from_text, positives
from rocsolid.inputs.wanted import Wanted

MOST = 10_000
"""Distinct labels beyond which a column is not one of labels."""

_LOOKED_AT = 200_000  # rows that show whether a column has many distinct values


def positive_condition(
    scan: Scan, db: Limited, table: str, label: str, kind: str, pos_label: Any
) -> str:
    """The condition on ``l`` for a positive row, as `rocsolid.inputs.positives` has it.

    ``table`` is the query that gives the labels as ``l``.
    """
    absent = missing("l", kind)
    ((few,),) = db.rows(
        f"SELECT count(DISTINCT l) FROM (SELECT l FROM ({table}) LIMIT {_LOOKED_AT})"
    )
    if few > MOST and pos_label is None:
        raise InputError(
            f"labels must have two values, and the first rows have {few:,}",
            where=f"column {label!r}",
            fix="pass labels, then scores; or name the positive label with pos_label=...",
        )
    spelled = f"SELECT DISTINCT l, CAST(l AS VARCHAR) AS spelled FROM ({table}) WHERE NOT {absent}"
    found = db.arrow(f"SELECT * FROM ({spelled}) ORDER BY l LIMIT {MOST + 1}")
    if found.num_rows > MOST:
        raise InputError(
            f"there are more than {MOST:,} different labels",
            where=f"column {label!r}",
            fix="make a column of 0 and 1 of them first",
        )
    values = _read_from_text(found["l"], scan) if scan.text else found["l"]
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, values)
    positive = positives(values, pos_label=pos_label, name=f"column {label!r}")
    chosen = [found["spelled"][int(i)].as_py() for i in np.flatnonzero(positive)]
    if not chosen:
        return "false"
    return f"l IN ({', '.join(f'CAST({text(one)} AS {kind})' for one in chosen)})"


def _read_from_text(values: Any, scan: Scan) -> Any:
    """Labels as the reader for the files' format reads them: as numbers where all are numbers."""
    from rocsolid.inputs.delimited import read_delimited
    from rocsolid.inputs.jsonl import read_jsonl

    texts = values.to_pylist()
    wanted = Wanted(labels=("label",))
    if scan.text == "jsonl":
        lines = "".join(f'{{"label": {value}}}\n' for value in texts)
        return read_jsonl(File(scan.name, "jsonl", lines.encode()), wanted)[0]["label"]
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerows([("label", "row"), *((value, 0) for value in texts)])
    return read_delimited(File(scan.name, "csv", out.getvalue().encode()), wanted)[0]["label"]

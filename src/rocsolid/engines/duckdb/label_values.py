"""Which values of the label column are positive: the few distinct ones are judged in memory."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.scan import Scan
from rocsolid.errors import InputError
from rocsolid.inputs.files import File
from rocsolid.inputs.labels import TextLabel, pos_label_from_text, positives
from rocsolid.inputs.wanted import Wanted

MOST = 10_000
"""Distinct labels beyond which a column is not one of labels."""

_LOOKED_AT = 200_000  # rows that show whether a column has many distinct values


def check_few(db: Limited, table: str, column: str) -> None:
    """A column of scores in the place of labels is refused before its values are told apart.

    ``table`` is a query that gives the labels as ``l``.
    """
    ((few,),) = db.rows(
        f"SELECT count(DISTINCT l) FROM (SELECT l FROM ({table}) LIMIT {_LOOKED_AT})"
    )
    if few > MOST:
        raise _too_many(column)


def positive_values(scan: Scan, column: str, values: Any, pos_label: Any) -> NDArray[np.bool_]:
    """Which of the distinct values of the label column are positive, as for rows in memory."""
    if len(values) > MOST:
        raise _too_many(column)
    if scan.text and column not in scan.typed:
        values = _read_from_text(values, scan)
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, values)
    return positives(values, pos_label=pos_label, name=f"column {column!r}")


def _too_many(column: str) -> InputError:
    return InputError(
        f"there are more than {MOST:,} different labels",
        where=f"column {column!r}",
        fix="pass labels, then scores; or make a column of 0 and 1 of the labels first",
    )


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

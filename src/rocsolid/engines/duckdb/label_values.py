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
    """A column of scores in the place of labels is refused before its values are listed.

    ``table`` is a query that gives the labels as ``l``.
    """
    ((few,),) = db.rows(
        f"SELECT count(DISTINCT l) FROM (SELECT l FROM ({table}) LIMIT {_LOOKED_AT})"
    )
    if few > MOST:
        raise _too_many(column)


def label_values(scan: Scan, column: str, values: Any) -> Any:
    """The few distinct values of the label column, in the type that they would have in memory."""
    if len(values) > MOST:
        raise _too_many(column)
    return _read_from_text(values, scan) if scan.text and column not in scan.typed else values


def missing_labels(values: Any) -> NDArray[np.bool_]:
    """Which of them stand for no value: a text such as "nan" among numbers."""
    import pyarrow.compute as pc

    if isinstance(values, np.ndarray):
        return np.zeros(len(values), dtype=np.bool_)
    found: NDArray[np.bool_] = pc.is_null(values, nan_is_null=True).to_numpy()
    return found


def positive_values(values: Any, column: str, pos_label: Any) -> tuple[NDArray[np.bool_], Any]:
    """Which of them are positive, as for rows in memory, and ``pos_label`` in their type."""
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, values)
    return positives(values, pos_label=pos_label, name=f"column {column!r}"), pos_label


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

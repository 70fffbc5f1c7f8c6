"""Every bad input is refused with a message that says what, where and how to fix it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import rocsolid as rs
from bad_files import BAD_FILES, BadFile
from rocsolid.errors import InputError
from rocsolid.inputs import (
    binary_rows,
    codes,
    pos_label_from_text,
    positives,
    read_table,
    sample_weights,
    scores,
)

NAN = float("nan")


class Unconvertible:
    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("implicit conversion is not allowed")


# name, what to call, what the message must say
ARRAYS: list[tuple[str, Callable[[], Any], tuple[str, ...]]] = [
    ("NaN score", lambda: scores([0.1, NAN, 0.3]), ("1 missing value", "row 1,", "omit")),
    ("many NaN", lambda: scores([NAN] * 5), ("5 missing", "rows 0, 1, 2 and 2 more", "from 0")),
    ("None score", lambda: scores([0.1, None]), ("1 missing value", "row 1,")),
    ("NA score", lambda: scores(pd.Series([1, None], dtype="Int64")), ("1 missing", "row 1,")),
    ("null score", lambda: scores(pl.Series([1, None])), ("1 missing", "row 1,")),
    (
        "null beside an integer that float64 rounds",
        lambda: scores(pa.array([2**53 + 1, None])),
        ("beyond 53 bits", "row 1,"),
    ),
    ("mixed integers", lambda: scores([2**63 + 1, -1]), ("more than 53 bits", "y_score")),
    ("huge integer", lambda: scores([2**70, 1]), ("more than 64 bits", "y_score")),
    ("text score", lambda: scores(["a", "b"]), ("text where a number", "'a'", "row 0")),
    ("number as text", lambda: scores(np.array(["1", "2"])), ("stored as text", "'1'", "convert")),
    ("decimal comma", lambda: scores(["0,5"]), ("decimal comma", "'0,5'", "0.5")),
    ("text among numbers", lambda: scores([0.5, "x"]), ("text where", "'x'", "row 1,")),
    ("bytes score", lambda: scores([b"1"]), ("not bytes", "y_score")),
    ("complex score", lambda: scores([1j]), ("complex numbers have no order", "real part")),
    (
        "dates",
        lambda: scores(np.array(["2020-01-01"], "M8[D]")),
        ("dates are not scores: 2020-01-01 ",),
    ),
    ("durations", lambda: scores(np.array([1], "m8[s]")), ("durations are not scores",)),
    (
        "decimals",
        lambda: scores(pa.array([1], pa.decimal128(5, 2))),
        ("decimal objects", "float64"),
    ),
    ("objects", lambda: scores([object()]), ("must be numbers", "row 0")),
    ("column shape", lambda: scores(np.zeros((3, 1))), ("two dimensions", "(3, 1)", ".ravel()")),
    ("two columns", lambda: scores(np.zeros((3, 2))), ("(3, 2)", "x[:, 1]")),
    ("three dimensions", lambda: scores(np.zeros((2, 2, 2))), ("3 dimensions",)),
    ("single value", lambda: scores(0.5), ("expected a column", "0.5")),
    ("no dimension", lambda: scores(np.array(0.5)), ("single value",)),
    ("a class", lambda: rs.auc([0, 1], [1, 2], level=date), ("<class 'datetime.date'>",)),
    ("one text", lambda: scores("scores"), ("expected a column", "'scores'")),
    ("a set", lambda: scores({0.5}), ("expected a column, not one set",)),
    ("an iterator", lambda: scores(iter([1, 2])), ("list(...)",)),
    ("ragged", lambda: scores([[1], [1, 2]]), ("a list where", "[1] (y_score, rows 0 and 1,")),
    ("masked", lambda: scores(np.ma.array([1, 2], mask=[0, 1])), ("masked array", "~mask")),
    ("sparse", lambda: scores(scipy.sparse.csr_array(np.eye(2))), ("sparse", "toarray")),
    ("structured", lambda: scores(np.zeros(2, [("a", "f8")])), ("structured", "fields")),
    ("a frame", lambda: scores(pd.DataFrame({"a": [1]})), ("not a DataFrame", "one column")),
    ("lists in a column", lambda: scores(pl.Series([[1], [2]])), ("lists", "one value per row")),
    ("unconvertible", lambda: scores(Unconvertible()), ("Unconvertible", "not allowed")),
    ("NaN label", lambda: positives([0, 1, NAN]), ("1 missing value", "y_true, row 2")),
    ("None label", lambda: positives([True, None]), ("1 missing value", "row 1")),
    ("null label", lambda: positives(pl.Series([1, None, 0])), ("1 missing value", "row 1")),
    (
        "null text label",
        lambda: positives(pd.Series(["a", None]), pos_label="a"),
        ("1 missing value", "row 1"),
    ),
    ("NaN beside text", lambda: positives(["a", NAN], pos_label="a"), ("missing", "row 1")),
    ("one and two", lambda: positives([1, 2]), ("not 1 and 2", "pos_label=2")),
    ("0 and -1", lambda: positives([0, -1]), ("not -1 and 0", "pos_label")),
    ("yes and no", lambda: positives(["yes", "no"]), ("'no' and 'yes'", "pos_label='yes'")),
    ("text digits", lambda: positives(["0", "1"]), ("'0' and '1'", "pos_label='1'")),
    ("three classes", lambda: positives([0, 1, 2]), ("not 3: 0, 1 and 2", "pos_label")),
    ("minus one too", lambda: positives([-1, 0, 1]), ("not 3: -1, 0 and 1",)),
    ("scores first", lambda: positives([0.1, 0.5, 0.9]), ("not 3", "labels and scores")),
    ("half", lambda: positives([0, 0.5]), ("not 0.0 and 0.5",)),
    ("mixed types", lambda: positives([1, "a"]), ("1 and 'a'",)),
    ("lists as labels", lambda: positives(_objects([1], [2])), ("not a single value",)),
    ("list in a tuple", lambda: positives(_objects((1, [2]), 0)), ("value: (1, [2])",)),
    ("absent label", lambda: positives([1, 2], pos_label=3), ("pos_label=3", "1 and 2")),
    ("text for number", lambda: positives([1, 2], pos_label="2"), ("pos_label='2'", "label=2")),
    ("near label", lambda: positives(["cat", "dog"], pos_label="Cat"), ("pos_label='cat'",)),
    ("NaN as label", lambda: positives([1, 2], pos_label=NAN), ("cannot be the positive",)),
    ("negative weight", lambda: sample_weights([1, -2], 2), ("-2.0", "sample_weight, row 1")),
    ("infinite weight", lambda: sample_weights([np.inf], 1), ("finite", "inf", "row 0")),
    ("endless weight", lambda: sample_weights([1e308, 1e308], 2), ("add up", "divide all")),
    ("128 bits", lambda: scores(pl.Series([1], dtype=pl.Int128)), ("128 bits", "Int128")),
    ("NaN weight", lambda: sample_weights([1, NAN], 2), ("finite", "nan", "row 1")),
    ("text weight", lambda: sample_weights(["a"], 1), ("'a'", "sample_weight, row 0")),
    ("short weights", lambda: sample_weights([1], 2), ("y_true has 2 rows, sample_weight has 1",)),
    ("missing key", lambda: codes(["a", None]), ("1 missing value", "cluster, row 1")),
    ("NaN key", lambda: codes([1.0, NAN]), ("1 missing value", "cluster, row 1")),
    ("missing date", lambda: codes(np.array(["NaT"], "M8[D]")), ("1 missing value", "row 0")),
    ("unhashable", lambda: codes(_objects("a", [2])), ("cannot be hashed", "[2]", "row 1")),
    ("lengths", lambda: binary_rows([0, 1], [1]), ("y_true has 2 rows, y_score has 1",)),
    ("clusters", lambda: binary_rows([0], [1], cluster=[1, 2]), ("cluster has 2",)),
    ("no rows", lambda: binary_rows([], []), ("there are no rows",)),
    ("none left", lambda: binary_rows([0, 1], [NAN] * 2, nan="omit"), ("every score is missing",)),
    ("unknown policy", lambda: binary_rows([0], [1], nan="drop"), ("'drop'", '"omit"')),  # type: ignore[arg-type]
    ("not a table", lambda: read_table(5, labels=["y"]), ("this int is not a table",)),
    ("an array", lambda: read_table(np.eye(2), labels=["y"]), ("no column names", "mapping")),
    ("no names", lambda: read_table({"y": [1]}), ("no column is named",)),
    (
        "column not in the mapping",
        lambda: read_table({"y": [1], "score": [1]}, labels=["y"], numbers=["scores"]),
        ("no column 'scores'", "use 'score'"),
    ),
    (
        "column not in the frame",
        lambda: read_table(pl.LazyFrame({"y": [1]}), labels=["z"]),
        ("no column 'z'", "only column is 'y'"),
    ),
    (
        "column twice in the frame",
        lambda: read_table(pd.DataFrame([[1, 2]], columns=["y", "y"]), labels=["y"]),
        ("2 columns have the same name", "'y'"),
    ),
    (
        "columns of two lengths",
        lambda: read_table({"y": [0, 1], "s": [1]}, labels=["y"], numbers=["s"]),
        ("column 'y' has 2 rows, column 's' has 1",),
    ),
    ("an address", lambda: read_table("https://a.b/c.csv", labels=["y"]), ("download it first",)),
    ("a long name", lambda: read_table("a" * 999, labels=["y"]), ("not a valid path", "'aaa")),
]


def _objects(*values: Any) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


@pytest.mark.parametrize(("call", "says"), [a[1:] for a in ARRAYS], ids=[a[0] for a in ARRAYS])
def test_bad_array(call: Callable[[], Any], says: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        call()
    for fragment in says:
        assert fragment in str(caught.value)


@pytest.mark.parametrize("case", BAD_FILES, ids=lambda case: case.name)
def test_bad_file(case: BadFile, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _read(case, case.write(tmp_path))
    for fragment in case.says:
        assert fragment in str(caught.value)


def test_names_are_unique() -> None:
    for names in ([a[0] for a in ARRAYS], [c.name for c in BAD_FILES]):
        assert len(names) == len(set(names))


def _read(case: BadFile, path: Path) -> None:
    weights = [case.sample_weight] if case.sample_weight else []
    keys = [case.by] if case.by else []
    table = read_table(path, labels=[case.label], numbers=[case.score, *weights], keys=keys)
    y = table[case.label]
    label = None if case.pos_label is None else pos_label_from_text(case.pos_label, y)
    positives(y, pos_label=label, name=f"column {case.label!r}", rows=table.rows)
    scores(table[case.score], name=f"column {case.score!r}", rows=table.rows)
    for name in weights:
        sample_weights(table[name], len(table), f"column {name!r}", rows=table.rows)

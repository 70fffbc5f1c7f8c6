from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.inputs import pos_label_from_text, positives

NUMERIC = ["?", *"bBhHiIlLqQefdg"]
TRUTH = st.lists(st.booleans(), max_size=200)


@given(truth=TRUTH, code=st.sampled_from(NUMERIC), swapped=st.booleans())
def test_zero_and_one_in_any_type(truth: list[bool], code: str, swapped: bool) -> None:
    y = np.array(truth, dtype=code)
    if swapped:
        y = y.astype(y.dtype.newbyteorder())
    assert positives(y).tolist() == truth


@given(truth=TRUTH, code=st.sampled_from("bhilqefdg"))
def test_minus_one_and_one_in_any_signed_type(truth: list[bool], code: str) -> None:
    y = np.where(np.array(truth, dtype=bool), 1, -1).astype(code)
    assert positives(y).tolist() == truth


@given(
    truth=TRUTH.filter(any), pair=st.sampled_from([("no", "yes"), (1, 2), (b"a", b"b"), (0, "x")])
)
def test_pos_label_names_the_positives(truth: list[bool], pair: tuple[Any, Any]) -> None:
    assert positives([pair[t] for t in truth], pos_label=pair[1]).tolist() == truth


def test_longer_than_a_chunk() -> None:
    truth = np.arange(200_001) % 7 == 0
    assert np.array_equal(positives(truth.astype(np.int64)), truth)
    assert np.array_equal(positives(truth * 2.0 - 1), truth)
    assert np.array_equal(positives((truth * 2 - 1)[::2]), truth[::2])


@pytest.mark.parametrize(
    "y",
    [
        [False, True, True],
        (0, 1, 1),
        [0.0, 1.0, 1.0],
        [False, 1, 1.0],
        np.array([False, 1, True], dtype=object),
        pd.Series([False, True, True], dtype=object),
        pd.Series([0, 1, 1], dtype="Int64"),
        pd.Series([False, True, True], dtype="boolean"),
        pd.Series([0, 1, 1], dtype="int64[pyarrow]"),
        pd.Series([0, 1, 1], dtype="category"),
        pl.Series([False, True, True]),
        pa.array([0, 1, 1]),
        pa.chunked_array([[False], [True, True]]),
    ],
    ids=lambda y: f"{type(y).__module__}.{type(y).__name__}-{getattr(y, 'dtype', '')}",
)
def test_containers(y: Any) -> None:
    assert positives(y).tolist() == [False, True, True]


@pytest.mark.parametrize(
    "y",
    [
        ["a", "b", "b"],
        np.array(["a", "b", "b"]),
        np.array(["a", "b", "b"], dtype=object),
        np.array(["a", "b", "b"], dtype=np.dtypes.StringDType()),
        pd.Series(["a", "b", "b"]),
        pd.Series(["a", "b", "b"], dtype="category"),
        pl.Series(["a", "b", "b"]),
        pl.Series(["a", "b", "b"], dtype=pl.Categorical),
        pa.array(["a", "b", "b"]),
        pa.chunked_array(
            [pa.array(["a"]).dictionary_encode(), pa.array(["b"] * 2).dictionary_encode()]
        ),
    ],
    ids=lambda y: f"{type(y).__module__}.{type(y).__name__}-{getattr(y, 'dtype', '')}",
)
def test_text_containers(y: Any) -> None:
    assert positives(y, pos_label="b").tolist() == [False, True, True]


def test_the_rest_is_negative() -> None:
    assert positives([0, 1, 2, 3], pos_label=2).tolist() == [False, False, True, False]
    assert positives([0, 1], pos_label=0).tolist() == [True, False]
    assert positives(np.array([True, False]), pos_label=False).tolist() == [False, True]


@pytest.mark.parametrize("value", [0, 1, -1])
def test_one_class_is_legal_here(value: int) -> None:
    assert positives([value] * 3).tolist() == [value == 1] * 3


def test_booleans_are_not_copied() -> None:
    y = np.array([True, False])
    assert positives(y) is y


@pytest.mark.parametrize(
    ("text", "labels", "expected"),
    [
        ("2", [1, 2], 2),
        ("2.5", [1.5, 2.5], 2.5),
        ("2", ["1", "2"], "2"),
        ("True", [True, False], True),
        ("1", [True, False], 1),
        ("yes", [1, 2], "yes"),
    ],
)
def test_pos_label_from_text(text: str, labels: list[Any], expected: Any) -> None:
    found = pos_label_from_text(text, labels)
    assert found == expected
    assert type(found) is type(expected)

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.inputs import codes, read_table
from rocsolid.inputs.folds import segments_of
from rocsolid.inputs.groups import plain, stable_order

KEYS = st.one_of(
    st.lists(st.integers(-(2**63), 2**63 - 1)),
    st.lists(st.integers(-5, 5)),
    st.lists(st.text()),
    st.lists(st.booleans()),
    st.lists(st.floats(allow_nan=False)),
    st.lists(st.one_of(st.integers(), st.text())),
)


@pytest.mark.slow
@given(keys=KEYS, ascending=st.booleans())
def test_the_keys_come_back(keys: list[Any], ascending: bool) -> None:
    if ascending and len({type(k) for k in keys}) == 1:
        keys = sorted(keys)
    code, distinct = codes(keys)
    assert code.dtype == np.int64
    assert [distinct.tolist()[c] for c in code] == keys
    assert sorted(set(code.tolist())) == list(range(len(distinct)))
    assert len(distinct) == len(set(keys))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_the_whole_range_of_a_type(dtype: str) -> None:
    info = np.iinfo(dtype)
    keys = np.array([info.max, info.min, info.max - 1, info.max] * 50, dtype=dtype)
    code, distinct = codes(keys)
    assert distinct.dtype == keys.dtype
    assert np.array_equal(distinct[code], keys)
    assert distinct.tolist() == [info.min, info.max - 1, info.max]


def test_sorted_where_possible_else_in_order_of_appearance() -> None:
    assert codes(["b", "a"])[1].tolist() == ["a", "b"]
    assert codes(["b", 1, "a"])[1].tolist() == ["b", 1, "a"]
    assert codes(pd.Series([(2, "x"), (1, "y")]))[1].tolist() == [(1, "y"), (2, "x")]


def test_dates_and_categories() -> None:
    days = np.array(["2020-01-02", "2020-01-01"], dtype="M8[D]")
    assert codes(days)[0].tolist() == [1, 0]
    assert codes(pd.Series(["b", "a"], dtype="category"))[0].tolist() == [1, 0]


@pytest.mark.parametrize("last", [0, 7, 65535, 65536, 1 << 40, 1 << 60])
def test_rows_of_a_group_keep_their_order(last: int) -> None:
    rng = np.random.default_rng(1)
    code = np.append(rng.integers(0, last + 1, 500), [last, 0, last])
    found = stable_order(code)
    assert found.tolist() == sorted(range(len(code)), key=lambda row: (code[row], row))
    assert found.dtype == np.intp


@pytest.mark.parametrize(
    "keys",
    [
        np.array([2, 1, 2], dtype=np.int8),
        np.array([0.5, 0.25, 0.5], dtype=np.float32),
        np.array([True, False, True]),
        np.array(["b", "a", "b"]),
        np.array(["b", 1, np.int16(2)], dtype=object),
        np.array(["2024-05-02", "2024-05-01", "2024-05-02"], dtype="M8[D]"),
        np.array(["2024-05-02", "2024-05-01", "2024-05-02"], dtype="M8[ns]"),
        np.array([2, 1, 2], dtype="m8[ns]"),
    ],
    ids=lambda keys: str(keys.dtype),
)
def test_the_key_of_a_segment_is_plain_python(keys: Any) -> None:
    segments = segments_of(read_table({"g": keys}, keys=["g"]), ["g"])
    found = [segments.key(segment)["g"] for segment in range(len(segments))]
    expected = [plain(value) for value in segments.values[0]]
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))
    assert not any(isinstance(value, np.generic) for value in found)

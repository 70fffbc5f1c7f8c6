from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from rocsolid.errors import InputError
from rocsolid.inputs import reverse, sample_weights, scores

REAL = [np.dtype(code) for code in "bBhHiIlLqQefdg"]
ARRAYS = st.sampled_from(REAL).flatmap(
    lambda dtype: npst.arrays(
        dtype,
        st.integers(0, 30),
        elements=npst.from_dtype(dtype, allow_nan=False) if dtype.char != "g" else st.floats(-9, 9),
    )
)


@given(ARRAYS)
def test_kept_as_they_are(s: Any) -> None:
    kept = scores(s)
    assert kept.dtype == s.dtype
    assert np.array_equal(kept, s)


@given(ARRAYS)
def test_reverse_turns_every_comparison_round(s: Any) -> None:
    turned = reverse(scores(s))
    for i, j in pairwise(range(len(s))):
        assert (s[i] < s[j]) == (turned[i] > turned[j])
        assert (s[i] == s[j]) == (turned[i] == turned[j])
    assert np.array_equal(reverse(turned), s)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_lists_of_integers_stay_exact(values: list[int]) -> None:
    assert scores(values).tolist() == values


@given(st.lists(st.one_of(st.integers(-(2**70), 2**70), st.floats(allow_nan=False)), min_size=1))
def test_lists_are_exact_or_refused(values: list[float]) -> None:
    try:
        kept = scores(values)
    except InputError:
        return
    assert kept.tolist() == values


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=1))
def test_nullable_integers_are_exact_or_refused(values: list[int | None]) -> None:
    for column in (pd.Series(values, dtype="Int64"), pl.Series(values, dtype=pl.Int64)):
        try:
            kept = scores(column, nan="allow")
        except InputError:
            continue
        assert [None if v != v else v for v in kept.tolist()] == values


def test_booleans_become_bytes() -> None:
    s = scores(np.array([True, False]))
    assert s.dtype == np.uint8
    assert s.tolist() == [1, 0]


def test_infinities_and_signed_zeros_stay() -> None:
    s = scores([np.inf, -np.inf, -0.0, 0.0])
    assert s[2] == s[3]
    assert np.signbit(s[2])


def test_long_double_is_compared_in_full() -> None:
    one = np.longdouble(1)
    s = scores(np.array([one, one + np.finfo(np.longdouble).eps]))
    assert s[0] < s[1]


def test_missing_scores_may_be_allowed() -> None:
    for s in ([0.5, None], [0.5, float("nan")], pd.Series([0.5, None]), pl.Series([0.5, None])):
        assert np.isnan(scores(s, nan="allow")).tolist() == [False, True]
    assert np.isnan(scores(pl.Series([None, None]), nan="allow")).all()


def test_nan_is_found_in_every_chunk() -> None:
    s = np.zeros(200_001, dtype=np.float32)
    s[[70_000, 200_000]] = np.nan
    with pytest.raises(InputError, match=r"2 missing values .* rows 70000 and 200000"):
        scores(s)


def test_weights_become_float64() -> None:
    for w in ([1, 0, 2], np.array([1, 0, 2], np.uint8), pd.Series([1, 0, 2], dtype="Int64")):
        found = sample_weights(w, 3)
        assert found.dtype == np.float64
        assert found.tolist() == [1, 0, 2]
    assert sample_weights([True, False], 2).tolist() == [1, 0]

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.inputs import binary_rows

NAN = float("nan")


def test_everything_together() -> None:
    rows = binary_rows(
        ["n", "y", "y"], [3, 1, 2], sample_weight=[1, 2, 3], cluster=["b", "a", "b"], pos_label="y"
    )
    assert len(rows) == 3
    assert rows.positive.tolist() == [False, True, True]
    assert rows.score.tolist() == [3, 1, 2]
    assert rows.weight is not None
    assert rows.weight.tolist() == [1, 2, 3]
    assert rows.cluster is not None
    assert rows.cluster.tolist() == [1, 0, 1]
    assert rows.omitted == 0


def test_rows_with_a_missing_score_are_left_out_everywhere() -> None:
    rows = binary_rows(
        [0, 1, 1], [NAN, 1, 2], sample_weight=[1, 2, 3], cluster=["a", "b", "c"], nan="omit"
    )
    assert rows.omitted == 1
    assert rows.positive.tolist() == [True, True]
    assert rows.score.tolist() == [1, 2]
    assert rows.weight is not None
    assert rows.weight.tolist() == [2, 3]
    assert rows.cluster is not None
    assert rows.cluster.tolist() == [0, 1]


def test_nothing_is_left_out_where_nothing_is_missing() -> None:
    for score in ([1, 2], [1.0, 2.0]):
        assert binary_rows([0, 1], score, nan="omit").omitted == 0


def test_a_missing_label_is_an_error_even_when_scores_may_be_missing() -> None:
    with pytest.raises(InputError, match="y_true, row 1"):
        binary_rows([0, NAN], [1, NAN], nan="omit")


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int64", "uint64", "float16", "float64", "bool"]
)
def test_lower_is_better_reverses_the_order_exactly(dtype: str) -> None:
    kind = np.dtype(dtype).kind
    if kind in "iu":
        info = np.iinfo(dtype)
        values = np.array([info.min, info.min + 1, info.max - 1, info.max], dtype=dtype)
    else:
        values = np.array([False, True] if kind == "b" else [-np.inf, -1, 0.5, np.inf], dtype=dtype)
    rows = binary_rows([0] * len(values), values, lower_is_better=True)
    assert (rows.score[1:] < rows.score[:-1]).all()

"""Rank matrices against plain loops, and the two forms of Theorem 16 against each other."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rocsolid.theory.guarantees.rank_matrix import (
    forbidden_submatrices,
    is_realisable,
    rank_matrix,
    scoring,
)

SCORES = st.lists(st.integers(-3, 3), min_size=1, max_size=7)


@given(SCORES, SCORES)
def test_rank_matrix_compares_pair_by_pair(pos: list[int], neg: list[int]) -> None:
    plain = [[1.0 if x > z else 0.5 if x == z else 0.0 for z in neg] for x in pos]
    assert rank_matrix(pos, neg).tolist() == plain


@given(SCORES, SCORES)
def test_scoring_inverts_rank_matrix(pos: list[int], neg: list[int]) -> None:
    matrix = rank_matrix(pos, neg)
    assert np.array_equal(rank_matrix(*scoring(matrix)), matrix)
    assert is_realisable(matrix, by="sub-matrices")


@given(SCORES, SCORES, st.data())
def test_the_two_forms_agree_after_a_change(
    pos: list[int], neg: list[int], data: st.DataObject
) -> None:
    matrix = rank_matrix(pos, neg)
    row = data.draw(st.integers(0, len(pos) - 1))
    column = data.draw(st.integers(0, len(neg) - 1))
    matrix[row, column] = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    assert is_realisable(matrix) == is_realisable(matrix, by="sub-matrices")


@given(
    hnp.arrays(
        np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=5), elements=st.integers(0, 2)
    )
)
def test_sub_matrices_are_looked_up_one_by_one(doubled: np.ndarray) -> None:
    forbidden = set(forbidden_submatrices())
    matrix = doubled / 2
    rows, columns = (combinations(range(side), 2) for side in matrix.shape)
    plain = not any(
        tuple(map(tuple, matrix[np.ix_(r, c)].tolist())) in forbidden
        for r, c in product(rows, list(columns))
    )
    assert is_realisable(matrix, by="sub-matrices") == plain == is_realisable(matrix)

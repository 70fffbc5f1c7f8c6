from __future__ import annotations

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.theory.guarantees.rank_matrix import is_realisable, rank_matrix, scoring


def test_the_mean_is_the_auc() -> None:
    # 6 pairs: 3 > 1, 3 > 2, 3 = 3 (½), 1 = 1 (½), 1 < 2, 1 < 3
    assert rank_matrix([3, 1], [1, 2, 3]).mean() == pytest.approx(3 / 6)


def test_infinite_scores_and_negative_zero_are_ordinary() -> None:
    assert rank_matrix([np.inf, -0.0], [np.inf, 0.0]).tolist() == [[0.5, 1.0], [0.0, 0.5]]


@pytest.mark.parametrize(
    ("pos", "neg", "message"),
    [
        ([], [1.0], "pos_scores"),
        ([1.0], [[1.0]], "neg_scores"),
        (["a"], [1.0], "not real numbers"),
        ([1.0, np.nan], [1.0], r"pos_scores\[1\]"),
    ],
)
def test_what_is_no_list_of_scores_is_refused(pos: object, neg: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rank_matrix(pos, neg)  # type: ignore[arg-type]


def test_levels_are_as_few_as_possible() -> None:
    pos, neg = scoring(rank_matrix([7.5, 7.0, -1], [0.25, 0.5, -1]))
    assert (pos.tolist(), neg.tolist()) == ([2, 2, 0], [1, 1, 0])


def test_a_long_chain_of_ties_is_one_level() -> None:
    pos, neg = scoring(np.full((40, 50), 0.5))
    assert set(pos.tolist()) == set(neg.tolist()) == {0}


def test_a_long_cycle_names_four_comparisons() -> None:
    # p0 > n0 = p1 > n1 = p2 > n2 = p0: six examples in a circle, so some four are too
    matrix = np.array([[1, 1, 0.5], [0.5, 1, 1], [0, 0.5, 1]])
    assert not is_realisable(matrix)
    with pytest.raises(InputError, match=r"rows \d and \d, columns \d and \d") as error:
        scoring(matrix)
    assert not is_realisable(error.value.value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0.2]], "row 0, column 0"),
        ([0, 1], "m by n"),
        ([[]], "m by n"),
        ([[1], [1, 0]], "m by n"),
        ([["1"]], "m by n"),
        ([[np.nan]], "0, 0.5 or 1"),
    ],
)
def test_what_is_no_matrix_of_comparisons_is_refused(matrix: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        is_realisable(matrix)  # type: ignore[arg-type]


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(InputError, match="'graph' or 'sub-matrices'"):
        is_realisable([[1]], by="magic")  # type: ignore[arg-type]

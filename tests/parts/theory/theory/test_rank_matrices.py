"""Theorem 16 of Agarwal et al. 2005 by exhausting every matrix and every scoring of small sizes."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import factorial

import numpy as np
import pytest
from numpy.typing import NDArray

from rocsolid.theory.guarantees.psi import psi, psi_bounds, psi_strict
from rocsolid.theory.guarantees.rank_matrix import is_realisable, rank_matrix, scoring

SIZES = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (2, 3), (3, 2), (3, 3)]


def every_rank_matrix(m: int, n: int) -> NDArray[np.int64]:
    """Twice every rank matrix of m + n examples, flat: from all scorings with m + n levels."""
    scores = np.array(list(product(range(m + n), repeat=m + n)))
    signs = np.sign(scores[:, :m, None] - scores[:, None, m:]) + 1
    return np.unique(signs.reshape(len(scores), m * n), axis=0)


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_psi_counts_the_rank_matrices(m: int, n: int) -> None:
    matrices = every_rank_matrix(m, n)
    assert psi(m, n) == len(matrices)
    assert psi_strict(m, n) == np.count_nonzero((matrices != 1).all(axis=1))


@pytest.mark.parametrize(("m", "n"), [(1, 3), (2, 2), (2, 3), (3, 2)])
def test_both_forms_accept_exactly_the_rank_matrices(m: int, n: int) -> None:
    possible = {tuple(row) for row in every_rank_matrix(m, n).tolist()}
    for entries in product(range(3), repeat=m * n):
        matrix = np.reshape(entries, (m, n)) / 2
        assert is_realisable(matrix) == (entries in possible)
        assert is_realisable(matrix, by="sub-matrices") == (entries in possible)


def test_the_two_forms_agree_on_three_by_three() -> None:
    rng = np.random.default_rng(3)
    accepted = 0
    possible = {tuple(row) for row in every_rank_matrix(3, 3).tolist()}
    for entries in rng.integers(0, 3, (3000, 9)):
        matrix = entries.reshape(3, 3) / 2
        answer = is_realisable(matrix)
        accepted += answer
        assert answer == is_realisable(matrix, by="sub-matrices") == (tuple(entries) in possible)
    assert 200 < accepted < 450  # 2067 of 19683 matrices: 315 expected, standard deviation 17


def test_a_scoring_comes_back_for_every_rank_matrix() -> None:
    for row in every_rank_matrix(3, 3):
        matrix = row.reshape(3, 3) / 2
        pos, neg = scoring(matrix)
        assert np.array_equal(rank_matrix(pos, neg), matrix)
        # no two neighbouring levels hold positives alone, nor negatives alone: they could be merged
        kinds = [(level in pos, level in neg) for level in range(max(pos.max(), neg.max()) + 1)]
        assert all(any(kind) for kind in kinds)
        assert all(a != b or a == (True, True) for a, b in pairwise(kinds))


def test_psi_has_its_exponential_generating_function() -> None:
    """1/(e^{−u} + e^{−v} − 1 − (e^u − 1)(e^v − 1)), as exact power series to degree (6, 6)."""
    top = 7
    inverse = [[Fraction(0)] * top for _ in range(top)]
    for i, j in product(range(top), repeat=2):
        if i and j:
            inverse[i][j] = Fraction(-1, factorial(i) * factorial(j))
        elif i or j:
            inverse[i][j] = Fraction((-1) ** (i + j), factorial(i + j))
        else:
            inverse[0][0] = Fraction(1)
    series = [[Fraction(0)] * top for _ in range(top)]
    for i, j in product(range(top), repeat=2):
        rest = sum(
            inverse[a][b] * series[i - a][j - b]
            for a in range(i + 1)
            for b in range(j + 1)
            if a or b
        )
        series[i][j] = (i == j == 0) - rest
    for m, n in product(range(1, top), repeat=2):
        assert psi(m, n) == series[m][n] * factorial(m) * factorial(n)


def test_psi_lies_between_its_bounds() -> None:
    for m, n in product(range(1, 9), repeat=2):
        low, high = psi_bounds(m, n)
        assert low <= psi(m, n) <= high
        assert psi(m, n) == psi(n, m)
    assert [psi(1, n) for n in range(1, 9)] == [3**n for n in range(1, 9)]


def test_psi_strict_is_the_poly_bernoulli_number() -> None:
    # B_n^(−n), OEIS A048163 with n from 1
    assert [psi_strict(n, n) for n in range(1, 6)] == [2, 14, 230, 6902, 329462]

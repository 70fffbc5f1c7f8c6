from __future__ import annotations

from math import factorial, log

import pytest

from rocsolid.errors import InputError
from rocsolid.theory.guarantees.psi import (
    linear_orderings,
    linear_rank_matrices,
    linear_rank_matrices_with_ties,
    psi,
    psi_strict,
)
from rocsolid.theory.guarantees.shatter import log_faces_any, log_regions

SIZES = [(1, 1), (1, 4), (2, 3), (3, 3), (5, 2)]


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_enough_dimensions_give_every_rank_matrix(m: int, n: int) -> None:
    for d in (m + n - 1, m + n, m + n + 5):
        assert linear_rank_matrices(m, n, d) == psi_strict(m, n)
        assert linear_rank_matrices_with_ties(m, n, d) == psi(m, n)


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_counts_grow_with_the_dimension_and_are_symmetric(m: int, n: int) -> None:
    for count in (linear_rank_matrices, linear_rank_matrices_with_ties):
        values = [count(m, n, d) for d in range(1, m + n)]
        assert values == sorted(values)
        assert values == [count(n, m, d) for d in range(1, m + n)]


def test_on_the_line_there_are_three() -> None:
    # Agarwal et al. 2005, §4.4: r = 3 for linear functions on R
    assert linear_rank_matrices(7, 9, 1) == 2
    assert linear_rank_matrices_with_ties(7, 9, 1) == 3


def test_counts_are_below_the_bounds_that_forget_the_pairs() -> None:
    for d in (1, 2, 3, 5):
        for m, n in ((4, 4), (10, 30)):
            strict, tied = linear_rank_matrices(m, n, d), linear_rank_matrices_with_ties(m, n, d)
            assert strict <= linear_orderings(m + n, d)
            assert log(strict) <= log_regions(m * n, d) + 1e-12
            assert log(tied) <= log_faces_any(m * n, d) + 1e-12


def test_large_sizes_stay_exact() -> None:
    # the leading terms are those of m·n hyperplanes; circuits of four pairs come in at d ≥ 4
    m, n = 3000, 2000
    assert linear_rank_matrices(m, n, 3) == 2 * (1 + (m * n) * (m * n - 1) // 2)
    cycles = (m * (m - 1) // 2) * (n * (n - 1) // 2)
    pairs = m * n
    three = pairs * (pairs - 1) * (pairs - 2) // 6 - cycles
    assert linear_rank_matrices(m, n, 4) == 2 * (pairs + three)


def test_orderings() -> None:
    assert [linear_orderings(n, 1) for n in (1, 2, 9)] == [1, 2, 2]
    assert [linear_orderings(n, 2) for n in (2, 3, 9)] == [2, 6, 72]  # N(N − 1)
    assert [linear_orderings(n, 30) for n in range(1, 8)] == [factorial(n) for n in range(1, 8)]


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "2"])
def test_sizes_are_whole_numbers(wrong: object) -> None:
    for count in (linear_rank_matrices, linear_rank_matrices_with_ties):
        with pytest.raises(InputError, match="dimension"):
            count(3, 3, wrong)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="n_pos"):
            count(wrong, 3, 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="n_points"):
        linear_orderings(wrong, 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="n_neg"):
        psi(1, wrong)  # type: ignore[arg-type]

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, exp, inf, isfinite, log

import pytest

from rocsolid.errors import InputError, UnsoundError
from rocsolid.theory.guarantees.psi import linear_rank_matrices, linear_rank_matrices_with_ties, psi
from rocsolid.theory.guarantees.shatter import (
    Finite,
    Linear,
    UserClass,
    log_faces_any,
    log_faces_closed_form,
    log_faces_general,
    log_regions,
    monomials,
    polynomial,
)

SIZES = [(1, 1), (3, 1), (1, 3), (7, 3), (30, 5), (30, 29), (30, 30), (30, 60), (5000, 40)]


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_logarithms_are_those_of_the_exact_sums(n: int, d: int) -> None:
    regions = 2 * sum(comb(n - 1, i) for i in range(d))
    assert log_regions(n, d) == pytest.approx(log(regions), rel=1e-13)
    faces = sum(2**i * comb(n, i) for i in range(d + 1))
    assert log_faces_any(n, d) == pytest.approx(log(faces), rel=1e-13)
    met = sum(
        comb(n, c) * 2 * sum(comb(n - c - 1, i) for i in range(d - c)) for c in range(min(d, n))
    )
    # n < d or n = d: the n hyperplanes also meet all at once in the origin, counted once
    assert log_faces_general(n, d) == pytest.approx(log(met + 1), rel=1e-13)


@pytest.mark.parametrize(("n", "d"), [(n, d) for n, d in SIZES if n >= d])
def test_the_closed_form_is_the_loosest(n: int, d: int) -> None:
    general, regions = log_faces_general(n, d), log_regions(n, d)
    assert regions <= general <= log_faces_any(n, d) + 1e-12 <= log_faces_closed_form(n, d) + 2e-12


def test_the_closed_form_is_refused_where_it_fails() -> None:
    # (2e/9)^9 is below 1, yet one hyperplane has three faces
    with pytest.raises(UnsoundError, match="faces"):
        log_faces_closed_form(1, 9)
    with pytest.raises(UnsoundError):
        Linear(9, count="closed-form").log_rank_shatter(2, 2)


def test_nothing_overflows_at_a_million_rows_and_a_thousand_features() -> None:
    m = 2 * 10**6  # what Corollary 18 asks for at a million
    pairs = m * m
    term, regions, faces = 1, 0, 0
    for i in range(1001):  # C(pairs, i) exactly, step by step
        faces += term << i
        regions += term * (pairs - i) // pairs if i < 1000 else 0  # C(pairs − 1, i)
        term = term * (pairs - i) // (i + 1)
    assert Linear(1000).log_rank_shatter(m, m) == pytest.approx(log(2 * regions), rel=1e-12)
    assert Linear(1000, "faces").log_rank_shatter(m, m) == pytest.approx(log(faces), rel=1e-12)
    assert Linear(1000, "closed-form").log_rank_shatter(m, m) == pytest.approx(
        1000 * log(2 * exp(1) * 4e12 / 1000), rel=1e-12
    )
    assert 0 < Linear(1000).log_threshold_patterns(m) < inf
    assert isfinite(polynomial(1000, 2).log_sign_patterns(10**6))


@pytest.mark.parametrize("d", [1, 2, 4])
def test_exact_counts_can_be_chosen(d: int) -> None:
    strict, tied = Linear(d, "exact"), Linear(d, "exact-ties")
    assert strict.log_rank_shatter(6, 9) == pytest.approx(log(linear_rank_matrices(6, 9, d)))
    assert tied.log_rank_shatter(6, 9) == pytest.approx(
        log(linear_rank_matrices_with_ties(6, 9, d))
    )
    values = [
        Linear(d, count).log_rank_shatter(6, 9)
        for count in ("exact", "regions", "faces", "closed-form")
    ]
    assert values == sorted(values)


def test_monomials_are_counted_as_in_equation_23() -> None:
    for d in range(1, 7):
        for q in range(1, 6):
            printed = sum(
                comb(d, i) * sum(comb(j - 1, i - 1) for j in range(1, q + 1))
                for i in range(1, q + 1)
            )
            listed = sum(
                len(list(combinations_with_replacement(range(d), degree)))
                for degree in range(1, q + 1)
            )
            assert monomials(d, q) == printed == listed


def test_polynomials_are_linear_in_their_monomials() -> None:
    # Theorem 26 is Theorem 24 with C(d, q) for d
    value = polynomial(4, 2, "closed-form").log_rank_shatter(10, 20)
    assert value == pytest.approx(14 * log(2 * exp(1) * 200 / 14))
    assert polynomial(6, 1) == Linear(6)


def test_a_finite_class_has_no_more_patterns_than_members() -> None:
    scorers = Finite(40)
    assert scorers.log_rank_shatter(9, 9) == scorers.log_sign_patterns(9) == log(40)
    assert scorers.log_threshold_patterns(9) == pytest.approx(log(40 * 19))
    assert not scorers.symmetric
    assert Finite(2, symmetric=True).symmetric


def test_a_users_class_gives_what_it_was_given() -> None:
    scorers = UserClass(rank_shatter=lambda m, n: m + n, symmetric=True)
    assert scorers.log_rank_shatter(2, 3) == 5.0
    with pytest.raises(UnsoundError, match="sign_patterns="):
        scorers.log_sign_patterns(3)
    with pytest.raises(UnsoundError, match="threshold_patterns="):
        scorers.log_threshold_patterns(3)
    with pytest.raises(UnsoundError, match="rank_shatter="):
        UserClass(threshold_patterns=float).log_rank_shatter(1, 1)
    assert UserClass(sign_patterns=float).log_sign_patterns(3) == 3.0
    assert UserClass(threshold_patterns=float).log_threshold_patterns(4) == 4.0


@pytest.mark.parametrize(
    "make",
    [lambda: Linear(0), lambda: Linear(2, "best"), lambda: Finite(0), lambda: monomials(2, 0)],
)
def test_what_is_no_class_is_refused(make) -> None:
    with pytest.raises(InputError):
        make()


def test_a_logarithm_that_is_no_number() -> None:
    with pytest.raises(InputError, match="logarithm of a count"):
        UserClass(sign_patterns=lambda pairs: pairs * float("nan")).log_sign_patterns(3)


def test_a_finite_class_has_no_more_counts_than_comparisons_have_outcomes() -> None:
    """A billion scorers of one positive and one negative: three rank matrices."""
    scorers = Finite(10**9)
    assert exp(scorers.log_rank_shatter(1, 1)) == pytest.approx(3)
    assert exp(scorers.log_sign_patterns(2)) == pytest.approx(9)
    assert exp(scorers.log_threshold_patterns(3)) == pytest.approx(27)
    assert scorers.log_rank_shatter(20, 20) == log(10**9)
    for m in range(1, 5):
        for n in range(1, 5):
            assert scorers.log_rank_shatter(m, n) == log(min(psi(m, n), 10**9))

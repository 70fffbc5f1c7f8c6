"""Claims about counts: laws, errors, rounding, the conjecture."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from misranked_pairs import labelings_by_recursion
from rocsolid.leaks import conjecture, count
from rocsolid.leaks.fourier import fourier_count, saddle_exposure, saddle_log_count
from rocsolid.leaks.gaussian import gaussian_coefficient, gaussian_coefficients, gaussian_sum
from rocsolid.leaks.growth import threshold
from rocsolid.leaks.half_tables import ExactTables
from rocsolid.leaks.posterior import maximum_entropy


def question(n: int, share: int, auc: float) -> tuple[np.ndarray, int, int, int]:
    """Weights, positives, misranked pairs and sum of weights, scores untied."""
    k = n // share
    d = round((1 - auc) * k * (n - k))
    return np.arange(n), k, d, k * (k - 1) // 2 + k * (n - k) - d


@pytest.mark.parametrize(("n_neg", "n_pos"), [(1, 1), (7, 4), (40, 36), (60, 60), (150, 20)])
def test_coefficients_are_a_palindrome_with_the_right_sum(n_neg: int, n_pos: int):
    every = gaussian_coefficients(n_neg, n_pos)
    assert len(every) == n_neg * n_pos + 1
    assert every == every[::-1]
    assert sum(every) == math.comb(n_neg + n_pos, n_pos)
    for d in range(0, len(every), 1 + len(every) // 9):
        assert gaussian_coefficient(n_neg, n_pos, d) == every[d]


@pytest.mark.parametrize(
    ("share", "auc", "errors"),
    [  # at n = 40, 100, 200, 400: measured errors, rounded up
        (2, 0.5, (1e-4, 2e-5, 4e-6, 1e-6)),
        (2, 0.8, (3e-4, 4e-5, 8e-6, 2e-6)),
        (2, 0.95, (3e-3, 2e-4, 4e-5, 7e-6)),
        (2, 0.99, (4e-2, 1e-3, 4e-5, 8e-6)),
        (5, 0.8, (1e-3, 1e-4, 2e-5, 4e-6)),
        (5, 0.95, (1e-2, 4e-4, 1e-4, 2e-5)),
        (5, 0.99, (5e-2, 3e-3, 2e-4, 4e-5)),
    ],
)
def test_errors_of_the_saddle_point(share: int, auc: float, errors: tuple[float, ...]):
    for n, allowed in zip((40, 100, 200, 400), errors, strict=True):
        weights, k, d, total = question(n, share, auc)
        exact = math.log(gaussian_coefficient(n - k, k, d))
        found = saddle_log_count(weights, k, total)
        error = abs(math.expm1(found.log_count - exact))
        assert error <= allowed
        assert error <= found.relative_error  # the estimate did not flatter


def test_without_the_correction_it_overestimates():
    # by 1.2, 2.5 and 4.9 % at n = 100 for AUC .5, .9 and .97
    for auc, expected in ((0.5, 0.012), (0.9, 0.025), (0.97, 0.049)):
        weights, k, _, total = question(100, 2, auc)
        e = saddle_log_count(weights, k, total).correction
        assert 1 / (1 + e) - 1 == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize("auc", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("n", [40, 100, 250])
def test_fourier_inversion_has_no_visible_error(n: int, auc: float):
    weights, k, d, total = question(n, 3, auc)
    found = fourier_count(weights, k, total - 2, total + 9)
    exact = gaussian_sum(n - k, k, d - 9, d + 2)
    assert found.log_count == pytest.approx(math.log(exact), abs=1e-11)
    assert abs(math.expm1(found.log_count - math.log(exact))) <= found.relative_error < 1e-10


@pytest.mark.parametrize("auc", [0.5, 0.8, 0.95])
def test_exposures(auc: float):
    weights, k, _, total = question(60, 3, auc)
    exact = ExactTables(weights, k).count(k, total, total)
    shares = [
        ExactTables(np.delete(weights, i), k - 1).count(k - 1, total - i, total - i) / exact
        for i in range(60)
    ]
    fourier = fourier_count(weights, k, total, total, exposure=True).exposure
    assert np.abs(np.array(fourier) - shares).max() < 5e-12
    assert np.abs(saddle_exposure(weights, k, total) - shares).max() < 3e-3
    plain = maximum_entropy(weights, k, total).p
    assert np.abs(plain - shares).max() > np.abs(saddle_exposure(weights, k, total) - shares).max()


def test_few_rows_off_the_lattice_are_noticed():
    # 29 tied pairs and 2 single rows: all doubled midranks but two are odd multiples of 1
    scores = [*np.repeat(np.arange(29), 2), 29, 30]
    ranks = np.array([4 * (s + 1) - 1 if s < 29 else 2 * (s + 30) for s in scores])
    weights, sizes = np.unique(
        (ranks - ranks.min()) // np.gcd.reduce(ranks - ranks.min()), return_counts=True
    )
    every = np.repeat(weights, sizes)
    k = 20
    worst = 0.0
    for total in range(900, 912):
        exact = ExactTables(every, k).count(k, total, total)
        if exact:
            found = saddle_log_count(weights, k, total, sizes)
            assert not found.reliable
            worst = max(worst, abs(found.log_count - math.log(exact)))
            fourier = fourier_count(weights, k, total, total, sizes)
            assert fourier.log_count == pytest.approx(math.log(exact), abs=1e-10)
    assert worst > math.log(2)


def test_maximum_entropy_bounds_the_count():
    weights, k, d, total = question(80, 2, 0.9)
    entropy = -maximum_entropy(weights, k, total).log_density(k, total)
    assert math.log(gaussian_coefficient(80 - k, k, d)) < entropy < 80 * math.log(2)


def test_rounding_loses_nothing_up_to_a_power_of_ten_of_pairs():
    # given n₁: each value that is possible is told apart exactly when n₀n₁ ≤ 10^j
    for n_neg, n_pos in ((2, 5), (10, 10), (9, 11), (10, 11), (3, 34), (25, 4)):
        pairs = n_neg * n_pos
        for decimals in (1, 2, 3):
            # half a unit is kept on both sides, so ties of the rounding may show two values
            lossless = all(
                sum(
                    abs(Fraction(e, pairs) - round(Fraction(d, pairs), decimals)) * 2 * 10**decimals
                    < 1
                    for e in range(pairs + 1)
                )
                == 1
                for d in range(pairs + 1)
                if abs(Fraction(d, pairs) - round(Fraction(d, pairs), decimals)) * 2 * 10**decimals
                != 1
            )
            assert lossless == (pairs <= 10**decimals), (n_neg, n_pos, decimals)


def test_count_of_a_rounded_value_is_the_sum_over_what_rounds_to_it():
    n, n_pos = 30, 12
    pairs = n_pos * (n - n_pos)
    for text in ("0.9", "0.93", "0.931", "0.50", "1.00"):
        value, half = Fraction(text), Fraction(1, 2 * 10 ** len(text.split(".")[1]))
        fitting = [d for d in range(pairs + 1) if abs(1 - Fraction(d, pairs) - value) <= half]
        expected = sum(gaussian_coefficient(n - n_pos, n_pos, d) for d in fitting)
        assert count(text, n, n_pos=n_pos).count == expected


def test_all_values_together_are_all_labelings():
    scores = [0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 14, 14]
    n_pos, pairs = 8, 8 * 12
    total = sum(
        count(Fraction(u, 2 * pairs), scores, n_pos=n_pos).count or 0 for u in range(2 * pairs + 1)
    )
    assert total == math.comb(20, 8)


def test_the_conjecture_of_section_6():
    found = conjecture(120)
    assert found.rises_at + len(found.level_at) == found.steps_at
    assert {rise.auc.denominator for rise in found.below} == {4, 16, 36, 64, 100}
    assert found.only_after_squares
    assert found.once_per_pair
    assert found.only_q_pairs
    # q = 2r² with one misranked pair: (r, 2r) twice with one labeling, (2r, 2r) once with two
    assert {auc.denominator for auc in found.level_at} == {2, 8, 18, 32, 50, 72, 98}
    assert all(auc.numerator in (1, auc.denominator - 1) for auc in found.level_at)


@pytest.mark.parametrize("rise", conjecture(64).below[::9], ids=str)
def test_counterexamples_by_the_papers_recursion(rise):
    for n, labelings in ((rise.n_before, rise.labelings_before), (rise.n, rise.labelings)):
        assert sum(labelings_by_recursion(rise.auc, n).values()) == labelings
    between = range(rise.n_before + 1, rise.n)
    assert not any(labelings_by_recursion(rise.auc, n) for n in between)
    assert rise.labelings_before < rise.labelings
    assert rise.n < rise.threshold == threshold(rise.auc.denominator)


def test_one_misranked_pair_is_a_counterexample_at_every_square_with_a_second_pair_of_factors():
    # w goes from 1 at (r, r) to 2 at the next pair of factors, if that is below the threshold
    rises = {rise.auc for rise in conjecture(150).below}
    for root in range(2, 13):
        q = root * root
        wider = [a + q // a for a in range(1, root) if q % a == 0 and a + q // a < threshold(q)]
        assert (Fraction(q - 1, q) in rises) == bool(wider)

"""The tails of Agarwal et al. 2005 under their own names, and what surrounds them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.theory import guarantees as g

SIZES = [(1, 1), (7, 93), (1000, 1000), (3, 10**6)]


@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("delta", [0.01, 0.05, 0.5])
def test_every_tail_is_delta_at_the_deviation_of_its_interval(m: int, n: int, delta: float) -> None:
    variance = float(g.largest_variance(0.76, m, n))
    epsilon = math.sqrt(math.log(2 / delta) * (m + n) / (2 * m * n))
    assert g.mcdiarmid_tail(epsilon, m, n) == pytest.approx(delta)
    assert g.mcdiarmid_tail(epsilon, m, n) == pytest.approx(
        g.finite_class_tail(epsilon, m, n, size=1)
    )
    assert g.chebyshev_tail(math.sqrt(variance / delta), variance) == pytest.approx(delta)
    sigmas = norm.ppf(1 - delta / 2) * math.sqrt(variance)
    assert g.normal_tail(sigmas, variance) == pytest.approx(delta)
    rows = m + n
    epsilon = math.sqrt(math.log(2 / delta) / (2 * rows))
    assert g.error_rate_tail(epsilon, rows) == pytest.approx(delta)


def test_tails_end_at_one_and_zero() -> None:
    assert g.mcdiarmid_tail(0.01, 3, 3) == g.chebyshev_tail(0.01, 0.2) == 1.0
    assert g.error_rate_tail(0.01, 3) == 1.0
    assert g.normal_tail(0.1, 0.0) == g.chebyshev_tail(0.1, 0.0) == 0.0
    for tail in (
        lambda: g.mcdiarmid_tail(0.0, 3, 3), lambda: g.chebyshev_tail(-0.1, 0.1),
        lambda: g.normal_tail(0.1, 2.0), lambda: g.error_rate_tail(0.1, 0),
    ):  # fmt: skip
        with pytest.raises(InputError):
            tail()


def test_the_error_rate_counts_scores_above_the_threshold_alone() -> None:
    """Table 1 of Agarwal et al. 2005: two errors of eight for both functions."""
    y = [-1, -1, -1, -1, 1, 1, 1, 1]
    first, second = [-2, -1, 3, 4, 1, 2, 5, 6], [-2, -1, 5, 6, 1, 2, 3, 4]
    assert g.empirical_error(y, first) == g.empirical_error(y, second) == 2 / 8
    assert (rs.auc(y, first).value, rs.auc(y, second).value) == (12 / 16, 8 / 16)
    assert g.empirical_error([0, 1], [0.5, 0.5], threshold=0.5) == 0.5
    assert g.empirical_error(["b", "a"], [1.0, -1.0], pos_label="b") == 0.0


@pytest.mark.parametrize("chance", [0.2, 0.5])
def test_the_variance_of_the_auc_is_below_the_bound_of_bounded_changes(chance: float) -> None:
    """Theorem 28 with changes of 1/m and 1/n, against all samples of two possible scores."""
    m, n = 3, 2
    values, weights = [], []
    for scores in itertools.product([0, 1], repeat=m + n):
        values.append(rs.auc([1] * m + [0] * n, scores).value)
        weights.append(math.prod(chance if score else 1 - chance for score in scores))
    mean = np.dot(values, weights)
    variance = np.dot((np.array(values) - mean) ** 2, weights)
    bound = g.bounded_variance([1 / m] * m + [1 / n] * n)
    assert bound == pytest.approx((m + n) / (4 * m * n))
    assert 0.1 * bound < variance <= bound
    with pytest.raises(InputError, match="not negative"):
        g.bounded_variance([-1.0])


def test_theorem_22_is_used_where_only_sign_patterns_are_known() -> None:
    dimension = 3
    linear = g.UserClass(
        sign_patterns=lambda pairs: g.Linear(dimension, "faces").log_rank_shatter(pairs, 1)
    )
    for m, n in ((5, 7), (400, 300)):
        assert linear.log_rank_shatter(m, n) == g.Linear(dimension, "faces").log_rank_shatter(m, n)
    bound = g.uniform_rank_shatter(0.95, 20_000, 20_000, linear)
    expected = g.uniform_rank_shatter(0.95, 20_000, 20_000, g.Linear(dimension, "faces"))
    assert bound.deviation == expected.deviation
    assert not bound.vacuous


@pytest.mark.parametrize(("m", "n", "most"), [(1, 1, 3), (2, 2, 51), (2, 3, 261), (3, 3, 2067)])
def test_a_finite_class_has_at_most_all_rank_matrices(m: int, n: int, most: int) -> None:
    for size in (1, 2, most - 1, most, most + 1, 10**9):
        count = math.exp(g.Finite(size).log_rank_shatter(m, n))
        assert count == pytest.approx(min(size, most))

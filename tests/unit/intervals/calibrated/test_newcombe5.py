from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rocsolid.intervals.calibrated.standard_error import (
    distance_up,
    newcombe5,
    newcombe5_classwise,
    newcombe5_hull,
    newcombe5_mirrored,
)
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

GRID = np.array([0.0, 1e-9, 0.01, 0.3, 0.5, 0.77, 0.99, 1 - 1e-9, 1.0])
BOTH = [newcombe5, newcombe5_classwise]


def of(auc: object, m: float, n: float) -> Moments:
    """Only the AUC and the sizes matter here: the variances are NaN to show it."""
    return Moments(auc, np.nan, np.nan, m, n)


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 50), (10, 10), (30, 1000), (10**6, 10**7)])
def test_the_limits_hold_the_estimate_and_are_one_only_at_one(method, m, n) -> None:
    low, high = method(of(GRID, m, n), 0.95, "two-sided")
    assert np.all((low >= 0) & (low <= GRID) & (high >= GRID) & (high <= 1))
    assert high[-1] == 1.0
    assert low[0] == 0.0
    assert np.all(low[1:] > 0.0)
    assert np.all(np.diff(low) >= 0)
    assert np.all(np.diff(high) >= 0)


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize(("m", "n"), [(5, 5), (7, 90), (90, 7)])
def test_exchanging_the_classes_mirrors_the_interval(method, m, n) -> None:
    low, high = method(of(GRID, m, n), 0.9, "two-sided")
    mirrored_low, mirrored_high = method(of(1 - GRID, n, m), 0.9, "two-sided")
    assert_allclose(low, 1 - mirrored_high, atol=2e-15)
    assert_allclose(high, 1 - mirrored_low, atol=2e-15)


def test_method_5_does_not_mind_which_class_is_the_small_one() -> None:
    assert_allclose(
        newcombe5(of(GRID, 30, 1000), 0.95, "two-sided"),
        newcombe5(of(GRID, 1000, 30), 0.95, "two-sided"),
    )


def test_classwise_weights_equal_method_5_when_the_classes_are_equal() -> None:
    for size in (1, 2, 10, 999):
        assert_allclose(
            newcombe5_classwise(of(GRID, size, size), 0.95, "two-sided"),
            newcombe5(of(GRID, size, size), 0.95, "two-sided"),
        )


def test_classwise_weights_count_a_small_positive_class_in_full() -> None:
    low, _ = newcombe5(of(0.95, 30, 1000), 0.95, "two-sided")
    low_classwise, _ = newcombe5_classwise(of(0.95, 30, 1000), 0.95, "two-sided")
    assert 0.95 - low_classwise > 1.3 * (0.95 - low)


def test_one_pair_is_wilsons_interval() -> None:
    """With m = n = 1 the bracket is 1 and the equation is Wilson's for one trial."""
    z2 = 1.959963984540054**2
    low, high = newcombe5(of(1.0, 1, 1), 0.95, "two-sided")
    assert float(low) == pytest.approx(1 / (1 + z2), abs=1e-15)
    assert float(high) == 1.0


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_a_one_sided_level_of_one_half_gives_the_estimate(alternative: Alternative) -> None:
    low, high = newcombe5(of(GRID, 12, 34), 0.5, alternative)
    assert_allclose(low if alternative == "greater" else high, GRID, atol=1e-15)


def test_a_higher_level_never_gives_a_shorter_interval() -> None:
    before = (GRID, GRID)
    for level in (0.5, 0.9, 0.99, 0.999999, 1 - 1e-12):
        low, high = newcombe5(of(GRID, 12, 34), level, "two-sided")
        assert np.all(low <= before[0] + 1e-15)
        assert np.all(high >= before[1] - 1e-15)
        before = (low, high)


def test_a_group_without_pairs_stays_nan() -> None:
    low, high = newcombe5(of(np.array([np.nan, 0.8]), np.array([0.0, 5.0]), 5.0), 0.9, "two-sided")
    np.testing.assert_array_equal(np.isnan(low), [True, False])
    np.testing.assert_array_equal(np.isnan(high), [True, False])


def test_the_solver_meets_its_equation_far_outside_ordinary_sizes() -> None:
    rng = np.random.default_rng(5)
    m, n = np.exp(rng.uniform(0, 30, (2, 20_000)))
    auc = np.where(rng.random(20_000) < 0.1, 0.0, rng.beta(0.1, 0.1, 20_000))
    scale = rng.uniform(0.01, 40, 20_000) / (m * n)
    x = distance_up(auc, m - 1, n - 1, scale)

    def excess(x: np.ndarray) -> np.ndarray:
        t = np.minimum(auc + x, 1.0)
        return x * x - scale * t * (1 - t) * (
            1 + (m - 1) * (1 - t) / (2 - t) + (n - 1) * t / (1 + t)
        )

    wiggle = 1e-9 * x + 4e-16
    assert np.all(excess(np.maximum(x - wiggle, 0)) <= 0)
    assert np.all((excess(x + wiggle) >= 0) | (auc + x + wiggle >= 1))


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 50), (30, 1000), (10**6, 10**7)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_hull_of_one_data_set_has_the_bits_of_its_forms(
    m: int, n: int, alternative: Alternative
) -> None:
    for auc in (*GRID, np.nan):
        ends = [
            form(of(auc, m, n), 0.95, alternative)
            for form in (newcombe5, newcombe5_classwise, newcombe5_mirrored)
        ]
        low, high = newcombe5_hull(of(np.array([auc]), m, n), 0.95, alternative)
        np.testing.assert_array_equal(low, min(float(low) for low, _ in ends))
        np.testing.assert_array_equal(high, max(float(high) for _, high in ends))

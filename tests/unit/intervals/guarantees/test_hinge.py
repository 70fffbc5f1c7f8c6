from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.intervals.guarantees.hinge import hinge, hinge_deviation, hinge_limits
from rocsolid.intervals.guarantees.hoeffding import kl_limits

# the full widths at δ = .05 and Â = A that were worked out by hand twice, for A = .6, .8, .95, .99
WIDTHS = {
    20: (0.4725, 0.3955, 0.2529, 0.1774),
    100: (0.2252, 0.1854, 0.1031, 0.0557),
    1000: (0.0723, 0.0591, 0.0323, 0.0150),
}


@pytest.mark.parametrize("k", WIDTHS)
def test_widths_to_four_digits(k: int) -> None:
    low, high = hinge_limits([0.6, 0.8, 0.95, 0.99], k)
    assert np.round(high - low, 4).tolist() == list(WIDTHS[k])


@pytest.mark.parametrize("k", [1, 2, 7, 20, 1000, 10**6])
@pytest.mark.parametrize("delta", [0.05, 1e-9, 0.9])
def test_perfect_ranking_has_the_closed_form(k: int, delta: float) -> None:
    assert hinge(1.0, k, k + 3, delta).low == (delta / 2) ** (1 / k)
    assert hinge(1.0, k, k + 3, delta, "greater").low == delta ** (1 / k)
    assert hinge(1.0, k, k + 3, delta).high == 1.0
    assert hinge(0.0, k, k + 3, delta).low == 0.0
    assert hinge(0.0, k, k + 3, delta).high == 1 - (delta / 2) ** (1 / k)


def test_at_most_one_expected_success_leaves_only_markov() -> None:
    low, _ = hinge_limits([0.2, 1 / 7, 1e-9], [5, 7, 10**6])
    assert low == pytest.approx(0.025 * np.array([0.2, 1 / 7, 1e-9]), rel=1e-11)


def test_the_smaller_class_counts() -> None:
    assert hinge(0.8, 30, 1000) == hinge(0.8, 1000, 30) == hinge(0.8, 30, 30)


@given(st.floats(0, 1), st.integers(1, 10**7), st.sampled_from([0.05, 1e-12, 1e-99, 0.6, 0.99]))
def test_inside_the_kl_interval_and_around_the_estimate(x: float, k: int, delta: float) -> None:
    low, high = hinge_limits(x, k, delta)
    wide_low, wide_high = kl_limits(x, k, delta)
    assert wide_low <= low <= x <= high <= wide_high


@pytest.mark.parametrize("k", [3, 25, 1000])
def test_limits_rise_with_the_estimate(k: int) -> None:
    low, high = hinge_limits(np.linspace(0, 1, 2001), k)
    assert np.all(np.diff(low) > -1e-13)
    assert np.all(np.diff(high) > -1e-13)


def test_limits_tighten_with_k_and_widen_with_the_level() -> None:
    low, high = hinge_limits(0.8, [5, 10, 100, 1000, 10**4])
    assert np.all(np.diff(low) > 0)
    assert np.all(np.diff(high) < 0)
    widths = [hinge(0.8, 50, 50, delta).width for delta in (0.2, 0.1, 0.05, 0.01, 1e-6)]
    assert widths == sorted(widths)


def test_one_limit_spends_all_of_delta() -> None:
    both = hinge(0.8, 50, 50, 0.1)
    assert hinge(0.8, 50, 50, 0.05, "greater").low == both.low
    assert hinge(0.8, 50, 50, 0.05, "greater").high == 1.0
    assert hinge(0.8, 50, 50, 0.05, "less").high == both.high
    assert hinge(0.8, 50, 50, 0.05, "less").low == 0.0


def test_arrays_broadcast_and_keep_nan_to_themselves() -> None:
    low, high = hinge_limits([[0.8], [np.nan], [1.0]], [10.0, 20.0])
    assert low.shape == high.shape == (3, 2)
    assert np.isnan(low[1]).all()
    assert np.isnan(high[1]).all()
    assert low[0, 1] == hinge(0.8, 20, 20).low
    assert np.isnan(hinge_limits(np.nan, 5, alternative="greater")[1])


def test_more_values_than_one_block() -> None:
    x = np.linspace(0, 1, 20_001)
    low, high = hinge_limits(x, 25)
    some = [0, 9000, 17_000, 20_000]
    one_by_one = [float(hinge_limits(v, 25)[0]) for v in x[some]]
    assert low[some] == pytest.approx(one_by_one, rel=1e-14)
    assert np.allclose(high, 1 - low[::-1], rtol=0, atol=1e-12)


def test_names_its_assumptions() -> None:
    found = hinge(0.8, 50, 50)
    assert found.certified
    assert not found.vacuous
    assert "rows independent" in found.assumptions
    assert "Hoeffding" in found.source


@pytest.mark.parametrize("k", [1, 7, 40])
def test_deviation_without_an_auc_is_the_largest(k: int) -> None:
    x = np.linspace(0, 1, 30_001)
    low, high = hinge_limits(x, k)
    largest = max(np.max(x - low), np.max(high - x))
    assert largest <= float(hinge_deviation(k, k)) <= largest + 1e-5  # the grid's step
    at = hinge_deviation(k, k, auc=0.9)
    interval = hinge(0.9, k, k)
    assert float(at) == max(0.9 - interval.low, interval.high - 0.9)

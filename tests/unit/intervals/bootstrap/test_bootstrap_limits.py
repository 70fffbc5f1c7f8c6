"""Percentile, BCa and studentised limits against other software and against definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit, logit

from rocsolid.errors import UnsoundError
from rocsolid.intervals.bootstrap.bootstrap import (
    acceleration,
    bca,
    percentile,
    quantiles,
    studentised_logit,
)

VALUES = np.random.default_rng(0).beta(9, 2, size=2001)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_against_scipys_bootstrap(alternative: str) -> None:
    """scipy.stats.bootstrap on the mean of a skewed sample, given its own resamples."""
    sample = np.random.default_rng(1).beta(6, 1.5, size=40)
    for method in ("percentile", "BCa"):
        theirs = stats.bootstrap(
            (sample,), np.mean, n_resamples=1999, method=method, rng=np.random.default_rng(2),
            alternative=alternative, confidence_level=0.9,
        )  # fmt: skip
        values = theirs.bootstrap_distribution
        if method == "percentile":
            ours = percentile(values, 0.9, alternative)
        else:
            skew = acceleration((sample - sample.mean()) / len(sample))
            ours = bca(float(sample.mean()), values, skew, 0.9, alternative)
        low, high = theirs.confidence_interval
        assert ours == pytest.approx((max(low, 0.0), min(high, 1.0)), abs=1e-9)


@given(
    st.lists(st.floats(-1.0, 1.0) | st.integers(0, 3), min_size=1, max_size=50),
    st.sampled_from([0.0, 0.025, 0.5, 1.0]) | st.floats(0.0, 1.0),
    st.booleans(),
)
def test_quantiles_are_numpys_to_the_last_digit(
    values: list[float], share: float, missing: bool
) -> None:
    some = np.array([*values, np.nan] if missing else values, dtype=np.float64)
    np.testing.assert_array_equal(
        quantiles(some, (share, 1.0 - share)), np.quantile(some, [share, 1.0 - share])
    )


def test_bca_moves_towards_the_long_tail() -> None:
    estimate = float(np.median(VALUES))
    plain = bca(estimate, VALUES, 0.0, 0.95, "two-sided")
    assert plain == pytest.approx(percentile(VALUES, 0.95, "two-sided"), abs=1e-3)
    skewed = bca(estimate, VALUES, -0.1, 0.95, "two-sided")
    assert skewed[0] < plain[0]
    assert skewed[1] < plain[1]


def test_bca_past_the_pole_has_no_end() -> None:
    low, high = bca(0.5, np.linspace(0, 1, 101), 0.6, 0.95, "two-sided", (-1.0, 2.0))
    assert high == 2.0
    assert low > 0.0


def test_bca_without_a_bias() -> None:
    with pytest.raises(UnsoundError, match="one side"):
        bca(0.99, VALUES[VALUES < 0.9], 0.0, 0.95, "two-sided")


def test_values_that_differ_by_rounding_count_half() -> None:
    values = np.concatenate([np.full(50, 0.5 - 1e-15), np.linspace(0.1, 0.9, 50)])
    assert bca(0.5, values, 0.0, 0.9, "two-sided") == pytest.approx(
        percentile(values, 0.9, "two-sided"), abs=0.02
    )


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_studentised_by_its_definition(alternative: str) -> None:
    values = np.clip(VALUES, 0.2, 0.98)
    variances = values * (1 - values) / 40
    estimate, variance = 0.85, 0.85 * 0.15 / 40
    error = (logit(values) - logit(estimate)) / (np.sqrt(variances) / (values * (1 - values)))
    spread = np.sqrt(variance) / (estimate * (1 - estimate))
    p = 0.975 if alternative == "two-sided" else 0.95
    ordered = np.sort(error)
    at = int(np.ceil(p * (len(error) - 1)))
    truth = [
        expit(logit(estimate) - ordered[at] * spread),
        expit(logit(estimate) - ordered[len(error) - 1 - at] * spread),
    ]
    if alternative == "greater":
        truth[1] = 1.0
    if alternative == "less":
        truth[0] = 0.0
    found = studentised_logit(estimate, variance, values, variances, 0.95, alternative)
    assert found == pytest.approx(truth, abs=1e-12)


def test_perfect_resamples_leave_the_lower_limit_open() -> None:
    values, variances = np.linspace(0.7, 0.95, 100), np.full(100, 0.003)
    few, many = values.copy(), values.copy()
    few[-1:], many[-5:] = 1.0, 1.0
    for some, opened in ((few, False), (many, True)):
        low, high = studentised_logit(0.85, 0.003, some, variances, 0.95, "two-sided")
        assert (low == 0.0) == opened
        assert 0.85 < high < 1.0
    # the same seen from the other end
    low, high = studentised_logit(0.15, 0.003, 1.0 - many, variances, 0.95, "two-sided")
    assert high == 1.0
    assert 0.0 < low < 0.15


def test_a_resample_without_variance_has_an_endless_error() -> None:
    values, variances = np.linspace(0.7, 0.95, 100), np.full(100, 0.003)
    variances[:10] = 0.0
    low, high = studentised_logit(0.85, 0.003, values, variances, 0.95, "two-sided")
    assert high == 1.0
    assert low > 0.0

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.standard_error import degrees_of_freedom, logit_t
from rocsolid.summaries.moments import Moments


def test_by_hand_with_students_table() -> None:
    """One class carries all the variance and has eleven rows: t at .975 with 10 df is 2.228139."""
    low, high = logit_t(Moments(0.8, 0.0064, 0.0, 11, 40), 0.95, "two-sided")
    half = 2.2281388519649385 * 0.08 / 0.16
    for limit, sign in ((low, -1), (high, 1)):
        odds = 4.0 * np.exp(sign * half)
        assert float(limit) == pytest.approx(odds / (1 + odds), abs=1e-11)


def test_welch_degrees_of_freedom_are_those_of_the_formula() -> None:
    got = degrees_of_freedom(Moments(0.8, 0.002, 0.003, 12, 30))
    assert float(got) == pytest.approx(0.005**2 / (0.002**2 / 11 + 0.003**2 / 29))


def test_a_tiny_variance_does_not_underflow() -> None:
    """1e-200 squared is zero, and zero by zero would be NaN."""
    got = degrees_of_freedom(Moments(0.8, 1e-200, 1e-200, 10, 10))
    assert float(got) == pytest.approx(18.0)


def test_limits_stay_inside_zero_and_one_whatever_the_variance() -> None:
    low, high = logit_t(Moments(0.99, 0.01, 0.01, 20, 20), 0.99, "two-sided")
    assert 0.0 <= float(low) < 0.99 < float(high) <= 1.0


@pytest.mark.parametrize(
    "moments",
    [
        Moments(1.0, 0.0, 0.0, 20, 20),
        Moments(0.0, 0.0, 0.0, 20, 20),
        Moments(0.5, 0.0, 0.0, 20, 20),
        Moments(0.7, 0.01, np.nan, 20, 1),
        Moments(0.7, 0.01, 0.01, 1.0, 20),
    ],
    ids=["perfect", "reversed", "constant score", "one negative", "one effective positive"],
)
def test_refusals(moments: Moments) -> None:
    with pytest.raises(UnsoundError, match=r"logit-t.*AUC is 0 or 1.*Fix: use interval=\"auto\""):
        logit_t(moments, 0.95, "two-sided")

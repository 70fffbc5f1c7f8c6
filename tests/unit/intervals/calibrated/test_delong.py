from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.standard_error import delong
from rocsolid.summaries.moments import Moments


def test_the_formula() -> None:
    low, high = delong(Moments(0.7, 0.003, 0.001, 30, 50), 0.95, "two-sided")
    half = 1.959963984540054 * np.sqrt(0.004)
    assert (float(low), float(high)) == pytest.approx((0.7 - half, 0.7 + half), abs=1e-15)


def test_one_sided_limits_are_the_ends_of_a_two_sided_interval_of_twice_the_miss() -> None:
    moments = Moments(0.7, 0.003, 0.001, 30, 50)
    low, high = delong(moments, 0.90, "two-sided")
    assert_allclose(delong(moments, 0.95, "greater"), (low, 1.0))
    assert_allclose(delong(moments, 0.95, "less"), (0.0, high))


def test_a_limit_beyond_one_is_one() -> None:
    """pROC 1.18.0 gives .764262021956290 to 1 for four rows a class (see the golden tests)."""
    _, high = delong(Moments(0.97, 0.003, 0.001, 30, 50), 0.95, "two-sided")
    assert float(high) == 1.0


@pytest.mark.parametrize(
    "moments",
    [
        Moments(1.0, 0.0, 0.0, 20, 20),
        Moments(0.5, 0.0, 0.0, 20, 20),
        Moments(0.7, np.nan, 0.01, 1, 20),
    ],
    ids=["perfect", "constant score", "one positive"],
)
def test_no_variance_is_refused(moments: Moments) -> None:
    with pytest.raises(UnsoundError, match=r"variance is zero.*single row.*interval=\"auto\""):
        delong(moments, 0.95, "two-sided")


def test_among_many_groups_the_unsound_ones_are_nan() -> None:
    moments = Moments(
        np.array([1.0, 0.8, 0.7]),
        np.array([0.0, 0.001, np.nan]),
        np.array([0.0, 0.001, 0.001]),
        np.array([9.0, 9.0, 1.0]),
        np.array([9.0, 9.0, 9.0]),
    )
    for alternative in ("two-sided", "greater", "less"):
        low, high = delong(moments, 0.95, alternative)
        np.testing.assert_array_equal(np.isnan(low), [True, False, True])
        np.testing.assert_array_equal(np.isnan(high), [True, False, True])

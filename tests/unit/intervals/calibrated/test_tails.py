from __future__ import annotations

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.intervals.calibrated.standard_error import quantile, tail, within_range


def test_two_sided_splits_what_it_may_miss() -> None:
    assert tail(0.9, "two-sided") == pytest.approx(0.95)
    assert tail(0.9, "greater") == tail(0.9, "less") == 0.9


def test_known_quantiles() -> None:
    assert quantile(0.95, "two-sided") == pytest.approx(1.959963984540054, abs=1e-15)
    assert quantile(0.95, "greater") == pytest.approx(1.6448536269514722, abs=1e-15)


def test_two_sided_levels_below_one_half_are_fine_one_sided_ones_are_not() -> None:
    assert tail(0.2, "two-sided") == pytest.approx(0.6)
    assert tail(0.5, "less") == 0.5
    with pytest.raises(InputError, match=r"wrong side.*0\.4.*level.*at least 0\.5"):
        tail(0.4, "greater")


def test_limits_stay_in_the_range_and_the_free_end_is_free() -> None:
    low, high = np.array([-0.1, 0.5, np.nan]), np.array([0.4, 1.2, np.nan])
    for alternative, lows, highs in (
        ("two-sided", [0.0, 0.5, np.nan], [0.4, 1.0, np.nan]),
        ("greater", [0.0, 0.5, np.nan], [1.0, 1.0, np.nan]),
        ("less", [0.0, 0.0, np.nan], [0.4, 1.0, np.nan]),
    ):
        got = within_range(low, high, alternative)
        np.testing.assert_array_equal(got[0], lows)
        np.testing.assert_array_equal(got[1], highs)

"""The e-value and the bets: what they refuse, their symmetries, and when they pay."""

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.betting import betting, e_value
from rocsolid.intervals.guarantees.hinge import hinge

BOTH = pytest.mark.parametrize("method", [e_value, betting])


def placed(small: int, large: int, shift: float, seed: int = 7) -> np.ndarray:
    """Placements of a small class of binormal scores in a large one."""
    rng = np.random.default_rng(seed)
    return np.searchsorted(np.sort(rng.normal(size=large)), rng.normal(shift, 1, small)) / large


@BOTH
def test_row_order_and_the_names_of_the_classes_cannot_matter(method) -> None:
    values = placed(150, 9000, 1.2)
    first = method(values, 150, 9000)
    assert method(values[::-1], 150, 9000) == first
    assert method(np.random.default_rng(3).permutation(values), 9000, 150) == first


@BOTH
def test_turning_the_scores_around_mirrors_the_interval(method) -> None:
    values = np.round(placed(100, 5000, 0.8), 3)
    found, mirror = method(values, 100, 5000), method(1 - values, 100, 5000)
    assert (1 - mirror.high, 1 - mirror.low) == pytest.approx((found.low, found.high), abs=1e-12)


@BOTH
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_limit_spends_all_of_delta(method, alternative) -> None:
    values = placed(100, 5000, 0.8)
    both, one = method(values, 100, 5000, 0.1), method(values, 100, 5000, 0.05, alternative)
    expected = (both.low, 1.0) if alternative == "greater" else (0.0, both.high)
    assert (one.low, one.high) == expected


@BOTH
def test_extreme_placements(method) -> None:
    perfect = method(np.ones(50), 50, 5000)
    assert perfect.high == 1.0
    assert 0.8 < perfect.low < 1
    useless = method(np.zeros(50), 50, 5000)
    assert (useless.low, useless.high) == pytest.approx((0.0, 1 - perfect.low))
    alone = method([0.4], 1, 1)
    assert alone.low < 0.1
    assert alone.high > 0.9


@pytest.mark.parametrize("shift", [0.2, 1.2, 2.3])
def test_shorter_than_the_hinge_where_the_rule_asks_for_them(shift: float) -> None:
    values = placed(1000, 10_000, shift)
    assert e_value(values, 1000, 10_000).width < 0.85 * hinge(values.mean(), 1000, 10_000).width
    values = placed(100, 50_000, shift)
    assert betting(values, 100, 50_000).width < 0.85 * hinge(values.mean(), 100, 50_000).width


def test_any_sizes_give_an_interval_around_the_estimate() -> None:
    for small, large in [(1, 1), (2, 3), (1, 10**6), (40, 40), (3, 2000)]:
        values = np.linspace(0.2, 0.9, small)
        for method in (e_value, betting):
            found = method(values, small, large)
            assert 0 <= found.low < values.mean() < found.high <= 1


@BOTH
@pytest.mark.parametrize(
    ("placements", "message"),
    [
        ([0.5, 0.5], "one placement for each row of the smaller class"),
        ([0.5, 0.5, 1.2], r"placement must lie in \[0, 1\]: 1.2"),
        ([0.5, np.nan, 0.5], r"placement must lie in \[0, 1\]: nan"),
    ],
)
def test_bad_placements_are_refused(method, placements, message: str) -> None:
    with pytest.raises(InputError, match=message):
        method(placements, 3, 10)

"""Discriminative power and swap rate."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.default_rng(3)
HARD = RNG.beta(2, 2, size=50)
STEADY = {f"s{i}": 0.3 * HARD + 0.1 * i + 0.02 * RNG.normal(size=50) for i in range(5)}
NOISE = {f"s{i}": RNG.uniform(size=50) for i in range(5)}


def test_discriminative_power_of_a_sharp_and_of_a_blind_measure() -> None:
    sharp = rs.queries.discriminative_power(STEADY, range=(-1, 2))
    blind = rs.queries.discriminative_power(NOISE)
    assert sharp.share == 1.0
    assert blind.share < 0.2
    assert sharp.needed < 0.1 < blind.needed
    assert np.all(np.diff(sharp.p_values) >= 0)
    assert sharp.pairs == len(sharp.p_values) == 10
    json.dumps(sharp.to_dict(), allow_nan=False)
    assert "100.0 % of 10 pairs significantly different" in str(sharp)
    compared = rs.queries.compare(NOISE, adjust="tukey")
    assert blind.told_apart == sum(pair.p_adjusted < 0.05 for pair in compared.pairs)
    halves = [(pair.simultaneous or pair.interval).width / 2 for pair in compared.pairs]
    assert blind.needed == pytest.approx(np.median(halves))


def test_swaps_are_rare_for_a_sharp_measure_and_common_for_a_blind_one() -> None:
    sharp = rs.queries.swap_rate(STEADY, range=(-1, 2), splits=200)
    blind = rs.queries.swap_rate(NOISE, splits=200)
    assert sharp.rate == 0.0
    assert sharp.needed() == 0.0
    assert blind.rate > 0.3
    assert math.isnan(blind.needed())
    assert blind.seen.sum() == 200 * 10
    assert blind.size == 25
    assert np.isinf(blind.edges[-1])
    json.dumps(blind.to_dict(), allow_nan=False)
    assert "no difference seen is at most 5 %" in str(blind)
    assert rs.queries.swap_rate(NOISE, splits=50, seed=1).seen.sum() == 500


def test_swaps_by_hand() -> None:
    """Two queries, one in each set: a wins the first by .3 and loses the second by .1."""
    found = rs.queries.swap_rate({"a": [0.5, 0.2], "b": [0.2, 0.3]}, splits=64, bins=4)
    assert found.seen.sum() == found.swapped.sum() == 64
    assert found.seen[3] == 64, "both differences lie in the open last bin"
    found = rs.queries.swap_rate(
        {"a": [0.5, 0.2], "b": [0.2, 0.3]}, splits=64, bins=4, bin_width=0.1
    )
    assert found.seen[1] + found.seen[3] == 64, "edges belong to the bin that they begin"
    assert found.seen[1] > 10
    assert found.seen[3] > 10
    level = rs.queries.swap_rate({"a": [0.5, 0.2], "b": [0.2, 0.2]}, splits=64)
    assert level.rate == 0.0, "a difference of zero is no swap"
    assert np.isnan(level.rates).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 26}, "from 1 to 25"),
        ({"splits": 0}, "splits"),
        ({"bins": 1.5}, "bins"),
        ({"bin_width": 0.0}, "bin_width"),
    ],
)
def test_what_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.queries.swap_rate(NOISE, **options)  # type: ignore[arg-type]

"""Margin bounds: the formula, its spreads, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.theory.guarantees import pair_spread, uniform_margin, vote_spread


def test_the_deviation_is_the_formula() -> None:
    found = uniform_margin(0.9, 0.25, 2000, 500, spread=0.5, delta=0.01)
    k = 500
    expected = 2 * 0.5 / (0.25 * math.sqrt(k)) + math.sqrt(math.log(100) / (2 * k))
    assert found.deviation == pytest.approx(expected)
    assert found.interval.low == pytest.approx(0.9 - expected)
    assert found.interval.high == 1.0
    assert uniform_margin(0.9, 1e-6, 2000, 500, spread=0.5).vacuous


def test_the_spread_is_an_upper_limit_for_the_pairs() -> None:
    rng = np.random.default_rng(0)
    pos, neg = rng.uniform(-1, 1, (300, 3)), rng.uniform(-1, 1, (200, 3))
    mean = float((((pos[:, None] - neg) ** 2).sum(axis=2)).mean())
    found = pair_spread(pos, neg, norm=2.0, radius=math.sqrt(3))
    assert 2 * math.sqrt(mean) < found < 2 * math.sqrt(mean) * 1.4
    assert found <= 2 * 2 * math.sqrt(3)
    many = pair_spread(np.tile(pos, (50, 1)), np.tile(neg, (50, 1)), 2.0, math.sqrt(3))
    assert 2 * math.sqrt(mean) < many < found
    for radius in (0.5, math.inf, 0.0):
        with pytest.raises(rs.InputError, match="contain every possible row"):
            pair_spread(pos, neg, 1.0, radius)


def test_a_vote_costs_its_dictionary() -> None:
    assert vote_spread(1) == pytest.approx(math.sqrt(2 * math.log(2)))
    assert vote_spread(10**6) > vote_spread(10**3)
    with pytest.raises(rs.InputError):
        vote_spread(0)


@pytest.mark.parametrize("wrong", [(0.0, 1.0), (1.0, -1.0), (math.inf, 1.0), (1.0, math.inf)])
def test_margins_and_spreads_are_checked(wrong: tuple[float, float]) -> None:
    with pytest.raises(rs.InputError, match="margin must be above zero"):
        uniform_margin(0.9, wrong[0], 10, 10, spread=wrong[1])

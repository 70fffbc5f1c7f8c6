"""Tests and limits over queries against plain loops that follow the definitions."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.comparison.omnibus import largest_gaps, p_values
from rocsolid.comparison.redraws import drawn_statistics
from rocsolid.comparison.sign_flip import Systems
from rocsolid.intervals.means import betting, mean_interval
from rocsolid.intervals.means.betting import MEANS, betting_limits

TENTHS = st.integers(0, 10).map(lambda x: x / 10)


def wealth(values: list[float], mean: float, share: float) -> float:
    """What a bettor against a true mean of at most ``mean`` ends with, starting from 1."""
    total = 0.0
    for shape, weight in MEANS:
        kappa = math.sqrt(-2.0 * math.log(share) / (len(values) * shape))
        stake = min(kappa / math.sqrt(mean * (1.0 - mean)), 1.0 / mean)
        product = weight
        for value in values:
            product *= max(1.0 + stake * (value - mean), 0.0)
        total += product
    return total


@given(st.lists(st.one_of(TENTHS, st.floats(0.0, 1.0)), min_size=1, max_size=12))
def test_betting_stops_where_the_bettor_reaches_what_is_asked(values: list[float]) -> None:
    low, high = (float(end[0]) for end in betting_limits(np.array([values]), 0.1))
    for limit, bets in ((low, values), (1.0 - high, [1.0 - v for v in values])):
        assert -1e-12 <= limit <= sum(bets) / len(bets) + 1e-12
        if limit > 1e-9:
            assert wealth(bets, limit * (1.0 - 1e-9), 0.05) >= 20.0 * (1.0 - 1e-6)
        if limit + 1e-9 < sum(bets) / len(bets):
            assert wealth(bets, limit + 1e-9, 0.05) <= 20.0 * (1.0 + 1e-6)


@pytest.mark.parametrize("shape", [(2.0, 3.0), (0.02, 1.0), (0.002, 1.0)])
def test_long_rows_by_their_moments(shape: tuple[float, float], monkeypatch: Any) -> None:
    """Never tighter than the whole product, and and wider by less than a thousandth."""
    rows = np.random.default_rng(0).beta(*shape, size=(3, betting.LONG))
    found = betting_limits(rows, 0.05)
    monkeypatch.setattr(betting, "LONG", rows.shape[1] + 1)
    exact = betting_limits(rows, 0.05)
    width = exact[1] - exact[0]
    for outward, inward in ((found[0], exact[0]), (1.0 - found[1], 1.0 - exact[1])):
        assert np.all(outward <= inward + 1e-11)
        assert np.all(inward - outward <= 1e-3 * width)


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=30), st.sampled_from([0.8, 0.95]))
def test_t_by_its_formula(values: list[float], level: float) -> None:
    from scipy.special import stdtrit

    mean = math.fsum(values) / len(values)
    variance = math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)
    if max(values) - min(values) < 1e-9:
        return
    half = stdtrit(len(values) - 1, (1 + level) / 2) * math.sqrt(variance / len(values))
    found = mean_interval(values, level=level, interval="t").interval
    assert found.low == pytest.approx(max(mean - half, 0.0), abs=1e-9)
    assert found.high == pytest.approx(min(mean + half, 1.0), abs=1e-9)


def flipped_p(d: list[float], null: float, alternative: str) -> float:
    own = sum(x - null for x in d)
    extreme = 0
    for signs in itertools.product((1, -1), repeat=len(d)):
        one = sum(s * (x - null) for s, x in zip(signs, d, strict=True))
        if alternative == "two-sided":
            extreme += abs(one) >= abs(own) - 1e-9
        else:
            side = 1 if alternative == "greater" else -1
            extreme += side * one >= side * own - 1e-9
    return extreme / 2 ** len(d)


@given(
    st.lists(st.tuples(TENTHS, TENTHS), min_size=2, max_size=8),
    st.sampled_from(["two-sided", "greater", "less"]),
    st.sampled_from([0.0, 0.1]),
)
def test_all_sign_vectors(pairs: list[tuple[float, float]], alternative: str, null: float) -> None:
    a, b = (list(column) for column in zip(*pairs, strict=True))
    result = rs.queries.compare(
        {"a": a, "b": b},
        test="sign-flip",
        adjust="max-t",
        alternative=alternative,  # type: ignore[arg-type]
        null=null,
        level=0.8,
    )
    pair = result.pairs[0]
    d = [x - y for x, y in pairs]
    assert pair.p_value == pytest.approx(flipped_p(d, null, alternative))
    if pair.std_error == 0.0:
        return
    assert pair.p_adjusted == pytest.approx(pair.p_value), "one pair is the whole family"
    # the interval has the values that are not rejected
    share = 0.1 if alternative == "two-sided" else 0.2
    for limit, side in ((pair.low, "greater"), (pair.high, "less")):
        if -1.0 < limit < 1.0:
            outward = -1e-6 if side == "greater" else 1e-6
            assert flipped_p(d, limit + outward, side) <= share + 1e-9
            assert flipped_p(d, limit - outward, side) > share - 1e-9


def plain_largest_t(rows: NDArray[np.float64]) -> list[float]:
    """Of all pairs, for every one of the qᵠ ways to draw q queries anew."""
    size = rows.shape[1]

    def moments(d: NDArray[np.float64]) -> tuple[float, float]:
        mean = math.fsum(d) / size
        return mean, math.sqrt(math.fsum((x - mean) ** 2 for x in d) / (size - 1) / size)

    found = []
    for drawn in itertools.product(range(size), repeat=size):
        largest = 0.0
        for i, j in itertools.combinations(range(len(rows)), 2):
            mean, error = moments(rows[i] - rows[j])
            again, own = moments((rows[i] - rows[j])[list(drawn)])
            largest = max(largest, abs(again - mean) / max(own, 0.2 * error))
        found.append(largest)
    return sorted(found)


def test_the_largest_t_over_all_draws() -> None:
    """Three systems on four queries: all 4⁴ draws against 20,000 random ones."""
    rng = np.random.default_rng(0)
    rows = rng.uniform(size=(3, 4))
    exact = np.array(plain_largest_t(rows))
    systems = Systems.of({str(i): row for i, row in enumerate(rows)}, range=(0, 1))
    blocks = drawn_statistics(
        systems.known.strata, systems.pair_places, np.ones(3, dtype=bool), 20_000, 0
    )
    drawn = np.abs(np.vstack(list(blocks))).max(axis=1)
    for x in np.quantile(exact, [0.1, 0.3, 0.5, 0.7, 0.9]) + 1e-6:
        # four standard errors: one false alarm in some 3,000 runs, and the seed is fixed
        assert (drawn >= x).mean() == pytest.approx(
            (exact >= x).mean(), abs=2.0 / math.sqrt(20_000)
        )


def test_tukey_over_all_deals() -> None:
    """Three systems on four queries: all 6⁴ deals against 20,000 random ones."""
    rng = np.random.default_rng(1)
    rows = np.round(rng.uniform(size=(3, 4)), 1)
    gaps = []
    for deal in itertools.product(itertools.permutations(range(3)), repeat=4):
        dealt = [sum(rows[order[i], q] for q, order in enumerate(deal)) / 4 for i in range(3)]
        gaps.append(max(dealt) - min(dealt))
    systems = Systems.of({str(i): row for i, row in enumerate(rows)}, range=(0, 1))
    drawn = largest_gaps(systems.matrix, 20_000, 0)
    for i, j in itertools.combinations(range(3), 2):
        difference = abs(rows[i].mean() - rows[j].mean())
        expected = np.mean(np.array(gaps) >= difference - 1e-12)
        found = float(p_values(drawn, np.array([difference]), 1.0)[0])
        assert found == pytest.approx(expected, abs=0.015)


def test_holm_step_by_step() -> None:
    rng = np.random.default_rng(2)
    values = {str(i): rng.beta(2, 3 + 0.3 * i, size=30) for i in range(5)}
    pairs = rs.queries.compare(values, adjust="holm").pairs
    left, largest = len(pairs), 0.0
    for pair in sorted(pairs, key=lambda pair: pair.p_value):
        largest = max(largest, min(left * pair.p_value, 1.0))
        assert pair.p_adjusted == pytest.approx(largest)
        left -= 1


def test_many_sign_vectors_drawn_agree_with_all() -> None:
    """21 queries are drawn, 20 are gone through; a 21st where nothing differs changes nothing."""
    rng = np.random.default_rng(3)
    a, b = rng.uniform(size=(2, 20))
    exact = rs.queries.compare({"a": a, "b": b}, test="sign-flip")
    drawn = rs.queries.compare(
        {"a": np.r_[a, 0.5], "b": np.r_[b, 0.5]}, test="sign-flip", resamples=40_000
    )
    assert exact.settings["exact"] is True
    assert drawn.settings["exact"] is False
    assert drawn.pairs[0].p_value == pytest.approx(exact.pairs[0].p_value, abs=0.01)

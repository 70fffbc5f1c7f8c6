"""The certified difference from matchings: its bets by enumeration, its limits in simulations.

Simulations take a large δ so that misses show; a check fails with a chance below 1e-7 if the
limits miss as often as they may. 8 checks, so a false alarm has a probability below 1e-6.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtr

import rocsolid as rs
from rocsolid.intervals.guarantees import difference, difference_matchings
from rocsolid.intervals.guarantees.difference_matchings import log_earned, stakes, win_sums

_FLOATS = NDArray[np.float64]
GRADES = [(0, 0), (0, 1), (1, 0), (1, 1)]


def won(x: int, y: int) -> float:
    return (x > y) + 0.5 * (x == y)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 2), (2, 3), (3, 2), (4, 1)])
def test_earnings_have_a_mean_of_at_most_one(m: int, n: int) -> None:
    """Every sample of two scores in two grades: mean earnings at the true Δ, and not far below 1.

    Several distributions of a row's two grades, ties between and within the classes among them.
    """
    share = 0.2
    samples = list(itertools.product(range(4), repeat=m + n))
    at = np.array(samples)
    grades = np.array(GRADES)
    sums = [win_sums(list(grades[some[:m]].T), list(grades[some[m:]].T)) for some in at]
    earned = [log_earned(*one, share) for one in sums]
    for p, q in (
        ((0.25, 0.25, 0.25, 0.25), (0.25, 0.25, 0.25, 0.25)),
        ((0.1, 0.1, 0.7, 0.1), (0.4, 0.1, 0.1, 0.4)),
        ((0.0, 0.0, 0.5, 0.5), (0.9, 0.1, 0.0, 0.0)),
        ((0.0, 0.9, 0.0, 0.1), (0.2, 0.0, 0.8, 0.0)),
        ((0.0, 0.0, 1.0, 0.0), (1.0, 0.0, 0.0, 0.0)),
    ):
        chance = np.prod(np.array(p)[at[:, :m]], axis=1) * np.prod(np.array(q)[at[:, m:]], axis=1)
        delta = sum(
            p[i] * q[j] * (won(GRADES[i][0], GRADES[j][0]) - won(GRADES[i][1], GRADES[j][1]))
            for i in range(4)
            for j in range(4)
        )
        mean = float(chance @ np.exp([one(delta) for one in earned]))
        assert 0.75 < mean <= 1.0 + 1e-12, (p, q)


def test_several_stakes_share_the_bets() -> None:
    """Positives against negatives all alike: d is ½, −½ or 0, and every outcome is counted."""
    k, share = 40, 0.3
    assert len(stakes(k, share)) == 2
    outcomes = [(i, j) for i in range(k + 1) for j in range(k + 1 - i)]
    alike = [np.zeros(k), np.zeros(k)]
    earned = [
        log_earned(*win_sums([np.repeat([1, -1, 0], [i, j, k - i - j]), np.zeros(k)], alike), share)
        for i, j in outcomes
    ]
    for p, q in ((0.1, 0.1), (0.5, 0.3), (0.02, 0.1), (0.3, 0.0)):
        chances = [
            math.comb(k, i) * math.comb(k - i, j) * p**i * q**j * (1.0 - p - q) ** (k - i - j)
            for i, j in outcomes
        ]
        mean = np.array(chances) @ np.exp([one((p - q) / 2.0) for one in earned])
        assert 0.99 < mean <= 1.0 + 1e-9, (p, q)


def test_a_limit_is_where_the_bets_earn_one_over_its_share() -> None:
    rng = np.random.default_rng(3)
    pos, neg = rng.normal(0.8, 1, (2, 30)), rng.normal(0, 1, (2, 50))
    a, b = win_sums(list(pos), list(neg))
    given = pos[0], neg[0], pos[1], neg[1]
    both = difference_matchings(*given, delta=0.1)
    low = difference_matchings(*given, delta=0.05, alternative="greater")
    high = difference_matchings(*given, delta=0.05, alternative="less")
    assert (low.low, low.high, high.low, high.high) == (both.low, 1.0, -1.0, both.high)
    assert log_earned(a, b, 0.05)(both.low) == pytest.approx(math.log(20), abs=1e-6)
    assert log_earned(b, a, 0.05)(-both.high) == pytest.approx(math.log(20), abs=1e-6)


def continuous(rng: np.random.Generator, size: int, shift: float) -> _FLOATS:
    common = rng.normal(size=size) + shift
    return np.stack([common, common + rng.normal(size=size)])


def four_grades(rng: np.random.Generator, size: int, shift: float) -> _FLOATS:
    return np.searchsorted([-0.5, 0.5, 1.5], continuous(rng, size, shift)).astype(float)


def two_values(rng: np.random.Generator, size: int, shift: float) -> _FLOATS:
    return (continuous(rng, size, shift) > 0.5).astype(float)


def mixed(rng: np.random.Generator, size: int, shift: float) -> _FLOATS:
    return np.maximum(continuous(rng, size, shift), 0.3)


def exact(draw: Callable[..., _FLOATS]) -> float:
    """The true difference; for graded scores from a sample so large that its error is .0005."""
    if draw is continuous:
        return float(ndtr(1.0 / math.sqrt(2)) - ndtr(1.0 / 2.0))
    rng = np.random.default_rng(0)
    pos, neg = draw(rng, 400_000, 1.0), draw(rng, 400_000, 0.0)
    y = np.arange(800_000) < 400_000
    areas = [rs.auc(y, np.append(p, n)).value for p, n in zip(pos, neg, strict=True)]
    return areas[0] - areas[1]


@pytest.mark.parametrize(("m", "n"), [(12, 12), (40, 8)])
@pytest.mark.parametrize("draw", [continuous, four_grades, two_values, mixed])
def test_limits_hold(draw: Callable[..., _FLOATS], m: int, n: int) -> None:
    rng, repeats, delta = np.random.default_rng([m, n]), 250, 0.4
    truth, missed = exact(draw), 0
    for _ in range(repeats):
        pos, neg = draw(rng, m, 1.0), draw(rng, n, 0.0)
        found = difference_matchings(pos[0], neg[0], pos[1], neg[1], delta)
        missed += not found.low <= truth <= found.high
    assert not (missed and bdtrc(missed - 1, repeats, delta) < 1e-7)


@pytest.mark.parametrize(("m", "n", "part"), [(20, 20, 0.8), (50, 500, 0.8), (1000, 1000, 0.64)])
def test_it_is_much_shorter_than_the_trinomial(m: int, n: int, part: float) -> None:
    rng = np.random.default_rng(4)
    pos, neg = continuous(rng, m, 1.0), continuous(rng, n, 0.0)
    d = (pos[0][:, None] > neg[0]).astype(float) - (pos[1][:, None] > neg[1])
    before = difference(float(d.mean()), float(np.abs(d).mean()), m, n)
    assert difference_matchings(pos[0], neg[0], pos[1], neg[1]).width < part * before.width


def test_neither_order_nor_scale_nor_the_other_class_matters() -> None:
    rng = np.random.default_rng(5)
    pos, neg = four_grades(rng, 31, 1.0), four_grades(rng, 44, 0.0)
    plain = difference_matchings(pos[0], neg[0], pos[1], neg[1])
    p, n = rng.permutation(31), rng.permutation(44)
    assert difference_matchings(pos[0][p], neg[0][n], pos[1][p], neg[1][n]) == plain
    scaled = [np.where(x[0] == 3, np.inf, 10 * x[0] - 4).astype(float) for x in (pos, neg)]
    assert difference_matchings(*scaled, pos[1], neg[1]) == plain
    whole = [x.astype(np.uint8) for x in (pos[0], neg[0], pos[1], neg[1])]
    assert difference_matchings(*whole) == plain
    mirror = difference_matchings(-neg[0], -pos[0], -neg[1], -pos[1])
    swapped = difference_matchings(pos[1], neg[1], pos[0], neg[0])
    assert (mirror.low, mirror.high) == pytest.approx((plain.low, plain.high), abs=1e-9)
    assert (swapped.low, swapped.high) == (-plain.high, -plain.low)


def test_equal_scores_and_opposite_ones() -> None:
    pos, neg = np.arange(40.0), np.arange(40.0) - 15
    same = difference_matchings(pos, neg, pos, neg)
    # no pair earns or loses: all the stakes decide, and the largest is .95
    assert same.low == -same.high
    assert 0.09 < same.high < 0.12
    ends = difference_matchings(np.ones(30), np.zeros(30), np.zeros(30), np.ones(30))
    assert ends.high == 1.0
    assert ends.low > 0.7


def test_what_is_no_pair_of_scores_is_refused() -> None:
    for given, said in (
        (([1.0, 2.0], [0.0], [1.0], [0.0]), "same number of rows"),
        (([1.0, np.nan], [0.0], [1.0, 2.0], [0.0]), "NaN"),
        (([1.0], [], [1.0], [0.0]), "not a list of scores"),
        ((["a"], [0.0], [1.0], [0.0]), "not a list of scores"),
    ):
        with pytest.raises(rs.InputError, match=said):
            difference_matchings(*given)


def test_very_many_rows_keep_the_trinomial(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    y = np.arange(60) < 25
    named = {name: rng.normal(size=60) + y for name in "abc"}
    methods = []
    for most in (60, 59):
        monkeypatch.setattr(
            sys.modules["rocsolid.intervals.guarantees.best"], "MOST_OF_DIFFERENCES", most
        )
        methods += {pair.certified.method for pair in rs.compare(y, named).pairs}
    assert methods == ["difference-matchings", "trinomial"]
    monkeypatch.undo()
    pair = rs.compare(y, {"a": named["a"], "c": named["c"]}).pairs[0]
    alone = difference_matchings(*(named[name][of] for name in "ac" for of in (y, ~y)))
    assert (pair.certified.low, pair.certified.high) == (alone.low, alone.high)


@pytest.mark.parametrize("k", [1, 3, 20, 400])
@pytest.mark.parametrize("delta", [0.05, 0.3])
def test_each_of_the_trinomials_three_events_has_a_third(k: int, delta: float) -> None:
    """Where no pair disagrees the limit for q is exact: (1−q)^k is all of the event's share."""
    found = difference(0.0, 0.0, k, k, delta)
    assert (1.0 - found.high) ** k == pytest.approx(delta / 3, rel=1e-6)
    one = difference(0.01, 0.1, k, k, 2 * delta / 3, "greater")
    assert difference(0.01, 0.1, k, k, delta).low == pytest.approx(one.low, abs=1e-12)

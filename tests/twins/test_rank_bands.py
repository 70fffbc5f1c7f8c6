"""Bands with equal local levels, and what is built on them, against plain references."""

from __future__ import annotations

import operator
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaincinv

from rocsolid.intervals.guarantees.band import (
    RankBand,
    band_interval,
    box_interval,
    lower_band,
    lower_mean,
    spread,
    upper_band,
    upper_mean,
)
from rocsolid.intervals.guarantees.rank_level import crossing, level_and_chance, limits
from rocsolid.summaries.placements import SortedClasses
from rocsolid.weights import power, step


def exact_crossing(n: int, ranks: list[int], at: list[Fraction], side: str) -> Fraction:
    """The lattice of counts up to each place, in fractions: those that never crossed a limit."""
    kept = {0: Fraction(1)}
    place = Fraction(0)
    for rank, up_to in zip(ranks, at, strict=True):
        share = (up_to - place) / (1 - place)
        reached: dict[int, Fraction] = {}
        for count, mass in kept.items():
            left = n - count
            for more in range(left + 1):
                p = comb(left, more) * share**more * (1 - share) ** (left - more)
                reached[count + more] = reached.get(count + more, Fraction(0)) + mass * p
        kept = {
            count: mass for count, mass in reached.items() if (count >= rank) == (side == "upper")
        }
        place = up_to
    return 1 - sum(kept.values(), Fraction(0))


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n=st.integers(1, 14))
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_crossing_is_the_lattice(side: str, data: st.DataObject, n: int) -> None:
    ranks = sorted(data.draw(st.sets(st.integers(1, n), min_size=1)))
    cuts = data.draw(st.sets(st.integers(1, 63), min_size=len(ranks), max_size=len(ranks)))
    at = [Fraction(cut, 64) for cut in sorted(cuts)]
    got = crossing(n, tuple(ranks), np.array([float(place) for place in at]), side)
    assert got == pytest.approx(float(exact_crossing(n, ranks, at, side)), abs=1e-11)


def full_crossing(n: int, at: list[Fraction]) -> float:
    """Bolshev's recursion: the first rank that falls short has exactly one number too few."""
    first: list[Fraction] = []
    for k in range(1, n + 1):
        c = at[k - 1]
        p = comb(n, k - 1) * c ** (k - 1) * (1 - c) ** (n - k + 1)
        for i in range(1, k):
            a, left = at[i - 1], n - i + 1
            between, beyond = (c - a) / (1 - a), (1 - c) / (1 - a)
            p -= first[i - 1] * comb(left, k - i) * between ** (k - i) * beyond ** (n - k + 1)
        first.append(p)
    return float(sum(first))


@pytest.mark.parametrize("n", [3, 12, 40])
def test_crossing_of_all_ranks_is_bolshevs(n: int) -> None:
    ranks = tuple(range(1, n + 1))
    at = limits(n, ranks, 0.01, "upper")
    known = full_crossing(n, [Fraction(float(place)) for place in at])
    assert crossing(n, ranks, at, "upper") == pytest.approx(known, abs=1e-12)
    # the other side is the mirror image
    turned = 1.0 - at[::-1]
    assert crossing(n, ranks, turned, "lower") == pytest.approx(known, abs=1e-12)
    assert limits(n, ranks, 0.01, "lower") == pytest.approx(turned, rel=1e-9)


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize(("n", "last"), [(60, 60), (3000, 300), (200_000, 20_000)])
def test_the_level_is_kept_and_used_up(n: int, last: int, side: str) -> None:
    ranks, share = spread(n, 1, last), 0.0125
    level = level_and_chance(n, ranks, share, side)[0]
    assert share / len(ranks) <= level <= share
    assert 0.98 * share <= crossing(n, ranks, limits(n, ranks, level, side), side) <= share


def test_convolutions_by_fourier_are_plain_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    n, ranks = 5000, spread(5000, 1, 5000)
    at = limits(n, ranks, 1e-4, "upper")
    fast = crossing(n, ranks, at, "upper")
    monkeypatch.setattr("rocsolid.intervals.guarantees.rank_level._DIRECT", 10**12)
    assert fast == pytest.approx(crossing(n, ranks, at, "upper"), abs=1e-12)


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize(("n", "low", "high"), [(60, 0.0, 0.1), (3000, 0.2, 0.4), (9, 0.0, 0.01)])
def test_ranks_before_and_after_are_paid_for(n: int, low: float, high: float, side: str) -> None:
    """What the band between the rates leaves of its share, and no more, goes to the others."""
    share = 0.05
    band = (upper_band if side == "upper" else lower_band)(n, low, high, share)
    at = np.minimum(band.ranks / n, 1.0)
    wide = band.limit - (at - 1 / n) if side == "upper" else at - band.limit
    assert len(band.ranks) == n or n > 400
    assert (np.diff(band.limit) >= 0).all()
    # the widest is DKW's; its chance is what the others leave, who are found by their own levels
    spare = np.exp(-2 * n * wide.max() ** 2)
    inner = np.abs(wide - wide.max()) > 1e-9
    ranks = band.ranks[inner & (band.limit > 0) & (band.limit < 1)]
    assert spare < 0.021 * share or not ranks.size
    ranks = tuple(ranks.tolist())
    limit = band.limit[np.isin(band.ranks, ranks)]
    assert (crossing(n, ranks, limit, side) if ranks else 0.0) + spare <= share * (1 + 1e-6)


@pytest.mark.parametrize("n", [50, 3000])
@pytest.mark.parametrize(("low", "high"), [(0.0, 0.1), (0.0, 1.0), (0.2, 0.4)])
def test_bands_hold_in_simulation(n: int, low: float, high: float) -> None:
    """1500 samples and a level of .1: below 95 or above 210 misses has probability below 1e-6."""
    rng = np.random.Generator(np.random.Philox([n, int(10 * low), int(10 * high)]))
    up, down = upper_band(n, low, high, 0.1), lower_band(n, low, high, 0.1)
    misses = np.zeros(2)
    for _ in range(1500):
        u = np.sort(rng.random(n))
        misses += [(u[up.ranks - 1] > up.limit).any(), (u[down.ranks - 1] < down.limit).any()]
    assert (misses >= 95).all()
    assert (misses <= 210).all()


def test_tiny_levels_take_the_union_bound() -> None:
    ranks = spread(100, 1, 20)
    assert level_and_chance(100, ranks, 1e-12, "upper")[0] == 1e-12 / 20


@pytest.mark.parametrize(("n", "high"), [(3, 0.01), (50, 0.01), (1, 1.0)])
def test_few_negatives(n: int, high: float) -> None:
    """No rank may be relevant at all; then the limits are the trivial ones."""
    classes = SortedClasses(np.arange(5.0), np.arange(float(n)))
    found = band_interval(classes, step(0, high))
    assert 0.0 <= found.low <= found.high <= step(0, high).l1_norm


whole = st.lists(st.integers(0, 6), min_size=1, max_size=30)


@settings(max_examples=50, deadline=None)
@given(pos=whole, neg=whole)
@pytest.mark.parametrize("weight", [step(0, 0.3), power(2), step(0.2, 0.6)])
def test_means_over_the_band_row_by_row(pos: list[int], neg: list[int], weight: object) -> None:
    """Each positive by itself: both ends of its tie with the smallest usable upper limits, or the
    largest usable lower ones, and the average of K between them."""
    classes = SortedClasses(np.sort(np.array(pos)), np.sort(np.array(neg)))
    n, descending = len(neg), sorted(neg, reverse=True)
    ranks = list(range(1, n + 1, 2))
    band = RankBand(np.array(ranks), np.array([k / (n + 1) for k in ranks]))
    low = high = 0.0
    for x in pos:
        at_most = [
            min((k / (n + 1) for k in ranks if usable(x, descending[k - 1])), default=1.0)
            for usable in (operator.ge, operator.gt)
        ]
        at_least = [
            max((k / (n + 1) for k in ranks if usable(x, descending[k - 1])), default=0.0)
            for usable in (operator.lt, operator.le)
        ]
        low += float(weight.mean_integral(1 - at_most[1], 1 - at_most[0]))
        high += float(weight.mean_integral(1 - at_least[1], 1 - at_least[0]))
    assert lower_mean(classes, weight, band) == pytest.approx(low / len(pos), abs=1e-12)
    assert upper_mean(classes, weight, band) == pytest.approx(high / len(pos), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(pos=st.lists(st.integers(0, 30), min_size=20, max_size=40), neg=st.data())
def test_box_bands_threshold_by_threshold(pos: list[int], neg: st.DataObject) -> None:
    """Each score's two corners and the line between them, on a fine grid of rates."""
    others = neg.draw(st.lists(st.integers(0, 25), min_size=20, max_size=40))
    classes = SortedClasses(np.sort(np.array(pos)), np.sort(np.array(others)))
    fpr, tpr, delta = (0.1, 0.7), (0.2, 0.9), 0.4
    m, n = len(pos), len(others)
    share = delta / 4
    grid = fpr[0] + (fpr[1] - fpr[0]) * (np.arange(4000) + 0.5) / 4000
    low, high = np.zeros(4000), np.ones(4000)
    up, down = upper_band(n, *fpr, share), lower_band(n, *fpr, share)
    over, under = upper_band(m, *tpr, share), lower_band(m, *tpr, share)
    descending = sorted(others, reverse=True)

    def sure(hits: int) -> float:
        reached = [lim for r, lim in zip(under.ranks, under.limit, strict=True) if r <= hits]
        return max(reached, default=0.0)

    def most(hits: int) -> float:
        missed = [lim for r, lim in zip(over.ranks, over.limit, strict=True) if r > hits]
        return min(missed, default=1.0)

    for score in set(others):
        above, through = sum(x > score for x in pos), sum(x >= score for x in pos)
        ends = [
            min((lim for r, lim in zip(up.ranks, up.limit, strict=True)
                 if usable(descending[r - 1], score)), default=1.0)
            for usable in (operator.le, operator.lt)
        ]  # fmt: skip
        line = np.interp(grid, ends, [sure(above), sure(through)])
        low = np.where(grid >= ends[0], np.maximum(low, line), low)
        ends = [
            max((lim for r, lim in zip(down.ranks, down.limit, strict=True)
                 if usable(descending[r - 1], score)), default=0.0)
            for usable in (operator.gt, operator.ge)
        ]  # fmt: skip
        line = np.interp(grid, ends, [most(above), most(through)])
        high = np.where(grid <= ends[1], np.minimum(high, line), high)
    width = fpr[1] - fpr[0]
    found = box_interval(classes, fpr, tpr, delta)
    for limit, heights in ((found.low, low), (found.high, high)):
        area = width * float(np.mean(np.clip(heights, *tpr) - tpr[0]))
        assert limit == pytest.approx(area, abs=2e-3)


def test_limits_are_beta_quantiles() -> None:
    ranks = (1, 5, 50)
    k = np.array(ranks)
    assert limits(100, ranks, 0.01, "upper") == pytest.approx(
        betaincinv(k, 101 - k, 0.99), rel=1e-9
    )


def test_certain_crossings() -> None:
    """Limits that no sample can respect, and levels near one."""
    assert crossing(1000, (500,), np.array([0.9]), "lower") == pytest.approx(1.0, abs=1e-12)
    assert crossing(10**6, (10, 500_000), np.array([0.1, 0.9]), "lower") == 1.0
    for side in ("upper", "lower"):
        assert 0.0 < level_and_chance(50, tuple(range(1, 51)), 0.9, side)[0] < 0.9

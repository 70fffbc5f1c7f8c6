"""The mean over all matchings from below, against the matchings one by one."""

from __future__ import annotations

import itertools
import math
import sys
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rocsolid.intervals.guarantees import coarse_wins
from rocsolid.intervals.guarantees.coarse_wins import NEAR, CoarseWins, NearEvidence, ScaledWins
from rocsolid.intervals.guarantees.difference_matchings import (
    Margins,
    PairSums,
    WinDifferences,
    log_mean_product,
    win_sums,
)
from rocsolid.summaries.placements import SortedClasses

_FLOATS = NDArray[np.float64]
score = st.integers(0, 4)


def log_mean(sums: PairSums, stake: float) -> float:
    return log_mean_product(sums, stake, Margins.of(sums))


def table(pos: list[int], neg: list[int]) -> _FLOATS:
    x, y = np.array(pos)[:, None], np.array(neg)
    return (x > y) + 0.5 * (x == y)


def log_mean_of_matchings(d: _FLOATS, stake: float) -> float:
    if len(d) > len(d[0]):
        d = d.T
    rows = range(len(d))
    products = [
        math.prod(1.0 + stake * d[i, j] for i, j in zip(rows, chosen, strict=True))
        for chosen in itertools.permutations(range(len(d[0])), len(d))
    ]
    return math.log(math.fsum(products) / len(products))


@settings(max_examples=150, deadline=None)
@given(data=st.data(), m=st.integers(1, 5), n=st.integers(1, 5), stake=st.floats(-0.95, 0.95))
def test_it_is_never_above_the_mean_and_close_to_it(
    data: st.DataObject, m: int, n: int, stake: float
) -> None:
    """The squares of what is left when rows and columns are evened out bound what is lost."""
    pos, neg = (
        [data.draw(st.lists(score, min_size=size, max_size=size)) for _ in "ab"] for size in (m, n)
    )
    sums = win_sums([np.array(x) for x in pos], [np.array(y) for y in neg])
    d = table(pos[0], neg[0]) - table(pos[1], neg[1])
    found, exact = log_mean(WinDifferences(*sums), stake), log_mean_of_matchings(d, stake)
    assert found <= exact
    assert found == pytest.approx(exact, abs=0.011 + 3.0 * stake**2)
    turned = log_mean(WinDifferences(*sums[::-1]), -stake)
    assert turned == pytest.approx(found, abs=0.011)


@pytest.mark.parametrize("turned", [False, True])
def test_nothing_is_lost_where_only_the_smaller_class_matters(turned: bool) -> None:
    """Rows of the larger class alike: every matching has the same product."""
    small, large = [np.array([3, 1, 2, 2]), np.array([1, 1, 3, 2])], [np.full(6, 2)] * 2
    sums = win_sums(large, small) if turned else win_sums(small, large)
    d = table(small[0].tolist(), [2])[:, 0] - table(small[1].tolist(), [2])[:, 0]
    for stake in (-0.9, 0.3, 0.9):
        exact = float(np.log1p(stake * (-d if turned else d)).sum())
        assert exact - 2e-6 <= log_mean(WinDifferences(*sums), stake) <= exact


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_scaling_may_stop_anywhere(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few steps lose something and never make the number too large."""
    rng = np.random.default_rng(1)
    scaling = sys.modules[log_mean_product.__module__]
    monkeypatch.setattr(scaling, "ENOUGH", 0.0)
    for _ in range(40):
        pos, neg = rng.integers(0, 4, (2, 4)), rng.integers(0, 4, (2, 5))
        d = table(pos[0].tolist(), neg[0].tolist()) - table(pos[1].tolist(), neg[1].tolist())
        exact = log_mean_of_matchings(d, 0.8)
        monkeypatch.setattr(scaling, "_STEPS", steps)
        few = log_mean(WinDifferences(*win_sums(list(pos), list(neg))), 0.8)
        monkeypatch.setattr(scaling, "_STEPS", 300)
        many = log_mean(WinDifferences(*win_sums(list(pos), list(neg))), 0.8)
        assert few <= many <= exact


def test_stakes_that_earn_nothing_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scaling that ends early, and margins with the sign changed, against all of the work."""
    scaling = sys.modules[log_mean_product.__module__]
    rng = np.random.default_rng(3)
    used, ended = scaling.UNSEEN, 0
    for m, n, noise in ((5, 9, 1.0), (60, 40, 0.2), (3000, 7000, 0.5), (20_000, 30_000, 1.0)):
        common = rng.normal(size=m + n) + np.repeat([1.0, 0.0], [m, n])
        scores = [np.round(common + noise * rng.normal(size=m + n), 3) for _ in range(2)]
        sums = win_sums([s[:m] for s in scores], [s[m:] for s in scores])
        pair = [WinDifferences(*order) for order in (sums, sums[::-1])]
        turned, reversed_ = Margins.of(pair[1]), Margins.of(pair[0]).reversed
        assert (turned.mean, turned.off, turned.sizes) == (
            reversed_.mean, reversed_.off, reversed_.sizes,
        )  # fmt: skip
        assert (turned.down == reversed_.down).all()
        assert (turned.tilted == reversed_.tilted).all()
        for delta in (0.5, 0.05):
            each = []
            for unseen in (used, math.inf):
                monkeypatch.setattr(scaling, "UNSEEN", unseen)
                earned = scaling.log_earned(*sums, delta, Margins.of(pair[0]))
                each.append((*scaling.matched_difference(*sums, delta, "two-sided"), earned(-0.99)))
            assert each[0][:2] == each[1][:2]
            ended += each[0] != each[1]
    assert ended


def test_it_is_the_second_order_variance_of_rows_and_columns() -> None:
    """With small stakes: μΔ̂k less half μ² of the variances of the means of rows and columns."""
    rng = np.random.default_rng(2)
    m, n, stake = 150, 400, 0.05
    common = rng.normal(size=m + n)
    a, b = (common + 0.5 * rng.normal(size=m + n) for _ in range(2))
    x, y = [a[:m] + 1, b[:m] + 1], [a[m:], b[m:]]
    d = (x[0][:, None] > y[0]).astype(float) - (x[1][:, None] > y[1])
    rows, columns = d.mean(axis=1) - d.mean(), d.mean(axis=0) - d.mean()
    spent = stake**2 / 2 * (rows @ rows + m**2 / n**2 * (columns @ columns))
    wanted = m * math.log1p(stake * d.mean()) - spent
    assert log_mean(WinDifferences(*win_sums(x, y)), stake) == pytest.approx(wanted, abs=0.012)


@settings(max_examples=150, deadline=None)
@given(
    pos=st.lists(score, min_size=1, max_size=5),
    neg=st.lists(score, min_size=1, max_size=5),
    stake=st.floats(0.01, 6.0),
    places=st.integers(1, 5),
)
def test_wins_of_one_score_are_never_above_the_mean(
    pos: list[int], neg: list[int], stake: float, places: int
) -> None:
    """Cut at a few places, with wins and losses exchanged too; where none is left out, close."""
    won = table(pos, neg)
    classes = SortedClasses(np.sort(pos), np.sort(neg))
    exact = [log_mean_of_matchings(each, stake) for each in (won, 1.0 - won)]
    for most in (places, 5):
        with patch.object(coarse_wins, "PLACES", most):
            orders = CoarseWins.both(classes)
        for each, largest in zip(orders, exact, strict=True):
            assert [each.small.sum(), each.large.sum()] == sorted((len(pos), len(neg)))
            found = log_mean(each, stake)
            assert found <= largest
            if most == 5:
                assert found == pytest.approx(largest, abs=0.011 + stake**2)
                across = each.across(each.large) / each.large.sum()
                auc = float(won.mean() if each is orders[0] else 1.0 - won.mean())
                assert float(each.small @ across) / each.small.sum() == pytest.approx(auc)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), places=st.integers(1, 14))
def test_no_pair_wins_more_than_it_should(data: st.DataObject, places: int) -> None:
    """Row by row; with enough places no pair wins less, and no two places could be one."""
    pos, neg = (data.draw(st.lists(st.integers(0, 12), min_size=1, max_size=12)) for _ in range(2))
    classes = SortedClasses(np.sort(pos), np.sort(neg))
    with patch.object(coarse_wins, "PLACES", places):
        orders = CoarseWins.both(classes)
    # lines are rows of the smaller class, in the order in which it wins ever more
    won = table(classes.pos.tolist(), classes.neg.tolist())
    lost = 1.0 - won[::-1, ::-1]
    if len(pos) > len(neg):
        won, lost = won[::-1, ::-1].T, (1.0 - won).T
    for each, exact in zip(orders, (won, lost), strict=True):
        found = np.array([each.across(one) for one in np.eye(len(each.large))])
        found = found.repeat(each.large.astype(int), axis=0).repeat(each.small.astype(int), axis=1)
        assert (exact >= found.T).all()
        if places >= min(len(pos), len(neg)):
            np.testing.assert_array_equal(found.T, exact)
            untied = ~(each.within[1:] + each.within[:-1] > 0)
            assert ((each.small[1:] > 0) & (each.large[:-1] > 0))[untied].all()


@settings(max_examples=60, deadline=None)
@given(scores=st.permutations(range(9)), m=st.integers(2, 7))
def test_the_variance_is_that_of_all_matchings(scores: list[int], m: int) -> None:
    """Without ties, so that a square of a win is a win."""
    won = table(scores[:m], scores[m:])
    won = won if len(won) <= len(won[0]) else won.T
    rows = np.arange(len(won))
    wins = [
        won[rows, list(one)].sum() for one in itertools.permutations(range(len(won[0])), len(won))
    ]
    classes = SortedClasses(np.sort(scores[:m]), np.sort(scores[m:]))
    for order in CoarseWins.both(classes):
        assert ScaledWins.of(order).variance == pytest.approx(np.var(wins), abs=1e-12)


@pytest.mark.parametrize("grades", [2, 1000])
def test_what_is_expected_of_bets_is_near_what_they_give(grades: int) -> None:
    """The search starts there: near enough, or it needs more looks, which nobody would notice."""
    rng = np.random.default_rng(4)
    pos, neg = (rng.integers(0, grades, size) + shift for size, shift in ((2000, 0.5), (5000, 0)))
    classes = SortedClasses(np.sort(pos), np.sort(neg))
    for wins in CoarseWins.both(classes):
        bets = ScaledWins.of(wins)
        a, stake = np.array([bets.margins.mean - 0.01]), np.array([0.06])
        assert bets.expected(a, stake) == pytest.approx(bets.log_mean(a, stake), abs=0.08)


@pytest.mark.parametrize("shift", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("k", [40, 3_000])
def test_the_near_limit_is_where_the_evidence_ends(k: int, shift: float) -> None:
    """Reached at the limit, and no longer where the search says that it ends."""
    rng = np.random.default_rng(3)
    classes = SortedClasses(
        np.sort(rng.normal(size=k) + shift), np.sort(rng.normal(size=2 * k).round(1))
    )
    for each in CoarseWins.both(classes):
        value = float(each.small @ each.across(each.large)) / (2 * k * k)
        evidence = NearEvidence.of_many(each, value, 0.025)
        limit = evidence.near_limit()
        beyond = limit + 1.5 * NEAR * (value - evidence.least[0])
        assert evidence.least[0] <= limit < value
        assert evidence.above(np.array([limit]))[0] >= 0 or limit == evidence.least[0]
        assert evidence.above(np.array([beyond]))[0] < 0

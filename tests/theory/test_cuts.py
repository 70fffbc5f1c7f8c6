"""Cuts at small sizes, every data set with its exact chance; coverage in simulations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtri
from scipy.stats import binom

from rocsolid.errors import UnsoundError
from rocsolid.intervals.guarantees import best, cuts, matchings
from rocsolid.intervals.guarantees.best import FEWEST, of_sizes
from rocsolid.intervals.guarantees.cuts import (
    MOST,
    MeanTests,
    cuts_inside,
    cuts_limits,
    cuts_of,
    size_weights,
)
from rocsolid.intervals.guarantees.won_pairs import won_pairs
from rocsolid.results.interval import Alternative
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import SortedClasses

LEVELS = 3
PHI = np.tri(LEVELS, LEVELS, -1) + 0.5 * np.eye(LEVELS)
SIZES = [(1, 1), (2, 2), (3, 2), (1, 4), (3, 3), (2, 5)]
ALARM = 1e-6 / 100
"""Chance of a false alarm over the fewer than 100 checks of coverage here, all with fixed seeds."""


def samples(m: int, n: int) -> tuple[NDArray, NDArray, list[Board]]:
    """How often each level is seen in either class, and the board, for every data set."""
    counts = [
        (pos, neg)
        for pos in itertools.product(range(m + 1), repeat=LEVELS)
        for neg in itertools.product(range(n + 1), repeat=LEVELS)
        if sum(pos) == m and sum(neg) == n
    ]
    boards = [
        Board.of(SortedClasses(np.repeat(range(LEVELS), pos), np.repeat(range(LEVELS), neg)))
        for pos, neg in counts
    ]
    return *(np.array(each) for each in zip(*counts, strict=True)), [b for b in boards if b]


def chances(counts: NDArray, law: NDArray) -> NDArray:
    from scipy.special import gammaln, xlogy

    ways = gammaln(counts.sum(axis=1) + 1) - gammaln(counts + 1).sum(axis=1)
    return np.asarray(np.exp(ways + xlogy(counts, law).sum(axis=1)))


def laws() -> list[tuple[NDArray, NDArray]]:
    rng = np.random.default_rng(1)
    two = [(np.array([1 - p, 0, p]), np.array([q, 0, 1 - q])) for p in (0.5, 0.8) for q in (0.4, 1)]
    apart = [(np.array([0, 0, 1.0]), np.array([0.05, 0.95, 0])), (np.eye(3)[0], np.eye(3)[2])]
    return two + apart + [tuple(rng.dirichlet(np.full(LEVELS, 0.5), 2)) for _ in range(40)]


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_the_wins_of_a_random_matching_are_binomial(m: int, n: int) -> None:
    pos, neg, boards = samples(m, n)
    won = np.array([won_pairs(board) for board in boards])
    for p, q in laws():
        mean = (chances(pos, p) * chances(neg, q)) @ won
        assert mean == pytest.approx(
            binom.pmf(range(min(m, n) + 1), min(m, n), float(p @ PHI @ q)), abs=1e-12
        )


@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("share", [0.4, 0.1, 0.025])
def test_the_evidence_has_a_mean_of_one_and_misses_are_rarer(m: int, n: int, share: float) -> None:
    """Exactly one at the true AUC: no test loses anything. Both limits, each by its own share."""
    pos, neg, boards = samples(m, n)
    k, tests = min(m, n), size_weights(min(m, n), max(m, n), share)
    assert sum(weight for _, weight in tests) == pytest.approx(1, abs=1e-12)
    beyond = [np.append(np.cumsum(won_pairs(b)[::-1])[::-1], 0.0) for b in boards]
    lows, highs = np.array([cuts_limits(b, 2 * share) for b in boards]).T
    alone = np.array([cuts_limits(b, share, "greater") for b in boards])
    assert (alone == np.stack([lows, np.ones(len(lows))], axis=1)).all()
    largest = 0.0
    for p, q in laws():
        auc = float(p @ PHI @ q)
        chance = chances(pos, p) * chances(neg, q)
        if 0 < auc < 1:
            e = [sum(w * MeanTests(b, [size])(auc)[0] / size for size, w in tests) for b in beyond]
            assert chance @ np.array(e) == pytest.approx(1, abs=1e-9)
        missed = chance[lows > auc + 1e-12].sum(), chance[highs < auc - 1e-12].sum()
        assert max(missed) <= share
        largest = max(largest, *missed)
    assert largest > 0 or k < 2


@pytest.mark.parametrize(("k", "n"), [(1, 1), (4, 9), (50, 50), (400, 3000)])
@pytest.mark.parametrize("share", [0.9, 0.5, 0.025, 1e-8, 1e-90])
def test_the_evidence_falls_in_the_claim(k: int, n: int, share: float) -> None:
    rng = np.random.default_rng(2)
    beyond = np.append(np.cumsum(rng.dirichlet(np.ones(k + 1)))[::-1], 0.0)
    claims = np.concatenate([[0], np.geomspace(1e-6, 0.5, 150), 1 - np.geomspace(0.5, 1e-6, 150)])
    for size, weight in size_weights(k, n, share):
        assert 0 < size < 1
        assert 0 <= weight <= 1
        means = np.array([MeanTests(beyond, [size])(float(a))[0] for a in claims])
        assert (means[1:] <= means[:-1] * (1 + 1e-9)).all()
        assert (means >= 0).all()


def test_the_limit_is_where_the_evidence_ends() -> None:
    rng = np.random.default_rng(5)
    for m, n in ((20, 20), (60, 300), (500, 400)):
        pos, neg = rng.normal(1, 1, m), rng.normal(0, 1, n)
        board = Board.of(SortedClasses(np.sort(pos), np.sort(neg)))
        assert board is not None
        k, law = min(m, n), won_pairs(board)
        beyond = np.append(np.cumsum(law[::-1])[::-1], 0.0)
        low = cuts_limits(board)[0]

        def e(a: float) -> float:
            tests = size_weights(k, board.columns, 0.025)  # noqa: B023
            return sum(w * MeanTests(beyond, [q])(a)[0] / q for q, w in tests)  # noqa: B023

        assert e(low) >= 40 > e(low + 3e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_other_limits_are_cut_to_the_nearer_of_both(alternative: Alternative) -> None:
    rng = np.random.default_rng(11)
    for shift in (0.0, 1.0, 3.0):
        rows = SortedClasses(np.sort(rng.normal(shift, 1, 25)), np.sort(rng.normal(0, 1, 60)))
        low, high = cuts_limits(Board.of(rows), alternative=alternative)
        for out in (-0.01, 0.0, 1e-6, 0.01):
            given = max(low - out, 0.0), min(high + out, 1.0)
            found = cuts_inside(None, rows, *given, 0.05, alternative)
            assert found == (max(low, given[0]), min(high, given[1]))


def test_only_order_matters_and_sides_are_alike() -> None:
    rng = np.random.default_rng(6)
    pos, neg = np.round(2 * rng.normal(1, 1, 80)), np.round(2 * rng.normal(0, 1, 50))
    found = cuts(pos, neg)
    assert cuts(rng.permutation(np.exp(pos)), np.exp(neg)) == found
    turned = cuts(-pos, -neg)
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((found.low, found.high), abs=5e-9)
    swapped = cuts(-neg, -pos)
    assert (swapped.low, swapped.high) == pytest.approx((found.low, found.high), abs=5e-9)
    apart = cuts([1.0] * 20, [0.0] * 30, 0.05, "greater")
    assert apart.low == pytest.approx(0.05 ** (1 / 20), abs=3e-9)
    assert (cuts(neg * 0, pos * 0 + 1).low, cuts(neg * 0, pos * 0 + 1).high < 0.1) == (0, True)


def test_who_uses_cuts() -> None:
    rng = np.random.default_rng(7)
    for m, n in ((FEWEST, 50), (50, FEWEST), (FEWEST - 1, 50)):
        pos, neg = rng.normal(1, 1, m), rng.normal(0, 1, n)
        auc = float(np.mean(pos[:, None] > neg))
        wanted = cuts(pos, neg) if min(m, n) >= FEWEST else matchings(pos, neg)
        assert best(auc, m, n, scores=(pos, neg)) == wanted
    assert of_sizes(MOST, MOST) == "cuts"
    assert of_sizes(MOST + 1, 10**6) == "berry-esseen"
    many = np.arange(MOST + 1.0)
    with pytest.raises(UnsoundError, match='use "berry-esseen"'):
        cuts(many, many)
    with pytest.raises(UnsoundError, match='use "hinge"'):
        cuts_of(None, None)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "rounded", "two-valued"])
@pytest.mark.parametrize(("m", "n"), [(20, 20), (60, 15), (30, 400), (150, 150)])
def test_coverage(kind: str, m: int, n: int) -> None:
    """500 tables each: no more misses of a limit than one in 40 has with a chance of 1e-8."""
    rng = np.random.default_rng([m, n, len(kind)])
    draws, missed, part = 500, np.zeros(2, dtype=int), []
    for _ in range(draws):
        if kind == "two-valued":
            pos, neg, auc = (rng.random(m) < 0.85) * 1, (rng.random(n) < 0.3) * 1, 0.775
        else:
            pos, neg, auc = rng.normal(1, 1, m), rng.normal(0, 1, n), 0.760250
            if kind == "rounded":
                pos, neg = np.floor(pos), np.floor(neg)
                auc = rounded_auc()
        found = cuts(pos, neg)
        missed += [found.low > auc, found.high < auc]
        part.append(found.width)
    assert (bdtrc(missed - 1, draws, 0.025) > ALARM).all()


def rounded_auc() -> float:
    from scipy.special import ndtr

    edges = np.arange(-12, 14.0)
    p, q = np.diff(ndtr(edges - 1)), np.diff(ndtr(edges))
    return float(p @ (np.cumsum(q) - q / 2))


@pytest.mark.parametrize(
    ("m", "n", "most"), [(50, 50, 0.94), (1000, 1000, 0.92), (100, 1000, 0.96)]
)
def test_cuts_are_shorter_than_matchings(m: int, n: int, most: float) -> None:
    """Also, by less, for a score of which all matchings win the same: they average nothing."""
    rng = np.random.default_rng(8)
    for auc in (0.6, 0.76, 0.9):
        pos, neg = rng.normal(np.sqrt(2) * ndtri(auc), 1, m), rng.normal(0, 1, n)
        assert cuts(pos, neg).width < most * matchings(pos, neg).width
    pos = np.arange(m) < 0.8 * m
    assert cuts(pos, np.full(n, 0.5)).width < matchings(pos, np.full(n, 0.5)).width

"""The mean over all matchings at small sizes, every data set with its exact chance; coverage."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtri

from rocsolid.intervals.guarantees import coarse_wins
from rocsolid.intervals.guarantees import coarse_wins as matched_evidence
from rocsolid.intervals.guarantees.coarse_wins import (
    HINGE,
    ROUNDING,
    SHAPES,
    WEIGHTS,
    CoarseWins,
    Evidence,
    NearEvidence,
)
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.matched_wins import Boards, matched_wins
from rocsolid.intervals.guarantees.matchings import matchings_limits, matchings_of
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import Placements, SortedClasses

LEVELS = 3
PHI = np.tri(LEVELS, LEVELS, -1) + 0.5 * np.eye(LEVELS)
SIZES = [(1, 1), (2, 2), (2, 3), (3, 2), (1, 4)]
ALARM = 1e-6 / 100
"""Chance of a false alarm over the fewer than 100 checks of coverage here, all with fixed seeds."""


def samples(m: int, n: int) -> tuple[NDArray[np.int64], Boards]:
    """Every data set on three levels, and its board."""
    every = np.array(list(itertools.product(range(LEVELS), repeat=m + n)))
    boards = [Board.of(SortedClasses(np.sort(row[:m]), np.sort(row[m:]))) for row in every]
    return every, Boards.of([board for board in boards if board is not None])


def chances(every: NDArray[np.int64], m: int, p: NDArray, q: NDArray) -> NDArray[np.float64]:
    return np.asarray(p[every[:, :m]].prod(axis=1) * q[every[:, m:]].prod(axis=1))


def pairs() -> list[tuple[NDArray, NDArray]]:
    rng = np.random.default_rng(1)
    grid = [np.array(c) / 4 for c in itertools.product(range(5), repeat=LEVELS) if sum(c) == 4]
    some = [(grid[i], grid[j]) for i, j in rng.integers(0, len(grid), (60, 2))]
    return some + [tuple(rng.dirichlet(np.full(LEVELS, 0.5), 2)) for _ in range(20)]  # type: ignore[misc]


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_a_chance_of_r_wins_has_the_mean_a_to_the_r(m: int, n: int) -> None:
    """So that Σ C(k, r)M_r λʳ(1−λa)^{k−r} has the mean (1+λ(A−a))ᵏ: both ways, hence at A too."""
    every, boards = samples(m, n)
    k = min(m, n)
    for each in (boards, boards.mirrored):
        won = matched_wins(each, np.ones(len(every)), k)
        for p, q in pairs():
            auc = float(p @ PHI @ q)
            truth = auc if each is boards else 1 - auc
            mean = chances(every, m, p, q) @ won
            assert mean == pytest.approx(truth ** np.arange(k + 1), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("share", [0.4, 0.05])
def test_the_evidence_has_a_mean_of_at_most_one(m: int, n: int, share: float) -> None:
    every, boards = samples(m, n)
    won = boards.auc > 0
    evidence = Evidence.of(boards.take(won), share)
    largest = 0.0
    for p, q in pairs():
        auc = float(p @ PHI @ q)
        for a in {auc, min(1.05 * auc, 1.0), (1 + auc) / 2}:
            if 0 < a < 1:
                e = np.exp(evidence.above(np.full(int(won.sum()), a)) + ROUNDING) / share
                chance = chances(every, m, p, q)
                # without a win, the bets on the matchings lose in all pairs
                lost = sum(
                    w
                    * (1 - min(math.sqrt(-2 * math.log(share) / (min(m, n) * s) * a / (1 - a)), 1))
                    ** min(m, n)
                    for s, w in zip(SHAPES, WEIGHTS, strict=True)
                )
                mean = chance[won] @ e + (1 - HINGE) * lost * chance[~won].sum()
                largest = max(largest, mean)
    assert 0.97 < largest <= 1 + 1e-9


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 2), (1, 4)])
@pytest.mark.parametrize("places", [5, 1])
def test_the_evidence_of_many_rows_is_smaller(
    m: int, n: int, places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each claim, for equal stakes; its own mean is at most 1, whatever wins are left out."""
    monkeypatch.setattr(coarse_wins, "PLACES", places)
    monkeypatch.setattr(matched_evidence, "CAP", matched_evidence.MOST_STAKED)
    every, boards = samples(m, n)
    auc, share, largest = boards.auc, 0.4, 0.0
    every, boards, auc = every[auc > 0], boards.take(auc > 0), auc[auc > 0]
    exact = Evidence.of(boards, share)
    wins = [CoarseWins.both(SortedClasses(np.sort(row[:m]), np.sort(row[m:])))[0] for row in every]
    many = [NearEvidence.of_many(w, x, share) for w, x in zip(wins, auc.tolist(), strict=True)]
    for a in (0.1, 0.3, 0.5):
        found = np.array([float(each.above(np.array([a]))[0]) for each in many])
        assert (found <= exact.above(np.full(len(every), a)) + 1e-12).all()
        for p, q in pairs():
            if float(p @ PHI @ q) <= a:
                largest = max(largest, float(chances(every, m, p, q) @ np.exp(found) / share))
    assert 0.4 < largest <= 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "two-valued", "skewed"])
@pytest.mark.parametrize(("m", "n"), [(60, 15), (20, 200)])
def test_coverage_of_many_rows(kind: str, m: int, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is used where a board is too large, with 10 blocks of the smaller class."""
    monkeypatch.setattr(coarse_wins, "PLACES", 10)
    rng, delta, repeats = np.random.default_rng([m, n, len(kind)]), 0.4, 100
    missed = np.zeros(2)
    for _ in range(repeats):
        pos, neg, truth = drawn(kind, 0.8, m, n, rng)
        classes = SortedClasses(np.sort(pos), np.sort(neg))
        found = matchings_of(None, classes, Placements.from_sorted(classes).auc, delta)
        missed += truth < found.low, truth > found.high
    for count in missed:
        assert not count or bdtrc(count - 1, repeats, delta / 2) >= ALARM


@pytest.mark.parametrize("kind", ["normal", "two-valued", "skewed"])
@pytest.mark.parametrize("auc", [0.75, 0.97])
def test_many_rows_lose_little_to_the_exact_mean(kind: str, auc: float) -> None:
    pos, neg, _ = drawn(kind, auc, 1500, 2000, np.random.default_rng(3))
    classes = SortedClasses(np.sort(pos), np.sort(neg))
    board, value = Board.of(classes), Placements.from_sorted(classes).auc
    exact, found = (matchings_of(each, classes, value) for each in (board, None))
    assert found.low <= exact.low + 1e-8
    assert found.high >= exact.high - 1e-8
    assert found.width <= 1.03 * exact.width


@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("delta", [0.5, 0.2, 0.05])
def test_no_distribution_makes_it_miss_too_often(m: int, n: int, delta: float) -> None:
    every, boards = samples(m, n)
    low, high = matchings_limits(boards, delta)
    one_sided = matchings_limits(boards, delta / 2, "greater")[0]
    assert low == pytest.approx(one_sided, abs=1e-10)
    assert matchings_limits(boards, delta / 2, "less")[1] == pytest.approx(high, abs=1e-10)
    for p, q in pairs():
        auc, chance = float(p @ PHI @ q), chances(every, m, p, q)
        assert chance[auc < low - 1e-12].sum() <= delta / 2 + 1e-12
        assert chance[auc > high + 1e-12].sum() <= delta / 2 + 1e-12


def drawn(
    kind: str, auc: float, m: int, n: int, rng: np.random.Generator
) -> tuple[NDArray, NDArray, float]:
    """A data set, and its distribution's AUC."""
    if kind == "two-valued positives":
        return np.where(rng.random(m) < auc, 1.0, -1.0), np.zeros(n), auc
    if kind == "two-valued negatives":
        return np.zeros(m), np.where(rng.random(n) < auc, -1.0, 1.0), auc
    if kind == "two-valued":  # both classes 0 or 1, A = ½ + (p − q)/2
        p, q = auc, 1 - auc
        return (rng.random(m) < p) * 1.0, (rng.random(n) < q) * 1.0, 0.5 + (p - q) / 2
    if kind == "skewed":  # P(X > Y) of exponentials with the rates 1 and A/(1−A)
        return rng.exponential(auc / (1 - auc), m), rng.exponential(1, n), auc
    shift = math.sqrt(2) * float(ndtri(auc))
    return rng.normal(shift, 1, m), rng.normal(0, 1, n), auc


@pytest.mark.parametrize(
    "kind", ["normal", "two-valued positives", "two-valued negatives", "two-valued", "skewed"]
)
@pytest.mark.parametrize("auc", [0.6, 0.97])
@pytest.mark.parametrize(("m", "n"), [(20, 25), (60, 15), (10, 300)])
def test_coverage(kind: str, auc: float, m: int, n: int) -> None:
    """At δ = .4, where a method that covers too little would show, and a tight one is not idle."""
    rng = np.random.default_rng([m, n, int(100 * auc), len(kind)])
    delta, repeats = 0.4, 300
    boards, truth = [], 0.0
    for _ in range(repeats):
        pos, neg, truth = drawn(kind, auc, m, n, rng)
        boards.append(Board.of(SortedClasses(np.sort(pos), np.sort(neg))))
    low, high = matchings_limits(Boards.of([b for b in boards if b is not None]), delta)
    for missed in (np.sum(truth < low - 1e-12), np.sum(truth > high + 1e-12)):
        assert not missed or bdtrc(float(missed) - 1, repeats, delta / 2) >= ALARM


@pytest.mark.parametrize(("m", "n"), [(20, 20), (200, 200), (100, 1000)])
@pytest.mark.parametrize("auc", [0.6, 0.9, 0.99])
def test_never_much_wider_than_the_hinge(m: int, n: int, auc: float) -> None:
    """The dearest case is a score with two values, where matchings do not differ."""
    wins = round(auc * m)
    pos = np.sort(np.where(np.arange(m) < wins, 1.0, -1.0))
    board = Board.of(SortedClasses(pos, np.zeros(n)))
    assert board is not None
    low, high = matchings_limits(Boards.of([board]))
    other_low, other_high = hinge_limits(wins / m, m)
    assert float(high[0] - low[0]) <= 1.14 * float(other_high - other_low)
    # normal scores, by their quantiles
    at = ndtri((np.arange(m) + 0.5) / m) + math.sqrt(2) * ndtri(auc)
    board = Board.of(SortedClasses(at, ndtri((np.arange(n) + 0.5) / n)))
    assert board is not None
    low, high = matchings_limits(Boards.of([board]))
    other_low, other_high = hinge_limits(board.doubled_wins / (2 * m * n), m)
    assert float(high[0] - low[0]) <= 1.05 * float(other_high - other_low)

"""Sensitivities by enumeration, and the privacy promise by counting draws."""

from __future__ import annotations

import functools
import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import Laplace, Past, budget, submission
from rocsolid.leaks.release.budget import Gaussian, _gaussian_moments, _laplace_moments, sensitivity
from rocsolid.leaks.release.defence import discrete_gaussian, discrete_laplace


def _labelings(n: int) -> list[tuple[int, ...]]:
    return list(itertools.product((0, 1), repeat=n))


def _score_patterns(n: int) -> list[list[int]]:
    """All patterns of ties: the sizes of the runs of equal scores, lowest first."""
    found = []
    for breaks in itertools.product((0, 1), repeat=n - 1):
        found.append(list(itertools.accumulate((0, *breaks))))
    return found


@functools.cache
def _auc(labels: tuple[int, ...], scores: tuple[int, ...]) -> Fraction:
    """From the definition; one half where it is not defined."""
    pos = [s for y, s in zip(labels, scores, strict=True) if y]
    neg = [s for y, s in zip(labels, scores, strict=True) if not y]
    if not pos or not neg:
        return Fraction(1, 2)
    wins = sum(2 * (a > b) + (a == b) for a in pos for b in neg)
    return Fraction(wins, 2 * len(pos) * len(neg))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_a_swap_moves_the_auc_by_the_span_of_the_ranks_and_no_more(n: int) -> None:
    for scores in map(tuple, _score_patterns(n)):
        most: dict[int, Fraction] = {}
        for y in _labelings(n):
            for i, j in itertools.combinations(range(n), 2):
                if y[i] != y[j]:
                    swapped = list(y)
                    swapped[i], swapped[j] = y[j], y[i]
                    move = abs(_auc(y, scores) - _auc(tuple(swapped), scores))
                    most[sum(y)] = max(most.get(sum(y), Fraction(0)), move)
        for n_pos, move in most.items():
            y = np.arange(n) < n_pos
            scored = submission(y, doubled_ranks(scores))
            assert move * scored.units == sensitivity(scored, "swap")
            assert move <= Fraction(n - 1, n_pos * (n - n_pos))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_a_flip_moves_the_auc_by_one_half_and_no_more(n: int) -> None:
    most = Fraction(0)
    for scores in map(tuple, _score_patterns(n)):
        for y in _labelings(n):
            for i in range(n):
                flipped = (*y[:i], 1 - y[i], *y[i + 1 :])
                move = abs(_auc(y, scores) - _auc(flipped, scores))
                most = max(most, move)
                small = min(sum(y), n - sum(y))
                if small:
                    # the local sensitivity of the theory, which tells the class sizes
                    assert move <= min(Fraction(1, 2), Fraction(1, small))
    assert most == Fraction(1, 2)
    scored = submission(np.arange(n) < 1, doubled_ranks(range(n)))
    assert sensitivity(scored, "flip") * 2 == 10**6


DRAWS = 10_000
# 2 directions × about 60 events, each a one-sided normal test at 5 standard deviations: a sound
# mechanism fails with probability below 5e-5 over new seeds
SIGMAS = 5.0


def _worst_excess(epsilon: float, first: list[Fraction], second: list[Fraction]) -> float:
    """By how many standard deviations any event breaks P(A | first) ≤ e^ε · P(A | second)."""
    a, b = (np.sort(np.array(x, dtype=np.float64)) for x in (first, second))
    cuts = np.unique(np.quantile(np.concatenate([a, b]), np.linspace(0.01, 0.99, 30)))
    worst = -math.inf
    for p, q in (
        (np.searchsorted(a, cuts) / DRAWS, np.searchsorted(b, cuts) / DRAWS),
        (1 - np.searchsorted(a, cuts) / DRAWS, 1 - np.searchsorted(b, cuts) / DRAWS),
    ):
        for x, y in ((p, q), (q, p)):
            excess = x - math.exp(epsilon) * y
            spread = np.sqrt((x * (1 - x) + math.exp(2 * epsilon) * y * (1 - y)) / DRAWS)
            worst = max(worst, float(np.max(excess / np.maximum(spread, 1 / DRAWS))))
    return worst


def _draws(
    monkeypatch: pytest.MonkeyPatch, rule: Laplace, labels: np.ndarray, seed: int
) -> list[Fraction]:
    bits = random.Random(seed).getrandbits
    monkeypatch.setattr(
        budget, "discrete_laplace", functools.partial(discrete_laplace, randbits=bits)
    )
    scored = submission(labels, doubled_ranks(np.arange(len(labels)) // 2))
    return [rule.answer(scored, Past()).value for _ in range(DRAWS)]


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["swap", "flip"])
def test_the_release_keeps_its_privacy_on_the_worst_neighbours(
    monkeypatch: pytest.MonkeyPatch, neighbours: str
) -> None:
    epsilon = 1.0
    if neighbours == "swap":
        # the last row, at the top, and the first, at the bottom, exchange their labels
        first = np.array([0, 1, 0, 1, 0, 1, 0, 1, 0, 1], dtype=bool)
        second = first.copy()
        second[[0, -1]] = first[[-1, 0]]
    else:
        first = np.zeros(10, dtype=bool)
        second = first.copy()
        second[-1] = True
    rule = Laplace(epsilon, neighbours=neighbours)  # type: ignore[arg-type]
    a, b = (_draws(monkeypatch, rule, y, seed) for seed, y in enumerate((first, second)))
    assert _worst_excess(epsilon, a, b) < SIGMAS
    # the test has power: noise calibrated to two thirds of the sensitivity is found out
    weak = Laplace(1.5 * epsilon, neighbours=neighbours)  # type: ignore[arg-type]
    c, d = (_draws(monkeypatch, weak, y, 7 + seed) for seed, y in enumerate((first, second)))
    assert _worst_excess(epsilon, c, d) > SIGMAS


@pytest.mark.parametrize("rho", [0.05, 0.5, 2.0])
def test_the_gaussian_release_has_the_divergence_that_it_is_charged_for(rho: float) -> None:
    scored = submission(np.array([1, 0, 0, 1, 0, 1], dtype=bool), doubled_ranks(range(6)))
    v = float(Gaussian(rho).variance(scored))
    shift = sensitivity(scored, "swap")
    reach = math.ceil(40 * math.sqrt(v)) + 45 * shift
    x = np.arange(-reach, reach + 1)
    log_norm = math.log(np.exp(-(x**2) / (2 * v)).sum())
    for alpha in (1.5, 2.0, 8.0, 40.0):
        # Rényi divergence of order α between neighbours at the full sensitivity
        terms = -alpha * x**2 / (2 * v) - (1 - alpha) * (x - shift) ** 2 / (2 * v)
        top = terms.max()
        divergence = (top + math.log(np.exp(terms - top).sum()) - log_norm) / (alpha - 1)
        assert divergence <= rho * alpha * (1 + 1e-9)
    assert divergence == pytest.approx(rho * alpha, rel=1e-6)  # attained: shift is a whole step


@pytest.mark.parametrize("scale", ["1/4", "1", "9"])
def test_the_moments_of_the_noise_are_those_of_its_law(scale: str) -> None:
    x = np.arange(-2000, 2001)
    b = float(Fraction(scale))
    for log_weight, moments in (
        (-np.abs(x) / b, _laplace_moments(Fraction(scale))),
        (-(x**2) / (2 * b * b), _gaussian_moments(Fraction(scale) ** 2)),
    ):
        p = np.exp(log_weight)
        p /= p.sum()
        seen = p[p > 0]
        assert moments[0] == pytest.approx((p * x**2).sum(), rel=1e-9)
        assert moments[1] == pytest.approx(-(seen * np.log2(seen)).sum(), rel=1e-9)
    assert discrete_gaussian(Fraction(1, 10**6)) == 0


@pytest.mark.parametrize("epsilon", [0.3, 1, 5, 50])
def test_no_more_bits_are_told_than_charged(epsilon: float) -> None:
    """The information of a private release about uniform labelings, computed in full."""
    n, n_pos = 8, 4
    labelings = [y for y in _labelings(n) if sum(y) == n_pos]
    aucs = [_auc(y, tuple(range(n))) for y in labelings]
    scored = submission(np.array(labelings[0], dtype=bool), doubled_ranks(range(n)))
    scale = float(Laplace(epsilon).scale(scored))
    x = np.arange(-4000, 4001)
    laws = []
    for auc in aucs:
        law = np.exp(-np.abs(x - int(auc * scored.units)) / scale)
        laws.append(law / law.sum())
    mixture = np.mean(laws, axis=0)

    def entropy(p: np.ndarray) -> float:
        seen = p[p > 1e-300]
        return float(-(seen * np.log2(seen)).sum())

    told = entropy(mixture) - np.mean([entropy(law) for law in laws])
    assert told <= Laplace(epsilon).most_bits(scored)
    # little privacy leaves the whole entropy, much privacy next to nothing
    assert Laplace(1e-4).most_bits(scored) < 1e-5
    assert Gaussian(1e-9).answer(scored, Past()).most_bits < 1e-5

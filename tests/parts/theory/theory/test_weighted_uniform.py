"""Uniform bounds for weighted areas, and where Theorem 3 of Maurer and Pontil 2020 fails.

Each coverage test allows what a bound that fails with probability exactly δ exceeds once in 10⁶.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from rocsolid import weights
from rocsolid.binary.curve_area import curve_area, plug_in
from rocsolid.summaries.placements import SortedClasses
from rocsolid.theory import guarantees as g
from rocsolid.weights import losses


def allowed(delta: float, repeats: int) -> int:
    return int(binom.isf(1e-6, repeats, delta))


class Population:
    """Ten discrete scorers on twelve points a class, so that every area is known exactly."""

    def __init__(self) -> None:
        rng = np.random.default_rng(4)
        self.pos = rng.integers(0, 8, (10, 12)) + np.arange(10)[:, None] // 4
        self.neg = rng.integers(0, 8, (10, 12))
        self.pos_share, self.neg_share = rng.dirichlet(np.ones(12)), rng.dirichlet(np.ones(12))

    def truth(self, weight: weights.Weight) -> np.ndarray:
        many = 100_000
        counts = [np.rint(share * many).astype(int) for share in (self.pos_share, self.neg_share)]
        self.pos_share, self.neg_share = (count / count.sum() for count in counts)
        return np.array([
            curve_area(sorted_classes(p, counts[0], n, counts[1]), weight)
            for p, n in zip(self.pos, self.neg, strict=True)
        ])  # fmt: skip

    def largest_error(
        self, rng: np.random.Generator, m: int, n: int, weight: weights.Weight, truth: np.ndarray
    ) -> float:
        pos, neg = rng.multinomial(m, self.pos_share), rng.multinomial(n, self.neg_share)
        found = [
            curve_area(sorted_classes(p, pos, q, neg), weight)
            for p, q in zip(self.pos, self.neg, strict=True)
        ]
        return float(np.abs(np.array(found) - truth).max())


def sorted_classes(
    pos: np.ndarray, pos_counts: np.ndarray, neg: np.ndarray, neg_counts: np.ndarray
) -> SortedClasses:
    return SortedClasses(
        np.sort(np.repeat(pos, pos_counts)).astype(float),
        np.sort(np.repeat(neg, neg_counts)).astype(float),
    )


@pytest.mark.parametrize("weight", [weights.step(0, 0.2), weights.step(0.8, 1, axis="tpr")])
def test_no_scorer_of_a_list_is_further_off(weight: weights.Weight) -> None:
    population, repeats, delta = Population(), 300, 0.5
    truth = population.truth(weight)
    rng = np.random.default_rng(1)
    for m, n in ((20, 30), (200, 20)):
        epsilon = float(g.weighted_uniform_curve(0.0, m, n, weight, g.Finite(10), delta))
        assert epsilon > 0
        missed = sum(
            population.largest_error(rng, m, n, weight, truth) > epsilon for _ in range(repeats)
        )
        assert missed <= allowed(delta, repeats)


def test_both_directions_on_the_line() -> None:
    """x and −x for normal scores: the linear functions on R, with the block bound."""
    weight, repeats, delta, shift = weights.step(0, 0.1), 300, 0.5, 0.8
    rates = np.linspace(0, 0.1, 20_001)
    truth = [
        float(np.trapezoid(norm.cdf(side * shift + norm.ppf(rates)), rates)) for side in (1, -1)
    ]
    rng = np.random.default_rng(2)
    for m, n in ((30, 30), (300, 100)):
        epsilon = float(g.weighted_uniform_curve(0.0, m, n, weight, g.Linear(1), delta))
        missed = 0
        for _ in range(repeats):
            pos, neg = rng.normal(shift, 1, m), rng.normal(0, 1, n)
            errors = [
                curve_area(SortedClasses(np.sort(s * pos), np.sort(s * neg)), weight) - value
                for s, value in zip((1, -1), truth, strict=True)
            ]
            missed += max(map(abs, errors)) > epsilon
        assert missed <= allowed(delta, repeats)


def test_theorem_3_holds_for_a_list_of_continuous_scorers() -> None:
    """Its two terms are compared with the largest error, each at the size of sample drawn.

    The bound itself is far above any error there can be at such sizes, so its shape is checked
    instead: the errors stay below a hundredth of it and fall with N as it does.
    """
    weight, loss, angles = weights.power(1), losses.ramp(0.5), np.linspace(0, np.pi / 2, 8)
    directions = np.stack([np.cos(angles), np.sin(angles)])
    truth = None
    rng = np.random.default_rng(3)
    worst = {}
    for size in (40_000, 200, 3_000):  # the first sample is so large that it stands for the law
        x = 1 / (1 + np.exp(-rng.normal(size=(2 * size, 2))))
        x[:size] += 0.15
        scores = (x @ directions).T
        found = np.array([plug_in(classes(s, size), weight, loss) for s in scores])
        if truth is None:
            truth = found
            continue
        complexity = g.gaussian_monte_carlo(scores, (0.0, 1.15 * math.sqrt(2)), draws=200)
        bound = g.weighted_theorem_3(0.0, size, size, weight, loss, complexity)
        worst[size] = float(np.abs(found - truth).max())
        assert worst[size] <= float(bound) / 100
    assert worst[3_000] < worst[200]


def classes(scores: np.ndarray, size: int) -> SortedClasses:
    return SortedClasses(np.sort(scores[:size]), np.sort(scores[size:]))


def test_theorem_3_fails_with_ties_and_a_rich_class() -> None:
    """Why the absence of ties is listed as an assumption.

    X is continuous and H holds η·1(x ∉ F) for all finite F. Each of these is η for almost every x,
    so f_{W,ℓ} is ½·W(1) = 0 for a tent W and ℓ(0) = ½. On a sample, F made of half of the negatives
    gives ½·½·W(½) = ¼. The complexity is E Σγ⁺η = ηN/√(2π), and the bound falls below ¼.
    """
    tent = weights.from_callable(
        lambda u: 1 - abs(2 * u - 1),
        lambda u: np.where(np.asarray(u) < 0.5, u * u, 2 * u - u * u - 0.5),
        sup_norm=1,
        lipschitz=2,
    )
    eta, half = 1e-9, 10**8
    loss = losses.sigmoid(1.0)
    # the same shares as in a sample of any even size
    pos, neg = np.full(4, eta), np.repeat([0.0, eta], [2, 2])
    on_sample = plug_in(SortedClasses(pos, neg), tent, loss)
    in_law = plug_in(SortedClasses(pos, np.full(4, eta)), tent, loss)
    assert on_sample == pytest.approx(0.25)
    assert in_law == 0.0
    complexity = g.gaussian_given(eta * 2 * half / math.sqrt(2 * math.pi), 2 * half)
    bound = g.weighted_theorem_3(on_sample, half, half, tent, loss, complexity)
    assert float(bound) < 0.05 < on_sample - in_law


def test_theorem_7_covers_a_picked_scorer() -> None:
    """f(μ) = the mean, and the best of ten scorers by its mean on the same rows."""
    rng, repeats, rows, delta = np.random.default_rng(6), 400, 300, 0.3
    constants = g.LipschitzConstants(1.0, 1.0, 0.0)
    complexity = g.gaussian_finite(10, (0, 1), rows)
    missed = single = 0
    for _ in range(repeats):
        means = rng.random((10, rows)).mean(axis=1)
        bound = g.lipschitz_functional_uniform(float(means.max()), constants, complexity, delta)
        missed += bound.interval.low > 0.5
        single += 0.5 not in g.lipschitz_functional(float(means[0]), rows, constants, delta)
    assert missed <= allowed(delta, repeats)
    assert single <= allowed(delta, repeats)

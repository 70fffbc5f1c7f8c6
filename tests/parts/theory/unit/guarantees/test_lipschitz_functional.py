from __future__ import annotations

import json
import math

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.theory import guarantees as g


def mean(mu: g.Measure) -> float:
    return float(mu.points @ mu.masses)


def above_one_half(mu: g.Measure) -> float:
    """P(X > 1/2): 1-Lipschitz in d_∞, not at all in d_1."""
    return float(mu.masses[mu.points > 0.5].sum())


def gini(mu: g.Measure) -> float:
    """½·E|X−X′| = ∫F(1−F): bilinear, with L_∞ ≤ 1, L_1 ≤ 1 and L_2 ≤ 2."""
    below = np.cumsum(mu.masses)[:-1]
    return float(np.sum(below * (1 - below) * np.diff(mu.points)))


def test_theorem_7_formulas() -> None:
    c = g.LipschitzConstants(2.0, 3.0, 0.5)
    first = g.lipschitz_functional(0.4, 500, c, 0.1, range=(0, 2))
    assert first.width / 2 == pytest.approx(2 * math.sqrt(math.log(20) / 1000))
    assert first.certified
    complexity = g.gaussian_given(40.0, 50_000)
    second = g.lipschitz_functional_uniform(1.9, c, complexity, 0.1, range=(0, 2))
    expected = math.sqrt(8 * math.pi) * 3.5 * 40 / 50_000 + 2 * math.sqrt(math.log(10) / 50_000)
    assert second.deviation == pytest.approx(expected)
    assert second.bias == pytest.approx(2 * g.dkw_mean(50_000))
    assert second.interval.low == pytest.approx(1.9 - expected - second.bias)
    assert json.loads(json.dumps(second.to_dict(), allow_nan=False))["bias"] == second.bias
    assert not second.vacuous


def test_one_side() -> None:
    c = g.LipschitzConstants(1.0)
    assert g.lipschitz_functional(0.5, 100, c, alternative="greater").high == 1.0
    assert g.lipschitz_functional(0.5, 100, c, alternative="less").low == 0.0


def test_the_inequality_and_its_mean() -> None:
    assert g.dkw_tail(g.dkw_radius(70, 0.03), 70) == pytest.approx(0.03)
    assert g.dkw_tail(1e-9, 5) == 1.0
    t = np.linspace(0, 3, 300_001)
    integral = np.trapezoid(np.minimum(1, 2 * np.exp(-2 * t**2)), t)
    assert g.dkw_mean(1) == pytest.approx(integral, abs=1e-8)
    assert g.dkw_mean(25) == pytest.approx(integral / 5, abs=1e-8)
    # the mean of the true distance for uniform rows is below it
    rng = np.random.default_rng(0)
    ranks = np.arange(1, 41) / 40
    rows = np.sort(rng.random((2000, 40)), axis=1)
    distance = np.maximum(np.abs(ranks - rows), np.abs(ranks - 1 / 40 - rows)).max(axis=1)
    assert distance.mean() < g.dkw_mean(40)


def test_probing_finds_known_constants_from_below() -> None:
    found = g.probe_lipschitz(mean, 0.0, 2.0, tries=400)
    assert found.probed
    assert found.kolmogorov == pytest.approx(2.0)  # the length of the interval
    assert found.wasserstein == pytest.approx(1.0)
    assert found.second == pytest.approx(0.0, abs=1e-5)
    # E|X−X′|/2 is curved: L_1 = 1 is reached by moves at an end, L_2 is above 0
    found = g.probe_lipschitz(gini, 0.0, 1.0, tries=400)
    assert 0.5 < found.wasserstein <= 1.0 + 1e-9
    assert 0.1 < found.second <= 2.0 + 1e-9
    jump = g.probe_lipschitz(above_one_half, 0.0, 1.0, tries=400)
    assert jump.kolmogorov <= 1.0 + 1e-9
    assert jump.wasserstein > 5.0


def test_probing_is_seeded_and_labelled() -> None:
    found = g.probe_lipschitz(gini, 0.0, 1.0, tries=50, seed=4)
    assert found == g.probe_lipschitz(gini, 0.0, 1.0, tries=50, seed=4)
    interval = g.lipschitz_functional(0.1, 100, found)
    assert not interval.certified
    assert any("probing" in text for text in interval.assumptions)
    bound = g.lipschitz_functional_uniform(0.1, found, g.gaussian_given(1.0, 100))
    assert not bound.interval.certified


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: g.lipschitz_functional(2.0, 10, g.LipschitzConstants(1.0)), "range"),
        (lambda: g.lipschitz_functional(0.5, 10, g.LipschitzConstants(math.inf)), "finite"),
        (lambda: g.lipschitz_functional(0.5, 0, g.LipschitzConstants(1.0)), "rows"),
        (
            lambda: g.lipschitz_functional_uniform(
                0.5, g.LipschitzConstants(1.0), g.gaussian_given(1.0, 10)
            ),
            "finite",
        ),
        (lambda: g.probe_lipschitz(mean, 0.0, math.inf), "bounded"),
        (lambda: g.dkw_tail(0.0, 10), "positive"),
    ],
)
def test_bad_arguments(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        call()

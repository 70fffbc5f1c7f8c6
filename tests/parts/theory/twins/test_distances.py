"""The three distances computed in other ways, and Lemma 11 of Maurer and Pontil 2020."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp, wasserstein_distance

from rocsolid.errors import InputError
from rocsolid.theory import guarantees as g

few = st.lists(st.tuples(st.integers(-6, 6), st.integers(0, 5)), min_size=1, max_size=12).filter(
    lambda pairs: any(mass for _, mass in pairs)
)


def measure(pairs: list[tuple[int, int]], share: bool = True) -> g.Measure:
    points, masses = np.array(pairs, dtype=float).T
    return g.Measure.of(points, masses / masses.sum() if share else masses)


def brute(mu: g.Measure, nu: g.Measure, upper: float | None) -> tuple[float, float, float]:
    """From their definitions on a grid that holds every point."""
    grid = np.arange(-6, 7 if upper is None else int(upper) + 1)
    at_mu, at_nu = (np.array([m.masses[m.points == t].sum() for t in grid]) for m in (mu, nu))
    gap = np.abs(np.cumsum(at_mu) - np.cumsum(at_nu))
    return float(np.abs(at_mu - at_nu).sum()), float(gap[:-1].sum()), float(gap.max())


@given(few, few)
def test_distances_of_laws(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> None:
    mu, nu = measure(one), measure(other)
    expected = brute(mu, nu, None)
    assert g.distance_total_variation(mu, nu) == pytest.approx(expected[0], abs=1e-12)
    assert g.distance_wasserstein(mu, nu) == pytest.approx(expected[1], abs=1e-12)
    assert g.distance_kolmogorov(mu, nu) == pytest.approx(expected[2], abs=1e-12)
    assert g.distance_wasserstein(mu, nu) == pytest.approx(
        wasserstein_distance(mu.points, nu.points, mu.masses, nu.masses), abs=1e-12
    )


@given(few, few)
def test_distances_of_unequal_masses(
    one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    mu, nu = measure(one, share=False), measure(other, share=False)
    expected = brute(mu, nu, 9.0)
    assert g.distance_total_variation(mu, nu) == expected[0]
    assert g.distance_wasserstein(mu, nu, 9.0) == expected[1]
    assert g.distance_kolmogorov(mu, nu) == expected[2]
    assert math.isinf(g.distance_wasserstein(mu, nu)) == (mu.total != nu.total)


def test_samples_against_kolmogorov_smirnov() -> None:
    rng = np.random.default_rng(1)
    for size in (1, 7, 200):
        x, y = rng.normal(size=size).round(1), rng.normal(size=31).round(1)
        mu, nu = g.Measure.of(x), g.Measure.of(y)
        assert g.distance_kolmogorov(mu, nu) == pytest.approx(ks_2samp(x, y).statistic)
        assert g.distance_wasserstein(mu, nu) == pytest.approx(wasserstein_distance(x, y))


@given(few, few, few, few, st.floats(0, 1))
def test_convexity(one, two, three, four, share: float) -> None:  # type: ignore[no-untyped-def]
    """Equation (4): d(λ(μ,ν), λ(μ′,ν′)) ≤ λ·d(μ,μ′) + (1−λ)·d(ν,ν′)."""
    mu, nu, other_mu, other_nu = map(measure, (one, two, three, four))
    for distance in (g.distance_total_variation, g.distance_wasserstein, g.distance_kolmogorov):
        mixed = distance(mu.mixed(nu, share), other_mu.mixed(other_nu, share))
        assert mixed <= share * distance(mu, other_mu) + (1 - share) * distance(nu, other_nu) + 1e-9


labelled = st.lists(
    st.tuples(st.integers(-6, 6), st.booleans(), st.integers(1, 5)), min_size=1, max_size=10
)


@given(labelled, labelled, st.sampled_from([0.0, 3.0]))
def test_lemma_11(one, other, gap: float) -> None:  # type: ignore[no-untyped-def]
    """(i) is an equality; (ii) and (iii) with d₁ of the parts taken up to a = sup I."""
    upper = 6.5
    images, parts = [], []
    for rows in (one, other):
        x, y, mass = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
        mass = mass / mass.sum()
        images.append(g.Measure.of(g.tau(x, y, upper, gap=gap), mass))
        parts.append([g.Measure.of(x, np.where(y == label, mass, 0.0)) for label in (0, 1)])
    pairs = list(zip(*parts, strict=True))
    tv = sum(g.distance_total_variation(mu, nu) for mu, nu in pairs)
    assert tv == pytest.approx(g.distance_total_variation(*images), abs=1e-12)
    sup = sum(g.distance_kolmogorov(mu, nu) for mu, nu in pairs)
    assert sup <= 2 * g.distance_kolmogorov(*images) + 1e-12
    area = sum(g.distance_wasserstein(mu, nu, upper) for mu, nu in pairs)
    assert area <= 2 * g.distance_wasserstein(*images) + 1e-12


def test_tau_orders_as_the_paper_says() -> None:
    scores = np.array([0.1, 0.5, 0.9, 0.1, 0.5, 0.9])
    image = g.tau(scores, [0, 0, 0, 1, 1, 1], 1.0)
    assert np.all(np.diff(image[:3]) > 0)
    assert np.all(np.diff(image[3:]) < 0)
    assert image.tolist() == pytest.approx([-0.9, -0.5, -0.1, 0.9, 0.5, 0.1])
    moved = g.tau(scores, [0, 0, 0, 1, 1, 1], 1.0, gap=2.0)
    assert moved.tolist() == pytest.approx([-0.9, -0.5, -0.1, 2.9, 2.5, 2.1])


def test_a_changed_label_is_a_small_step_without_a_gap() -> None:
    """Condition (b) of Theorem 7 fails for P(positive above negative) of the images under τ."""

    def area(scores: list[float], labels: list[int]) -> float:
        rows = list(zip(scores, labels, strict=True))
        wins = sum(x > z for x, y in rows if y for z, other in rows if not other)
        return wins / len(rows) ** 2

    scores, ratios = [0.0, 1 - 1e-9], []
    for gap in (0.0, 1.0):
        images = [g.Measure.of(g.tau(scores, labels, 1.0, gap=gap)) for labels in ([0, 0], [0, 1])]
        difference = area(scores, [0, 1]) - area(scores, [0, 0])
        ratios.append(difference / g.distance_wasserstein(*images))
    assert ratios[0] > 1e8
    assert ratios[1] < 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: g.Measure.of([]), "list of points"),
        (lambda: g.Measure.of([1.0], [1.0, 2.0]), "one mass"),
        (lambda: g.Measure.of([math.inf]), "finite"),
        (lambda: g.Measure.of([1.0], [-1.0]), "negative"),
        (lambda: g.distance_wasserstein(g.Measure.of([3.0]), g.Measure.of([1.0]), 2.0), "upper"),
        (lambda: g.tau([1.0], [1], 1.0), "below the upper end"),
        (lambda: g.tau([0.5], [1, 0], 1.0), "one label"),
    ],
)
def test_bad_arguments(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        call()

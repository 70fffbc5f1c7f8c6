"""Networks: counts against patterns that are seen, norms against what they must bound."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.theory.guarantees import (
    gaussian_network,
    network_spread,
    networks,
    path_norm,
    semialgebraic,
    weighted_corollary_4,
    weighted_uniform_curve,
)
from rocsolid.theory.guarantees.networks import log_polynomial_signs
from rocsolid.theory.guarantees.shatter import log_regions
from rocsolid.theory.guarantees.weighted_uniform import log_dichotomies
from rocsolid.weights import losses, ramp, step

Layers = tuple[list[np.ndarray], list[np.ndarray]]


def network(widths: tuple[int, ...], rng: np.random.Generator) -> Layers:
    sizes = (*widths, 1)
    shapes = list(itertools.pairwise(sizes))
    return [rng.normal(size=s) for s in shapes], [rng.normal(size=s[1]) for s in shapes]


def output(layers: Layers, rows: np.ndarray) -> np.ndarray:
    values = rows
    for number, (weights, constants) in enumerate(zip(*layers, strict=True)):
        values = values @ weights + constants
        if number < len(layers[0]) - 1:
            values = np.maximum(values, 0)
    return values.ravel()


def test_the_count_is_layer_by_layer() -> None:
    rows, first = 2 * 5000, 4 * 3 + 4  # weights and constants of the first layer
    second = first + 2 * 4 + 2
    expected = 4 * log_regions(rows, 4)
    expected += math.log(2) + second * math.log(2 * math.e * (2 * rows) * 2 / second)
    weights = second + 2
    expected += math.log(2) + weights * math.log(2 * math.e * rows * 3 / weights)
    assert networks([3, 4, 2]).log_sign_patterns(5000) == pytest.approx(expected)
    assert log_polynomial_signs(3, 9, 4) == pytest.approx(3 * math.log(2))
    with pytest.raises(rs.InputError, match="at least one layer"):
        networks([3])


@pytest.mark.parametrize("pairs", [2, 4, 6])
def test_one_variable_has_a_cell_a_root(pairs: int) -> None:
    """M polynomials of degree 2 in one variable have at most 2M roots, so 2M + 1 cells."""
    rng = np.random.default_rng(pairs)
    roots = rng.normal(size=(pairs, 2))
    x = np.linspace(-5, 5, 20_001)
    above = (x - roots[:, :1]) * (x - roots[:, 1:]) > 0
    cells = len({tuple(column) for column in above.T.tolist()})
    assert pairs < cells <= math.exp(log_polynomial_signs(pairs, 2, 1))


def test_no_more_patterns_than_counted_are_seen() -> None:
    rng = np.random.default_rng(0)
    for pairs in (3, 6):
        pos, neg = rng.normal(size=(2, pairs, 1))
        seen = set()
        for _ in range(5_000):
            layers = network((1, 1), rng)
            signs = np.sign(output(layers, pos) - output(layers, neg))
            seen.add(tuple(signs.tolist()))
        assert len(seen) > 4  # ties among them, where a unit is off
        assert len(seen) <= math.exp(networks([1, 1]).log_sign_patterns(pairs))
        assert networks([1, 1]).log_sign_patterns(pairs) < pairs * math.log(3) + 2 * pairs
        rows, cut = np.concatenate([pos, neg]), set()
        for _ in range(2_000):
            scores = output(network((1, 1), rng), rows)
            cut |= {tuple(np.sign(scores - t).tolist()) for t in [*scores, scores.mean()]}
        assert len(cut) > 20
        assert len(cut) <= math.exp(networks([1, 1]).log_threshold_patterns(2 * pairs))


def test_semialgebraic_classes_count_no_less_than_is_seen() -> None:
    """Distances to a point of the plane, and steps at a threshold, by 4,000 random weights."""
    rng = np.random.default_rng(8)
    for pairs in (4, 8):
        left, right = rng.normal(size=(2, pairs, 2))
        seen, cut, steps = set(), set(), set()
        for centre, level in zip(
            rng.normal(size=(4_000, 2)) * 2, rng.normal(size=4_000), strict=True
        ):
            scores = [-((rows - centre) ** 2).sum(axis=1) for rows in (left, right)]
            seen.add(tuple((scores[0] > scores[1]).tolist()))
            cut.add(tuple((scores[0] > -3 * abs(level)).tolist()))
            above = [rows[:, 0] > level for rows in (left, right)]
            steps.add(tuple(np.subtract(*above, dtype=int).tolist()))
        near, step_class = semialgebraic(2, 1, 1), semialgebraic(1, 2, 1)
        assert 2 * pairs < len(seen) <= math.exp(near.log_sign_patterns(pairs))
        assert pairs < len(cut) <= math.exp(near.log_threshold_patterns(pairs))
        assert pairs < len(steps) <= math.exp(step_class.log_sign_patterns(pairs))
    count = math.log(2) + 3 * math.log(2 * math.e * (2 * 50 * 4) * 2 / 3)
    assert semialgebraic(3, 4, 2).log_sign_patterns(50) == pytest.approx(count)
    assert semialgebraic(2, 4, 2).log_threshold_patterns(50) == pytest.approx(count)
    assert semialgebraic(9, 9, 9).log_sign_patterns(3) == pytest.approx(3 * math.log(3))
    with pytest.raises(rs.InputError, match="degree"):
        semialgebraic(2, 1, 0)


def test_weighted_areas_of_networks() -> None:
    n, weights = 10**6, 2 * 3 + 2 + 1  # of the layer, of the output and the threshold
    count = 2 * log_regions(n, 3) + math.log(2)
    count += weights * math.log(2 * math.e * (2 * n) * 2 / weights)
    scorers = networks([2, 2])
    assert scorers.log_threshold_patterns(n) == pytest.approx(count)
    bound = weighted_uniform_curve(0.08, n, n, step(0, 0.1), scorers)
    epsilon = math.sqrt(2 * (log_dichotomies(scorers, n) + math.log(40)) / n)
    assert bound.deviation == pytest.approx(1.1 * epsilon)
    assert not bound.vacuous
    big = 10**14
    complexity = gaussian_network(1.0, 1, 1.0, 2 * big)
    limit = weighted_corollary_4(
        0.08, big, big, step(0, 0.1), ramp(0, 0.2, 10, side="below"), step(0, 0.2),
        losses.ramp(0.1), complexity,
    )  # fmt: skip
    assert 0.07 < limit.interval.low < 0.08


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([(2, 3), (3, 2, 4), (1, 2, 2, 2)]))
def test_the_path_norm_bounds_the_output_and_knows_no_scale(
    seed: int, widths: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(seed)
    coefficients, intercepts = network(widths, rng)
    norm = path_norm(coefficients, intercepts)
    rows = rng.normal(size=(50, widths[0])) * 3
    length = np.sqrt((rows**2).sum(axis=1) + 1)
    own = output((coefficients, intercepts), rows) - intercepts[-1]
    assert (np.abs(own) <= norm * length * (1 + 1e-9)).all()
    # a unit times 7 and what it sends on by 7 is the same network
    scaled, shifted = [c.copy() for c in coefficients], [b.copy() for b in intercepts]
    scaled[0][:, 0] *= 7
    shifted[0][0] *= 7
    scaled[1][0] /= 7
    np.testing.assert_allclose(output((scaled, shifted), rows), own + intercepts[-1])
    assert path_norm(scaled, shifted) == pytest.approx(norm)


def test_the_spread_bounds_the_complexity_of_many_networks() -> None:
    """E max Σ ε·(f(x) − f(x')) over networks of norm 1, for the signs there are."""
    rng = np.random.default_rng(2)
    pairs, radius = 8, 2.0
    rows = rng.normal(size=(2 * pairs, 3))
    rows *= radius / np.sqrt((rows**2).sum(axis=1, keepdims=True))
    for hidden in ((5,), (4, 4)):
        scores = []
        for _ in range(4000):
            layers = network((3, *hidden), rng)
            scores.append(output(layers, rows) / path_norm(*layers))
        table = np.array(scores)
        table = np.concatenate([table, -table])
        signs = rng.choice([-1.0, 1.0], size=(500, pairs))
        complexity = (signs @ (table[:, :pairs] - table[:, pairs:]).T).max(axis=1).mean() / pairs
        spread = network_spread(len(hidden), radius)
        gamma = rng.normal(size=(500, 2 * pairs))
        gaussian = (gamma @ table.T).max(axis=1).mean()
        assert 0.1 * gaussian_network(1.0, len(hidden), radius, 2 * pairs).upper < gaussian
        assert gaussian <= gaussian_network(1.0, len(hidden), radius, 2 * pairs).upper
        assert gaussian_network(3.0, len(hidden), radius, 2 * pairs).upper == pytest.approx(
            3 * spread / 2 * math.sqrt(2 * pairs)
        )
        assert 0.02 < complexity <= spread / math.sqrt(pairs)
        assert spread == pytest.approx(2 ** (len(hidden) + 1) * math.sqrt(5))


@pytest.mark.parametrize("wrong", [0.0, math.inf, -1.0])
def test_the_path_norm_is_checked(wrong: float) -> None:
    with pytest.raises(rs.InputError, match="path norm"):
        gaussian_network(wrong, 1, 2.0, 10)


@pytest.mark.parametrize("wrong", [0.0, math.inf, -1.0])
def test_the_radius_is_checked(wrong: float) -> None:
    with pytest.raises(rs.InputError, match="radius"):
        network_spread(1, wrong)

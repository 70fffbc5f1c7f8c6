"""The surrogates of a partial area against their definitions, and gradients against differences."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import approx_fprime, minimize

import rocsolid as rs
from rocsolid.binary.area import Region
from rocsolid.theory.learners.partial.cutting_planes import (
    maximise_on_simplex,
    minimise_by_planes,
    tight_hinge,
)
from rocsolid.theory.learners.partial.sigmoid_fit import (
    SigmoidObjective,
    TopNegatives,
    at_nodes,
    logistic_weights,
    low_positives,
    mean_area,
    pair_by_pair,
    sigmoid_loss,
    whole_negatives,
)

FLOATS = NDArray[np.float64]
# quarters: ties, and pairs that are exactly 1 apart, come up often
SCORES = st.lists(st.integers(-8, 8).map(lambda k: k / 4), min_size=1, max_size=6)
RATES = [(0.0, 0.1), (0.0, 1.0), (0.05, 0.3), (0.29, 0.31), (0.5, 0.75)]


@st.composite
def cells(draw: st.DrawFn) -> tuple[FLOATS, FLOATS, int, int]:
    pos, neg = draw(SCORES), draw(SCORES)
    first = draw(st.integers(0, len(neg) - 1))
    last = draw(st.integers(first + 1, len(neg)))
    return np.array(pos), np.array(neg), first, last


def by_all_sets(pos: FLOATS, neg: FLOATS, first: int, last: int) -> float:
    """The structured hinge itself: for each positive every set of negatives ranked above it.

    A set of r negatives, last at most, loses (r − first)₊ pairs of the range.
    """
    total = 0.0
    for s in pos:
        total += max(
            max(r - first, 0) - sum(s - t for t in chosen)
            for r in range(last + 1)
            for chosen in combinations(neg, r)
        )
    return total / (len(pos) * (last - first))


@given(cells())
def test_tight_hinge_is_the_worst_of_all_sets(case: tuple[FLOATS, FLOATS, int, int]) -> None:
    assert tight_hinge(*case)[0] == pytest.approx(by_all_sets(*case), abs=1e-12)


@given(cells(), st.integers(0, 1000))
def test_tight_hinge_lies_above_its_tangent(
    case: tuple[FLOATS, FLOATS, int, int], seed: int
) -> None:
    pos, neg, first, last = case
    value, by_pos, by_neg = tight_hinge(*case)
    rng = np.random.default_rng(seed)
    for scale in (1e-3, 1.0):
        d, e = scale * rng.normal(size=len(pos)), scale * rng.normal(size=len(neg))
        tangent = value + by_pos @ d + by_neg @ e
        assert tight_hinge(pos + d, neg + e, first, last)[0] >= tangent - 1e-12


@given(cells())
def test_tight_hinge_bounds_the_loss_in_the_range(case: tuple[FLOATS, FLOATS, int, int]) -> None:
    """It is at least the share of wrong pairs of positives and the top negatives in the range."""
    pos, neg, first, last = case
    top = np.sort(neg)[::-1][first:last]
    assert tight_hinge(*case)[0] >= np.mean(pos[:, None] <= top) - 1e-12
    equal = np.zeros(len(pos)), np.zeros(len(neg))
    assert tight_hinge(*equal, first, last)[0] == pytest.approx(1.0)


@pytest.mark.parametrize("fpr", RATES)
@pytest.mark.parametrize("n", [1, 7, 20, 100])
def test_the_top_negatives_are_those_of_the_partial_area(n: int, fpr: tuple[float, float]) -> None:
    rng = np.random.default_rng(n)
    pos, neg = rng.normal(size=30) + 1, rng.normal(size=n)
    top = TopNegatives.of(n, fpr)
    beaten = (pos[:, None] > neg[top.ranked(neg)]).mean(axis=0)
    labels, scores = np.repeat([1, 0], [30, n]), np.concatenate([pos, neg])
    value = rs.partial_auc(labels, scores, fpr=fpr, scale="mean").value
    assert beaten @ top.share == pytest.approx(value, abs=1e-12)
    assert mean_area(pos, neg, Region.of(fpr=fpr)) == pytest.approx(value, abs=1e-12)


def test_whole_negatives_go_by_the_decimal_number() -> None:
    assert whole_negatives(100, (0.07, 0.29)) == (7, 29)
    assert int(0.29 * 100) == 28
    assert whole_negatives(15, (0.1, 0.5)) == (2, 7)


def by_every_pair(pos: FLOATS, neg: FLOATS, share: FLOATS, tau: float) -> float:
    return sum(
        c / (1 + np.exp((s - t) / tau)) for s in pos for t, c in zip(neg, share, strict=True)
    ) / len(pos)


@pytest.mark.parametrize("tau", [0.05, 0.2, 1.0])
@pytest.mark.parametrize("loss", [pair_by_pair, at_nodes, sigmoid_loss])
def test_sigmoid_loss_is_the_mean_over_pairs(
    loss: Callable[..., tuple[float, FLOATS, FLOATS]], tau: float
) -> None:
    rng = np.random.default_rng(0)
    pos, neg, share = rng.normal(size=25) + 0.5, rng.normal(size=6), rng.dirichlet(np.ones(6))
    value, by_pos, by_neg = loss(pos, neg, share, tau)
    assert value == pytest.approx(by_every_pair(pos, neg, share, tau), abs=3e-9)
    both = np.concatenate([pos, neg])
    # the loss's own differences: an interpolated one must have its own slope, not the pairs'
    slope = approx_fprime(both, lambda x: loss(x[:25], x[25:], share, tau)[0], 1e-7)
    np.testing.assert_allclose(np.concatenate([by_pos, by_neg]), slope, atol=2e-7)


@pytest.mark.parametrize("tau", [0.05, 0.2, 1.0])
def test_nodes_and_pairs_agree_on_many_rows(tau: float) -> None:
    rng = np.random.default_rng(1)
    pos, neg = rng.standard_cauchy(4000), rng.normal(size=40)
    pos = np.clip(pos, -30, 30)
    share = np.full(40, 1 / 40)
    exact, near = pair_by_pair(pos, neg, share, tau), at_nodes(pos, neg, share, tau)
    assert near[0] == pytest.approx(exact[0], abs=3e-9)
    np.testing.assert_allclose(near[1] * 4000 * tau, exact[1] * 4000 * tau, atol=1e-7)
    np.testing.assert_allclose(near[2] * 40 * tau, exact[2] * 40 * tau, atol=1e-7)


@pytest.mark.parametrize("loss", [pair_by_pair, at_nodes, sigmoid_loss])
def test_positives_with_shares(loss: Callable[..., tuple[float, FLOATS, FLOATS]]) -> None:
    rng = np.random.default_rng(5)
    pos, neg = rng.normal(size=30) + 0.5, rng.normal(size=6)
    share, pos_share = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(30))
    value, by_pos, by_neg = loss(pos, neg, share, 0.3, pos_share)
    pairs = 1 / (1 + np.exp((pos[:, None] - neg) / 0.3))
    assert value == pytest.approx(pos_share @ pairs @ share, abs=3e-9)
    slope = approx_fprime(
        np.concatenate([pos, neg]), lambda x: loss(x[:30], x[30:], share, 0.3, pos_share)[0], 1e-7
    )
    np.testing.assert_allclose(np.concatenate([by_pos, by_neg]), slope, atol=2e-7)


@pytest.mark.parametrize("tpr", [(0.5, 1.0), (0.33, 0.9)])
def test_the_pairs_of_a_box_are_those_of_its_area(tpr: tuple[float, float]) -> None:
    """The area above c of the curve's height, at 10⁵ false-positive rates."""
    rng = np.random.default_rng(6)
    pos, neg = rng.normal(size=31) + 1, rng.normal(size=47)
    region = Region.of(fpr=(0.1, 0.6), tpr=tpr)
    top, low = TopNegatives.of(47, region.fpr), low_positives(31, region)
    assert low is not None
    won = pos[low.ranked(pos)][:, None] > neg[top.ranked(neg)]
    own = float(low.share @ won @ top.share)
    rates = 0.1 + (np.arange(100_000) + 0.5) / 200_000
    heights = (pos > np.sort(neg)[::-1][(rates * 47).astype(int), None]).mean(axis=1)
    exact = (np.clip(heights, *tpr) - tpr[0]).mean() / (tpr[1] - tpr[0])
    assert own == pytest.approx(exact, abs=1e-4)
    assert mean_area(pos, neg, region) == pytest.approx(own, abs=1e-12)
    objective = SigmoidObjective(pos[:, None], neg[:, None], top, 0.2, low)
    for w in (np.array([0.7]), np.array([-1.2])):
        slope = approx_fprime(w, lambda x: objective(x)[0], 1e-7)
        np.testing.assert_allclose(objective(w)[1], slope, atol=1e-5)


@pytest.mark.parametrize("fpr", RATES)
def test_the_gradient_by_the_weights(fpr: tuple[float, float]) -> None:
    rng = np.random.default_rng(2)
    pos, neg = rng.normal(size=(40, 4)) + 0.5, rng.normal(size=(60, 4))
    objective = SigmoidObjective(pos, neg, TopNegatives.of(60, fpr), 0.2)
    for _ in range(5):
        w = rng.normal(size=4)
        slope = approx_fprime(w, lambda x: objective(x)[0], 1e-7)
        np.testing.assert_allclose(objective(w)[1], slope, atol=1e-5)


def test_the_logistic_gradient_vanishes_at_its_weights() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200) == 1
    X = rng.normal(size=(200, 3)) + y[:, None]
    w = logistic_weights(X, y)

    def loss(both: FLOATS) -> float:
        margin = np.where(y, 1, -1) * (X @ both[:3] + both[3])
        return float(np.logaddexp(0, -margin).sum() + both[:3] @ both[:3] / 2)

    best = minimize(
        loss, np.zeros(4), method="Nelder-Mead", options={"maxiter": 4000, "xatol": 1e-6}
    )
    np.testing.assert_allclose(w, best.x[:3], atol=1e-3)


@given(st.integers(0, 10_000), st.integers(1, 15), st.integers(1, 6), st.booleans())
def test_the_simplex_program_meets_its_conditions(
    seed: int, size: int, rank: int, whole: bool
) -> None:
    """Every entry in use has the largest slope there is, which makes the point the best."""
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(size, rank)) * 10.0 ** rng.uniform(-2, 2)
    gain = rng.normal(size=size)
    if whole:  # entries that are alike or depend on each other
        factor, gain = np.round(factor), np.round(gain)
    gram = factor @ factor.T
    start = np.zeros(size)
    start[0] = 1.0
    theta = maximise_on_simplex(gram, gain, start)
    assert theta.sum() == pytest.approx(1.0)
    assert (theta >= 0).all()
    slope = gain - gram @ theta
    scale = max(np.abs(gram).max(), np.abs(gain).max(), 1.0)
    assert slope.max() - slope @ theta <= 1e-8 * scale


@pytest.mark.parametrize("C", [1.0, 30.0])
def test_cutting_planes_find_the_minimum(C: float) -> None:
    """On two weights, where a search without gradients can be trusted."""
    rng = np.random.default_rng(4)
    pos, neg = rng.normal([2.0, 1.0], size=(30, 2)), rng.normal(size=(40, 2))

    def risk(w: FLOATS) -> tuple[float, FLOATS]:
        value, by_pos, by_neg = tight_hinge(pos @ w, neg @ w, 0, 12)
        return value, pos.T @ by_pos + neg.T @ by_neg

    found = minimise_by_planes(risk, 2, C, 1e-6, 500)
    assert found.within(1e-6)

    def objective(w: FLOATS) -> float:
        return float(w @ w / 2 + C * risk(w)[0])

    best = min(
        minimize(
            objective, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
        ).fun
        for start in ([1.0, 1.0], [0.1, 0.0], [2.0, 0.5])
    )
    assert found.objective == pytest.approx(best, rel=1e-5)
    assert found.lower_limit <= best * (1 + 1e-12)

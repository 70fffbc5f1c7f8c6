"""The losses of pairs and lists against sums over every pair, every list and every row."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rocsolid.theory.learners import AUCLeastSquares, RankSVM
from rocsolid.theory.learners.list_net import TopOne
from rocsolid.theory.learners.squared_hinge import SquaredHinge

FLOATS = NDArray[np.float64]
# halves and quarters: pairs that are exactly 1 apart, or tied, come up often
ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-12, 12)), min_size=1, max_size=14
)


def columns(rows: list[tuple[int, int, int]]) -> tuple[FLOATS, NDArray[np.int64], FLOATS]:
    query, grade, quarter = (np.array(column) for column in zip(*rows, strict=True))
    return grade.astype(float), np.unique(query, return_inverse=True)[1], quarter / 4


def pairs_of(grade: FLOATS, query: NDArray[np.int64]) -> list[tuple[int, int]]:
    n = len(grade)
    return [
        (i, j) for i in range(n) for j in range(n) if query[i] == query[j] and grade[i] > grade[j]
    ]


def hinge_by_pairs(grade: FLOATS, query: NDArray[np.int64], z: FLOATS) -> tuple[float, FLOATS]:
    loss, gradient = 0.0, np.zeros(len(z))
    for i, j in pairs_of(grade, query):
        short = max(1.0 - z[i] + z[j], 0.0)
        loss += short**2
        gradient[i] -= 2 * short
        gradient[j] += 2 * short
    return loss, gradient


@given(ROWS)
def test_squared_hinge_is_the_sum_over_pairs(rows: list[tuple[int, int, int]]) -> None:
    grade, query, z = columns(rows)
    hinge = SquaredHinge.of(grade, query)
    loss, gradient, _ = hinge.at(z)
    by_pairs = hinge_by_pairs(grade, query, z)
    assert loss == pytest.approx(by_pairs[0], abs=1e-9)
    np.testing.assert_allclose(gradient, by_pairs[1], atol=1e-9)
    assert hinge.pairs == len(pairs_of(grade, query))
    assert hinge.n_grades.tolist() == [len(set(grade[query == q])) for q in range(query.max() + 1)]


@given(ROWS)
def test_second_derivative_is_the_sum_over_pairs_that_lose(
    rows: list[tuple[int, int, int]],
) -> None:
    grade, query, z = columns(rows)
    z = z + np.arange(len(z)) * math.pi / 100  # no pair exactly 1 apart, where it jumps
    hessian = np.zeros((len(z), len(z)))
    for i, j in pairs_of(grade, query):
        if z[i] - z[j] < 1:
            hessian[[i, j], [i, j]] += 2
            hessian[[i, j], [j, i]] -= 2
    times = SquaredHinge.of(grade, query).at(z)[2]
    np.testing.assert_allclose([times(row) for row in np.eye(len(z))], hessian, atol=1e-9)


@given(ROWS)
def test_top_one_is_the_sum_over_lists(rows: list[tuple[int, int, int]]) -> None:
    grade, query, z = columns(sorted(rows))
    loss, gradient = 0.0, np.zeros(len(z))
    for q in range(query.max() + 1):
        of = query == q
        by_grade = np.exp(grade[of]) / np.exp(grade[of]).sum()
        by_score = np.exp(z[of]) / np.exp(z[of]).sum()
        loss -= float(by_grade @ np.log(by_score))
        gradient[of] = by_score - by_grade
    found = TopOne.of(grade, query).at(z)
    assert found[0] == pytest.approx(loss, abs=1e-12)
    np.testing.assert_allclose(found[1], gradient, atol=1e-12)


@pytest.mark.parametrize("kind", [SquaredHinge, TopOne])
def test_derivatives_are_those_of_finite_differences(kind: type[SquaredHinge | TopOne]) -> None:
    rng = np.random.default_rng(1)
    grade, query = rng.integers(0, 3, 30).astype(float), np.repeat([0, 1, 2], 10)
    loss, z, step = kind.of(grade, query), rng.normal(size=30), 1e-6
    _, gradient, times = loss.at(z)
    for direction in rng.normal(size=(5, 30)):
        up, down = loss.at(z + step * direction), loss.at(z - step * direction)
        assert (up[0] - down[0]) / (2 * step) == pytest.approx(gradient @ direction, rel=1e-6)
        np.testing.assert_allclose((up[1] - down[1]) / (2 * step), times(direction), atol=1e-6)


@pytest.mark.parametrize("kind", [SquaredHinge, TopOne])
def test_losses_are_convex_on_random_lines(kind: type[SquaredHinge | TopOne]) -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        query = np.sort(rng.integers(0, 4, 25))
        loss = kind.of(
            rng.integers(0, 4, 25).astype(float), np.unique(query, return_inverse=True)[1]
        )
        start, direction = rng.normal(scale=3, size=(2, 25))
        values = [loss.at(start + t * direction)[0] for t in np.linspace(-2, 2, 21)]
        assert np.diff(values, 2).min() > -1e-9
        assert np.diff(values, 2).max() > 1e-3  # and the line is not flat


def test_rank_svm_minimises_the_sum_over_pairs() -> None:
    from scipy.optimize import minimize

    rng = np.random.default_rng(3)
    grade, query = rng.integers(0, 4, 40).astype(float), rng.integers(0, 3, 40)
    features = rng.normal(size=(40, 3)) + grade[:, None] * [0.6, 0.2, 0.0]

    def objective(w: FLOATS) -> tuple[float, FLOATS]:
        loss, slope = hinge_by_pairs(grade, query, features @ w)
        return 0.5 * w @ w + 0.1 * loss, w + 0.1 * features.T @ slope

    best = minimize(objective, np.zeros(3), jac=True, method="BFGS", options={"gtol": 1e-9})
    scorer = RankSVM(C=0.1, tol=1e-10).fit(features, grade, qid=query)
    np.testing.assert_allclose(scorer.coef_, best.x, rtol=1e-6)
    assert scorer.n_pairs_ == len(pairs_of(grade, query))


@pytest.mark.parametrize("weighted", [False, True])
def test_least_squares_minimise_the_mean_over_pairs(weighted: bool) -> None:
    rng = np.random.default_rng(4)
    positive = np.arange(30) % 3 == 0
    features = rng.normal(size=(30, 4)) * [1, 2, 3, 4] + positive[:, None]
    weight = rng.integers(0, 4, 30).astype(float) if weighted else np.ones(30)
    at = [(i, j) for i in np.flatnonzero(positive) for j in np.flatnonzero(~positive)]
    apart = np.array([features[i] - features[j] for i, j in at])
    share = np.array([weight[i] * weight[j] for i, j in at])
    share /= share.sum()
    # the normal equations of Σ share (1 − w·d)² + alpha ‖w‖²
    normal = (apart * share[:, None]).T @ apart + 0.3 * np.eye(4)
    expected = np.linalg.solve(normal, share @ apart)
    scorer = AUCLeastSquares(alpha=0.3).fit(features, positive, weight if weighted else None)
    np.testing.assert_allclose(scorer.coef_, expected, rtol=1e-10)

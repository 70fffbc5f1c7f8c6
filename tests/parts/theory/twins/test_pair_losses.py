"""The losses of pairs and lists against sums over every pair, every list and every row."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.gains.gain import as_gain
from rocsolid.theory.learners import AUCLeastSquares, ListNet, PNormPush, RankSVM
from rocsolid.theory.learners.list_net import TopOne
from rocsolid.theory.learners.p_norm_push import PushLoss
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


def push_by_pairs(positive: NDArray[np.bool_], p: float, s: FLOATS) -> float:
    """ln of the sum over negatives, with a loop over all pairs (Rudin 2009, equation 1)."""
    total = 0.0
    for t in s[~positive].tolist():
        total += sum(math.exp(-(x - t)) for x in s[positive].tolist()) ** p
    return math.log(total)


@given(st.lists(st.integers(-12, 12), min_size=2, max_size=9), st.sampled_from([1.0, 2.5, 6.0]))
def test_the_push_is_the_sum_over_pairs(quarters: list[int], p: float) -> None:
    s = np.array(quarters) / 4
    positive = np.arange(len(s)) % 2 == 0
    loss, gradient, times = PushLoss(positive, p).at(s)
    assert loss == pytest.approx(push_by_pairs(positive, p, s), abs=1e-9)
    for row, step in enumerate(np.eye(len(s)) * 1e-5):
        near = [push_by_pairs(positive, p, s + sign * step) for sign in (1, -1)]
        assert gradient[row] == pytest.approx((near[0] - near[1]) / 2e-5, abs=1e-6 * p * p)
        slopes = [PushLoss(positive, p).at(s + sign * step)[1] for sign in (1, -1)]
        np.testing.assert_allclose(
            times(step / 1e-5), (slopes[0] - slopes[1]) / 2e-5, atol=1e-6 * p**3
        )


def test_the_push_is_a_minimum_and_pushes_the_top() -> None:
    """Half of the positives lie above all negatives by x₁, which ranks the others below."""
    from scipy.optimize import minimize

    rng = np.random.default_rng(3)
    y = np.arange(400) % 4 == 0
    X = rng.normal(size=(400, 2))
    X[:, 0] += np.where(y, np.where(rng.random(400) < 0.5, 3.0, -1.0), 0.0)
    X[:, 1] += np.where(y, 0.8, 0.0)
    scorer = PNormPush(p=3.0, alpha=0.05, tol=1e-9).fit(X[:60], y[:60])

    def objective(w: FLOATS) -> float:
        return push_by_pairs(y[:60], 3.0, X[:60] @ w) / 3.0 + 0.025 * float(w @ w)

    least = minimize(objective, np.zeros(2), method="Nelder-Mead", options={"fatol": 1e-12})
    assert objective(scorer.coef_) <= least.fun + 1e-9
    np.testing.assert_allclose(scorer.coef_, least.x, atol=1e-3)
    tops = []
    for p in (1.0, 16.0):
        s = PNormPush(p=p).fit(X, y).decision_function(X)
        tops.append(float(np.mean(s[y] > np.sort(s[~y])[-3])))
    assert tops[1] > tops[0] + 0.05
    for wrong in (0.5, math.nan, math.inf):
        with pytest.raises(rs.InputError, match="power"):
            PNormPush(p=wrong).fit(X, y)


def test_normalised_gains_have_the_order_of_the_largest_expected_ndcg() -> None:
    """Lists of three documents with their own weights: every order, by scikit-learn's NDCG."""
    from sklearn.metrics import ndcg_score

    rng, wrong = np.random.default_rng(4), 0
    for _ in range(12):
        lists, times = (
            rng.integers(0, 6, (3, 3)) * (rng.random((3, 3)) < 0.6),
            rng.integers(1, 5, 3),
        )
        lists[:, 0] += lists.sum(axis=1) == 0
        grades = np.repeat(lists, times, axis=0)
        X, qid = np.tile(np.eye(3), (len(grades), 1)), np.repeat(np.arange(len(grades)), 3)
        values = {
            order: float(np.mean([ndcg_score([g], [-np.argsort(order)]) for g in grades]))
            for order in itertools.permutations(range(3))
        }
        reached = []
        for gain in ("linear", None):
            w = ListNet(gain=gain, alpha=1e-7).fit(X, grades.ravel(), qid=qid).coef_
            reached.append(values[tuple(np.argsort(-w).tolist())])
        assert reached[0] == pytest.approx(max(values.values()), abs=1e-6)
        wrong += reached[1] < max(values.values()) - 1e-6
    assert wrong > 0


@given(ROWS)
def test_lists_of_gains_are_the_sum_over_rows(rows: list[tuple[int, int, int]]) -> None:
    grade, query, z = columns(rows)
    order = np.argsort(query, kind="stable")
    grade, query, z = grade[order], query[order], z[order]
    loss, gradient, times = TopOne.of(grade, query, as_gain("exp2")).at(z)
    plain, slope = 0.0, np.zeros(len(z))
    for q in set(query.tolist()):
        own = query == q
        gains = 2 ** grade[own] - 1
        ideal = sum(g / math.log2(r + 2) for r, g in enumerate(sorted(gains, reverse=True)))
        target = gains / ideal if ideal else gains
        chance = np.exp(z[own]) / np.exp(z[own]).sum()
        plain -= float(target @ np.log(chance))
        slope[own] = target.sum() * chance - target
    assert loss == pytest.approx(plain, abs=1e-9)
    np.testing.assert_allclose(gradient, slope, atol=1e-9)
    step = 1e-5 * np.arange(1.0, len(z) + 1)
    ahead, behind = (TopOne.of(grade, query, as_gain("exp2")).at(z + d)[1] for d in (step, -step))
    np.testing.assert_allclose(times(step), (ahead - behind) / 2, atol=1e-8)

"""Learners with a kernel: the functions that it gives, by Nyström's method."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline

import rocsolid as rs
from estimator_conventions import with_checks
from rocsolid.theory.learners import PartialAUCScorer, RankSVM, training_bounds

FLOATS = NDArray[np.float64]


def crossed(n: int = 600, seed: int = 0) -> tuple[FLOATS, NDArray[np.int64]]:
    """Positive where two features have one sign: no linear score ranks it."""
    x = np.random.default_rng(seed).uniform(-1, 1, (n, 2))
    return x, (x[:, 0] * x[:, 1] > 0).astype(np.int64)


@with_checks([RankSVM(kernel="rbf")])
def test_scikit_learn_conventions(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize(
    "scorer",
    [
        RankSVM(kernel="rbf", gamma=1.0),
        PartialAUCScorer(kernel="rbf", gamma=1.0, tau=0.2, fpr=0.2),
        PartialAUCScorer(kernel="rbf", gamma=1.0, surrogate="tight_hinge", fpr=0.2),
    ],
)
def test_a_kernel_ranks_what_no_line_does(scorer: Any) -> None:
    (X, y), (new_X, new_y) = crossed(), crossed(seed=1)
    assert scorer.fit(X, y).score(new_X, new_y) > 0.95
    assert scorer.coef_.shape == (300,)
    assert scorer.map_.components_.shape == (300, 2)


@pytest.mark.parametrize("scorer", [RankSVM(), PartialAUCScorer(tau=0.2, fpr=0.2)])
def test_a_later_fit_without_a_kernel_forgets_it(scorer: Any) -> None:
    (X, y), (new_X, new_y) = crossed(), crossed(seed=1)
    scorer.set_params(kernel="rbf").fit(X, y)
    assert scorer.set_params(kernel="linear").fit(X, y).score(new_X, new_y) < 0.7
    assert scorer.map_ is None
    assert scorer.coef_.shape == (2,)


def test_with_every_row_a_landmark_it_is_the_kernels_own_minimum() -> None:
    X, y = crossed(40)
    scorer = RankSVM(kernel="rbf", gamma=2.0, C=0.1, tol=1e-9, max_iter=500).fit(X, y)
    kernel = rbf_kernel(X, gamma=2.0)

    def objective(weights: FLOATS) -> tuple[float, FLOATS]:
        scores = kernel @ weights
        short = np.maximum(0, 1 - scores[y == 1][:, None] + scores[y == 0][None])
        slope = np.zeros(len(y))
        slope[y == 1], slope[y == 0] = -2 * short.sum(axis=1), 2 * short.sum(axis=0)
        value = weights @ scores / 2 + 0.1 * (short**2).sum()
        return float(value), scores + 0.1 * kernel @ slope

    options = {"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-15, "gtol": 1e-9}
    least = minimize(objective, np.zeros(40), jac=True, method="L-BFGS-B", options=options)
    own = scorer.decision_function(X)
    np.testing.assert_allclose(own - own.mean(), kernel @ least.x - (kernel @ least.x).mean(),
                               atol=2e-3)  # fmt: skip
    weights = scorer.coef_ @ scorer.map_.normalization_
    at_rows = np.zeros(40)
    at_rows[scorer.map_.component_indices_] = weights
    assert objective(at_rows)[0] == pytest.approx(least.fun, rel=1e-5)


def test_grades_of_queries_take_a_kernel() -> None:
    X, y = crossed(200)
    qid = np.arange(200) % 10
    scorer = RankSVM(kernel="rbf", gamma=1.0, landmarks=50).fit(X, y * 2.0, qid=qid)
    assert rs.grouped_auc(y, scorer.decision_function(X), qid=qid).value > 0.95
    assert scorer.coef_.shape == (50,)


def test_the_seed_draws_the_landmarks_and_gamma_has_a_default_without_looking() -> None:
    X, y = crossed(100)
    first, again, other = (RankSVM(kernel="rbf", landmarks=9, seed=s).fit(X, y) for s in (0, 0, 1))
    np.testing.assert_array_equal(first.coef_, again.coef_)
    assert not np.array_equal(first.map_.components_, other.map_.components_)
    half = RankSVM(kernel="rbf", landmarks=9, gamma=0.5).fit(X, y)
    np.testing.assert_allclose(first.coef_, half.coef_)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"kernel": "rfb"}, "rbf"), ({"kernel": "rbf", "gamma": 0.0}, "gamma"),
     ({"kernel": "rbf", "landmarks": 0}, "landmarks"), ({"seed": -1}, "seed")],
)  # fmt: skip
def test_what_is_wrong_is_said(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(rs.InputError, match=said):
        RankSVM(**wrong).fit(*crossed(30))


def test_its_training_bounds_are_those_of_landmarks() -> None:
    X, y = crossed(2000)
    own = RankSVM(kernel="rbf", gamma=1.0, landmarks=15).fit(X, y)
    steps = make_pipeline(Nystroem(gamma=1.0, n_components=15, random_state=0), RankSVM()).fit(X, y)
    found, expected = training_bounds(own, X, y), training_bounds(steps, X, y)
    assert [b.low for b in found.bounds] == pytest.approx([b.low for b in expected.bounds])
    assert found["block-VC"].low > 0.5
    area = PartialAUCScorer(kernel="rbf", gamma=1.0, landmarks=15, tau=0.2, fpr=0.5).fit(X, y)
    bounds = training_bounds(area, X, y)
    assert [bound.method for bound in bounds.bounds] == [
        "weighted-uniform, dichotomies", "weighted-corollary-4",
    ]  # fmt: skip
    assert math.isclose(bounds.value, rs.partial_auc(y, area.decision_function(X), fpr=0.5).value)

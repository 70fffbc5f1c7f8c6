"""PartialAUCScorer as an estimator: the range, the two surrogates, what it says and refuses."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

import rocsolid as rs
from estimator_conventions import with_checks
from rocsolid.errors import InputError, UnsoundError
from rocsolid.theory.learners import PartialAUCScorer

FLOATS = NDArray[np.float64]
SURROGATES = [PartialAUCScorer(tau=0.2), PartialAUCScorer(surrogate="tight_hinge")]
both = pytest.mark.parametrize("scorer", SURROGATES, ids=lambda s: s.surrogate)


def rows(n: int = 400, shift: float = 2.0, seed: int = 0) -> tuple[FLOATS, NDArray[np.int64]]:
    """Negatives are spread along the first feature, so that it is of less use at small rates."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 3))
    X[y == 0, 0] *= 2
    return X + shift * y[:, None] * [1.0, 0.8, 0.0], y


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the tight hinge collapsed")
@with_checks([PartialAUCScorer(), PartialAUCScorer(surrogate="tight_hinge", fpr=0.5)])
def test_scikit_learn_conventions(estimator: Any, check: Any) -> None:
    check(estimator)


@both
def test_the_areas_are_those_of_the_scores(scorer: PartialAUCScorer) -> None:
    X, y = rows()
    scorer.fit(X, y)
    scores = scorer.decision_function(X)
    at_most = rs.partial_auc(y, scores, fpr=0.1, scale="mean").value
    assert scorer.areas_.partial == pytest.approx(at_most)
    assert scorer.areas_.auc == pytest.approx(rs.auc(y, scores).value)
    assert scorer.fpr_ == (0.0, 0.1)
    assert scorer.warnings_ == ()
    # it gives up area elsewhere for more of it here
    assert scorer.areas_.partial > scorer.areas_.logistic_partial
    assert scorer.areas_.auc < scorer.areas_.logistic_auc


@both
def test_sparse_rows_give_the_scores_of_dense_ones(scorer: PartialAUCScorer) -> None:
    X, y = rows()
    X = X * (np.abs(X) > 0.5)
    dense = scorer.fit(X, y).coef_
    sparse = scorer.fit(csr_array(X), y)
    # where two negatives change places the path of the search may fork
    np.testing.assert_allclose(sparse.coef_, dense, atol=0.02 * np.abs(dense).max())
    np.testing.assert_allclose(
        sparse.decision_function(csr_array(X)), sparse.decision_function(X), atol=1e-12
    )


@both
def test_a_fit_again_and_a_pickled_one_are_the_same(scorer: PartialAUCScorer) -> None:
    X, y = rows()
    scores = scorer.fit(X, y).decision_function(X)
    again = pickle.loads(pickle.dumps(scorer.fit(X, y)))
    np.testing.assert_array_equal(again.decision_function(X), scores)


def test_tau_is_the_best_on_held_out_rows_and_the_seed_decides() -> None:
    X, y = rows()
    scorer = PartialAUCScorer(fpr=0.2).fit(X, y)
    by_tau = scorer.held_out_.by_tau
    assert set(by_tau) == {1.0, 0.2, 0.05}
    assert by_tau[scorer.tau_] == max(by_tau.values())
    assert PartialAUCScorer(fpr=0.2).fit(X, y).held_out_ == scorer.held_out_
    assert PartialAUCScorer(fpr=0.2, seed=1).fit(X, y).held_out_ != scorer.held_out_
    given = PartialAUCScorer(fpr=0.2, tau=scorer.tau_).fit(X, y)
    np.testing.assert_array_equal(given.coef_, scorer.coef_)
    assert not hasattr(given, "held_out_")
    assert np.linalg.norm(given.coef_) == pytest.approx(1.0)


def test_few_rows_cannot_choose_tau() -> None:
    X, y = rows(10)
    scorer = PartialAUCScorer().fit(X, y)
    assert scorer.tau_ == 0.2
    assert scorer.warnings_[0] == "too few rows to choose tau on held-out rows: 0.2"


def test_the_tight_hinge_is_within_its_tolerance() -> None:
    X, y = rows()
    scorer = PartialAUCScorer(surrogate="tight_hinge", tol=1e-5).fit(X, y)
    assert 0 <= scorer.objective_ - scorer.lower_limit_ <= 1e-5 * scorer.objective_
    assert not hasattr(scorer, "tau_")
    scorer.set_params(surrogate="sigmoid").fit(X, y)
    assert not hasattr(scorer, "lower_limit_")


def test_a_collapse_is_said() -> None:
    X, y = rows(shift=0.2)
    with pytest.warns(UserWarning, match="the tight hinge collapsed: its objective, 100, is no"):
        scorer = PartialAUCScorer(surrogate="tight_hinge").fit(X, y)
    assert scorer.warnings_[0].startswith("the tight hinge collapsed")
    assert np.abs(scorer.coef_).max() < 0.05


def test_no_signal_is_said() -> None:
    scorer = PartialAUCScorer().fit(np.ones((20, 2)), np.arange(20) % 2)
    assert scorer.warnings_ == ("no direction is better than chance, so every score is the same",)
    assert scorer.decision_function(np.ones((3, 2))).tolist() == [0.0] * 3


@both
def test_too_few_steps_are_said(scorer: PartialAUCScorer) -> None:
    X, y = rows()
    short = PartialAUCScorer(tau=0.05, surrogate=scorer.surrogate, max_iter=2)
    with pytest.warns(ConvergenceWarning, match="not converged after 2 steps"):
        short.fit(X, y)
    assert short.n_iter_ <= 2


def test_a_surrogate_that_does_not_help_is_said() -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 120)
    X = rng.normal(size=(120, 30))
    X[:, :3] += y[:, None]
    scorer = PartialAUCScorer().fit(X, y)
    assert scorer.held_out_.by_tau[scorer.tau_] < scorer.held_out_.logistic
    assert scorer.warnings_ == ("on held-out rows logistic regression had the larger partial area",)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"fpr": (0.3, 0.1)}, "0 <= low < high <= 1"),
        ({"fpr": 0.0}, "0 <= low < high <= 1"),
        ({"surrogate": "tight-hinge"}, r'\'tight-hinge\'.*Fix: use "sigmoid" or "tight_hinge"'),
        ({"tau": -1.0}, "tau must be a positive number"),
        ({"surrogate": "tight_hinge", "C": 0}, "C must be a positive number"),
        ({"surrogate": "tight_hinge", "tol": 0}, "tol must be a positive number"),
        ({"max_iter": 0}, "not a whole number of at least 1"),
        ({"seed": -1}, "not a whole number of at least 0"),
        (
            {"surrogate": "tight_hinge", "fpr": 0.01},
            r"none of 1\d negatives lies entirely in the false-positive rates 0 to 0.01",
        ),
    ],
)
def test_a_wrong_parameter_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        PartialAUCScorer(**wrong).fit(*rows(30))


def test_an_area_bounded_by_both_rates() -> None:
    """x₁ is for the lower half of the positives, which alone count; x₂ is for the others."""
    rng = np.random.default_rng(11)
    y = np.arange(1200) % 2
    kind = rng.random(1200) < 0.5
    X = rng.normal(size=(1200, 2))
    X[:, 0] += np.where((y == 1) & kind, 1.6, 0.0)
    X[:, 1] += np.where((y == 1) & ~kind, 4.0, 0.0)
    box = {"fpr": 0.3, "tpr": 0.6}
    scorer = PartialAUCScorer(**box, tau=0.2).fit(X, y)
    one_way = PartialAUCScorer(fpr=0.3, tau=0.2).fit(X, y)
    areas = [
        rs.partial_auc(y, each.decision_function(X), **box, scale="mean").value
        for each in (scorer, one_way)
    ]
    assert scorer.areas_.partial == pytest.approx(areas[0])
    assert areas[0] >= max(areas[1], scorer.areas_.logistic_partial)
    searched = PartialAUCScorer(**box).fit(X[:300], y[:300])
    assert set(searched.held_out_.by_tau) == {1.0, 0.2, 0.05}
    with pytest.raises(InputError, match="tight hinge is for all"):
        PartialAUCScorer(**box, surrogate="tight_hinge").fit(X, y)
    with pytest.raises(UnsoundError, match="both rates"):
        rs.learners.training_bounds(scorer, X, y)
    bounded = rs.learners.training_bounds({"box": scorer, "range": one_way}, X, y)
    assert bounded["box"].measure == bounded["range"].measure == "AUC"
    same = PartialAUCScorer(fpr=0.3, tpr=(0.0, 1.0), tau=0.2).fit(X, y)
    np.testing.assert_array_equal(same.coef_, one_way.coef_)

"""RankBoost as an estimator: rounds, missing values, weights, what it refuses."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs
from estimator_conventions import with_checks
from rocsolid.errors import InputError, OneClassError
from rocsolid.theory.learners import RankBoost
from rocsolid.theory.learners.boosting import LinearRanker, ThresholdRanker

FLOATS = NDArray[np.float64]
WEAK = ["threshold", "linear"]


def rows(n: int = 200, seed: int = 0) -> tuple[FLOATS, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + y[:, None] * [1.5, 0.5, 0.0], y


def wrong_share(y: NDArray[np.int64], s: FLOATS) -> float:
    """Pairs whose positive is not above its negative."""
    return float(np.mean(s[y == 1][:, None] <= s[y == 0]))


@with_checks([RankBoost(n_rounds=10), RankBoost(weak="linear", n_rounds=10)])
def test_scikit_learn_conventions(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("weak", WEAK)
def test_every_stage_has_the_loss_that_the_fit_kept(weak: Any) -> None:
    X, y = rows()
    scorer = RankBoost(weak=weak, n_rounds=25).fit(X, y)
    assert len(scorer.rankers_) == len(scorer.r_) == len(scorer.alpha_) == 25
    stages = list(scorer.staged_decision_function(X))
    assert [wrong_share(y, s) for s in stages] == pytest.approx(scorer.rank_loss_.tolist())
    np.testing.assert_array_equal(stages[-1], scorer.decision_function(X))
    assert (scorer.rank_loss_ <= scorer.bound_).all()
    assert (scorer.bound_ <= scorer.r_bound_).all()
    assert scorer.score(X, y) == rs.auc(y, stages[-1]).value
    np.testing.assert_allclose(scorer.alpha_, np.arctanh(scorer.r_))


def test_linear_weak_rankers_make_a_linear_score() -> None:
    X, y = rows()
    scorer = RankBoost(weak="linear", n_rounds=60).fit(X, y)
    other = 10 * rows(50, seed=1)[0]  # beyond the range of the training rows as well
    gap = scorer.decision_function(other) - other @ scorer.coef_
    np.testing.assert_allclose(gap, gap[0], atol=1e-9)
    assert not hasattr(RankBoost(n_rounds=2).fit(X, y), "coef_")
    assert not hasattr(scorer.set_params(weak="threshold").fit(X, y), "coef_")


@pytest.mark.parametrize("weak", WEAK)
def test_missing_values_count_as_what_ranks_better(weak: Any) -> None:
    X, y = rows()
    X[:, 2] = np.where(y == 1, np.nan, 0.0)  # being missing is the whole signal
    X[::7, 0] = np.nan
    scorer = RankBoost(weak=weak, n_rounds=5).fit(X, y)
    assert scorer.rankers_[0].feature == 2
    assert scorer.rank_loss_[0] == 0
    assert len(scorer.rankers_) == 1  # it orders all pairs, so there is nothing left to do
    assert scorer.score(X, y) == 1.0


def test_a_missing_value_may_speak_for_either_side() -> None:
    column = np.array([1.0, 2.0, np.nan, np.nan])
    above = ThresholdRanker(0, 1.0, 0.0), ThresholdRanker(0, 1.0, 1.0)
    assert [r.values(column).tolist() for r in above] == [[0, 1, 0, 0], [0, 1, 1, 1]]
    assert LinearRanker(0, 1.0, 2.0, 1.0).values(column).tolist() == [0, 0.5, 1, 1]


@pytest.mark.parametrize("weak", WEAK)
def test_no_signal_is_said(weak: Any) -> None:
    X, y = np.ones((6, 2)), np.array([0, 1] * 3)
    X[:, 1] = np.nan
    scorer = RankBoost(weak=weak).fit(X, y)
    assert scorer.rankers_ == ()
    assert scorer.r_.shape == scorer.bound_.shape == (0,)
    assert scorer.warnings_ == ("no weak ranker is better than chance, so every score is the same",)
    assert scorer.decision_function(X).tolist() == [0.0] * 6
    assert scorer.score(X, y) == 0.5


@pytest.mark.parametrize("weak", WEAK)
def test_a_fit_again_and_a_pickled_one_are_the_same(weak: Any) -> None:
    X, y = rows()
    scorer = RankBoost(weak=weak, n_rounds=20).fit(X, y)
    again = pickle.loads(pickle.dumps(RankBoost(weak=weak, n_rounds=20).fit(X.copy("F"), y)))
    assert again.rankers_ == scorer.rankers_
    np.testing.assert_array_equal(again.decision_function(X), scorer.decision_function(X))


def test_weights_are_those_of_pairs_and_their_scale_is_free() -> None:
    X, y = rows()
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    scorer = RankBoost(n_rounds=15).fit(X, y, sample_weight=weight)
    repeated = RankBoost(n_rounds=15).fit(
        np.repeat(X, weight.astype(int), axis=0), np.repeat(y, weight.astype(int))
    )
    assert scorer.rankers_ == repeated.rankers_
    np.testing.assert_allclose(scorer.rank_loss_, repeated.rank_loss_)
    doubled = RankBoost(n_rounds=15).fit(X, y, sample_weight=2 * weight)
    assert doubled.rankers_ == scorer.rankers_


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"weak": "treshold"}, r'treshold.*Fix: use "threshold" or "linear"'),
        ({"weak": None}, 'unknown weak: None.*Fix: use "threshold" or "linear"'),
        ({"n_rounds": 0}, r"not a whole number of at least 1: 0 \(n_rounds\)"),
        ({"n_rounds": 2.5}, r"not a whole number of at least 1: 2\.5 \(n_rounds\)"),
    ],
)
def test_a_wrong_parameter_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RankBoost(**wrong).fit(*rows())


def test_wrong_rows_are_refused() -> None:
    X, y = rows()
    with pytest.raises(OneClassError, match="one class only"):
        RankBoost().fit(X, np.ones(len(y)))
    with pytest.raises(InputError, match=r"feature 1 runs from -1e\+308 to 1e\+308"):
        RankBoost(weak="linear").fit(np.array([[0.0, -1e308], [1.0, 1e308]]), [0, 1])

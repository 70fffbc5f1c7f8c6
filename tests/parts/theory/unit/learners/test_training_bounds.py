"""Bounds from the training rows: which apply, that they are the guarantees', that they say so."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier

import rocsolid as rs
from rocsolid.theory.learners import AUCLeastSquares, PartialAUCScorer, RankBoost, training_bounds
from rocsolid.theory.learners.certificate.training_rows import dictionary_size, votes_of

RNG = np.random.default_rng(0)
Y = np.arange(3000) % 2
X = np.clip(RNG.normal(size=(3000, 2)) / 10 + 0.4 + 0.15 * Y[:, None], 0.0, 1.0)
RADIUS = math.sqrt(2.0)


def test_a_linear_scorer_has_the_bounds_of_linear_scorers() -> None:
    scorer = AUCLeastSquares().fit(X, Y)
    found = training_bounds(scorer, X, Y, radius=RADIUS)
    names = ["rank-shatter", "Freund et al.", "block-VC", "Rademacher margin", "PAC-Bayes-kl"]
    assert [bound.method for bound in found.bounds] == names
    value, share = rs.auc(Y, scorer.decision_function(X)).value, 0.05 / 5
    assert found.value == pytest.approx(value)
    linear = rs.theory.guarantees.Linear(2)
    for method in ("rank_shatter", "freund", "blocks"):
        bound = getattr(rs.theory.guarantees, f"uniform_{method}")
        expected = bound(found.value, 1500, 1500, linear, share, "greater")
        assert found[expected.interval.method].low == expected.interval.low
    bayes = rs.theory.guarantees.pac_bayes(scorer.coef_, X[Y == 1], X[Y == 0], share)
    assert found["PAC-Bayes-kl"].low == bayes.interval.low
    assert found["PAC-Bayes-kl"].randomised
    assert found.best.method == "block-VC"
    assert found["block-VC"].verdict == "better than chance"
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    with pytest.raises(KeyError):
        _ = found["hinge"]


def test_what_is_not_known_is_left_out_and_said() -> None:
    found = training_bounds(AUCLeastSquares().fit(X, Y), X, Y)
    assert set(found.left_out) == {"Rademacher margin", "stability"}
    assert "left out, it needs radius" in str(found)
    with pytest.raises(rs.InputError, match="contain every possible row"):
        training_bounds(AUCLeastSquares().fit(X, Y), X, Y, radius=0.1)


def test_vacuous_bounds_are_called_so() -> None:
    found = training_bounds(AUCLeastSquares().fit(X[:60], Y[:60]), X[:60], Y[:60], radius=RADIUS)
    assert found["rank-shatter"].vacuous
    assert found["rank-shatter"].low == 0.0
    assert "rank-shatter: at least 0.0000, vacuous" in str(found)
    assert found["block-VC"].verdict == "not better than chance"


def test_any_linear_scorer_will_do() -> None:
    expected = training_bounds(AUCLeastSquares().fit(X, Y), X, Y)["block-VC"].low
    named = np.where(Y == 1, "ill", "well")  # the positive class is the first
    model = LogisticRegression(C=100).fit(X, named)
    found = training_bounds(model, scipy.sparse.csr_array(X), named, pos_label="ill")
    assert found["block-VC"].low == pytest.approx(expected, abs=0.01)
    ridge = training_bounds(Ridge().fit(X, Y), X, Y)
    assert ridge["block-VC"].low == pytest.approx(expected, abs=0.01)


def test_votes_pay_for_the_dictionary_or_for_the_margin() -> None:
    scorer = RankBoost(n_rounds=5).fit(X, Y)
    found = training_bounds(scorer, X, Y)
    assert [b.method for b in found.bounds] == ["rank-shatter", "block-VC", "Rademacher margin"]
    assert found.value == pytest.approx(rs.auc(Y, scorer.decision_function(X)).value)
    size = dictionary_size(2, 2 * 1500)
    assert size == 2 * 2 * 3001
    patterns = votes_of(2, 5).log_sign_patterns(1500)
    linear = rs.theory.guarantees.Linear(5).log_sign_patterns(1500)
    assert patterns == pytest.approx(math.log(math.comb(size, 5)) + linear)
    assert patterns <= 5 * math.log(size) + linear
    # the counts grow with the rounds, the margin's price does not
    more = training_bounds(RankBoost(n_rounds=50).fit(X, Y), X, Y)
    assert more["block-VC"].low < found["block-VC"].low
    deviation = [b["Rademacher margin"].value - b["Rademacher margin"].low for b in (found, more)]
    assert all(0 < d < 2 for d in deviation)
    assert training_bounds(RankBoost(weak="linear", n_rounds=20).fit(X, Y), X, Y).best


def test_the_partial_area_has_corollary_4() -> None:
    scorer = PartialAUCScorer(fpr=0.2, tau=0.2).fit(X, Y)
    without = training_bounds(scorer, X, Y)
    assert without.measure == "partial_auc(fpr<=0.2)"
    assert set(without.left_out) == {"weighted-corollary-4"}
    found = training_bounds(scorer, X, Y, radius=RADIUS)
    assert found["weighted-corollary-4"].verdict == "vacuous"
    value = rs.partial_auc(Y, scorer.decision_function(X), fpr=0.2).value
    assert found.value == pytest.approx(value)
    assert found["weighted-corollary-4"].value <= found.value
    expected = rs.theory.guarantees.weighted_uniform_curve(
        found.value,
        1500,
        1500,
        rs.weights.step(0, 0.2),
        rs.theory.guarantees.Linear(2),
        0.025,
        "greater",
    )
    assert found["weighted-uniform, dichotomies"].low == expected.interval.low


def test_corollary_4_says_something_from_very_many_rows() -> None:
    """The limit that it approaches, with the sizes alone raised."""
    radius, width = RADIUS, RADIUS / 2
    between = rs.weights.ramp(0.0, 0.2, 10.0, side="below")
    many = 10**12
    g = rs.theory.guarantees.gaussian_radius(1.0, radius, 2 * many)
    found = rs.theory.guarantees.weighted_corollary_4(
        0.05, many, many, between, between, rs.weights.step(0, 0.2),
        rs.weights.losses.ramp(width), g, 0.05,
    )  # fmt: skip
    assert 0.04 < found.interval.low < 0.05


@pytest.mark.parametrize(
    ("scorer", "said"),
    [
        (KNeighborsClassifier().fit(X, Y), "no training-set bound is known"),
        (SimpleNamespace(coef_=np.zeros(2)), "rank nothing"),
        (SimpleNamespace(coef_=np.ones(3)), "has 3 weights, and X has 2 features"),
    ],
)
def test_what_is_wrong_is_said(scorer: object, said: str) -> None:
    with pytest.raises(rs.RocsolidError, match=said):
        training_bounds(scorer, X, Y)


def test_rows_must_be_whole() -> None:
    scorer = AUCLeastSquares().fit(X, Y)
    holes = X.copy()
    holes[0, 0] = np.nan
    with pytest.raises(rs.InputError, match="scores are not linear"):
        training_bounds(scorer, holes, Y)
    with pytest.raises(rs.OneClassError, match="one class only"):
        training_bounds(scorer, X, np.ones(3000))
    with pytest.raises(rs.InputError, match="differ in length"):
        training_bounds(scorer, X, Y[:10])
    with pytest.raises(rs.InputError, match="one row per case"):
        training_bounds(scorer, X[:, 0], Y)

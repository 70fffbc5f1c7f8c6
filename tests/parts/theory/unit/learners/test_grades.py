"""Learning from ordered grades without queries, and bounds of the trained scorer."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

import rocsolid as rs
from rocsolid.errors import InputError, UnsoundError
from rocsolid.theory.learners import (
    AUCLeastSquares,
    ListNet,
    PartialAUCScorer,
    RankBoost,
    RankSVM,
    fit_certify,
    training_bounds,
)
from rocsolid.theory.learners.boosting import LinearRankers, ThresholdRankers, boost
from rocsolid.theory.learners.certificate.training import KNOWN_SHARES

FLOATS = NDArray[np.float64]
LEARNERS = [
    RankSVM(), RankSVM(kernel="rbf", landmarks=40), RankBoost(n_rounds=20),
    RankBoost(weak="linear", n_rounds=40), AUCLeastSquares(), ListNet(),
]  # fmt: skip


def rows(n: int = 240, grades: int = 4, seed: int = 0) -> tuple[FLOATS, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, grades, n)
    X = np.column_stack([y + rng.normal(size=n), -y + 2 * rng.normal(size=n), rng.normal(size=n)])
    return X, y


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_every_learner_of_pairs_takes_grades(learner: Any) -> None:
    X, y = rows()
    scorer = learner.fit(X[:160], 2 * y[:160] - 3)
    assert scorer.classes_.tolist() == [-3, -1, 1, 3]
    assert scorer.intercept_ == 0.0
    assert not hasattr(scorer, "predict")
    assert rs.concordance(y[160:], scorer.decision_function(X[160:])).value > 0.78


@pytest.mark.parametrize("learner", [RankSVM(), AUCLeastSquares(), ListNet()])
def test_classes_with_names_have_no_order(learner: Any) -> None:
    X, y = rows()
    names = np.array(["low", "middle", "high", "top"])
    with pytest.raises(InputError, match="Only binary classification"):
        learner.fit(X, names[y])


def test_a_partial_area_is_for_two_classes() -> None:
    X, y = rows()
    with pytest.raises(InputError, match=r"Only binary.*numbers as ordered grades with RankBoost"):
        PartialAUCScorer().fit(X, y)


@pytest.mark.parametrize("ranker", [RankSVM, ListNet])
def test_one_query_is_no_query(ranker: Any) -> None:
    X, y = rows()
    alone, together = ranker().fit(X, y), ranker().fit(X, y, qid=np.zeros(len(y)))
    np.testing.assert_array_equal(alone.coef_, together.coef_)


@pytest.mark.parametrize("weighted", [False, True])
def test_least_squares_are_those_of_all_pairs(weighted: bool) -> None:
    X, y = rows(60)
    weight = np.random.default_rng(1).integers(0, 4, 60) if weighted else np.ones(60)
    pairs = [(i, j) for i in range(60) for j in range(60) if y[i] > y[j] and weight[i] * weight[j]]
    gap = np.array([X[i] - X[j] for i, j in pairs])
    share = np.array([weight[i] * weight[j] for i, j in pairs], float)
    share /= share.sum()
    expected = np.linalg.solve((gap.T * share) @ gap + 0.1 * np.eye(3), share @ gap)
    for features in (X, csr_array(X)):
        scorer = AUCLeastSquares(alpha=0.1).fit(features, y, sample_weight=weight)
        np.testing.assert_allclose(scorer.coef_, expected, rtol=1e-8)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6), sizes=st.lists(st.integers(1, 5), min_size=2, max_size=4),
    linear=st.booleans(),
)  # fmt: skip
def test_every_round_of_boosting_is_that_of_the_pairs(
    seed: int, sizes: list[int], linear: bool
) -> None:
    """Freund et al. 2003, figure 1: one weight a pair, renormalised by Z in every round."""
    rng = np.random.default_rng(seed)
    grade = np.repeat(np.arange(len(sizes))[::-1], sizes)
    features, weight = rng.normal(size=(len(grade), 2)).round(1), rng.integers(1, 4, len(grade))
    kind = LinearRankers if linear else ThresholdRankers
    made = boost(kind(np.asfortranarray(features)), sizes, weight.astype(float), 5)
    start = np.where(grade[:, None] > grade, np.outer(weight, weight), 0.0)
    start /= start.sum()
    pairs, score, product = start.copy(), np.zeros(len(grade)), 1.0
    for t, ranker in enumerate(made.rankers):
        h = ranker.values(features[:, ranker.feature])
        gap = h[:, None] - h
        r = float((pairs * gap).sum())
        assert made.r[t] == pytest.approx(r, abs=1e-7)
        pairs = pairs * np.exp(-made.alpha[t] * gap)
        product *= float(pairs.sum())
        pairs /= pairs.sum()
        score += made.alpha[t] * h
        assert made.bound[t] == pytest.approx(product, rel=1e-9)
        wrong = start[score[:, None] <= score].sum()
        assert made.rank_loss[t] == pytest.approx(wrong, abs=1e-12)
        assert made.rank_loss[t] <= made.bound[t] * (1 + 1e-9) <= made.r_bound[t] * (1 + 1e-8)


def test_grades_without_weight_are_refused() -> None:
    X, y = rows()
    with pytest.raises(rs.OneClassError, match="a class has no weight"):
        RankBoost().fit(X, y, sample_weight=y != 2)


@pytest.mark.parametrize("measure", ["concordance", "vus"])
def test_fit_and_certify(measure: str) -> None:
    X, y = rows(600, grades=3)
    fitted = fit_certify(AUCLeastSquares(), X, y, measure=measure, seed=3)
    held = fitted.held_out
    scores = fitted.scorer.decision_function(X[held])
    expected = rs.concordance(y[held], scores, scale=measure, alternative="greater")
    assert fitted.certificate.low == expected.certified.low
    shares = [np.bincount(y[part]) / len(part) for part in (fitted.fitted, held)]
    np.testing.assert_allclose(*shares, atol=0.01)  # every grade is divided
    again = rs.certify(fitted.scorer, X[held], y[held], measure=measure)
    assert again.low == fitted.certificate.low
    assert again.independence.startswith("checked")
    with pytest.raises(UnsoundError, match="fitted on"):
        rs.certify(fitted.scorer, X[fitted.fitted], y[fitted.fitted], measure=measure)


def test_a_grade_of_one_row_cannot_be_divided() -> None:
    X, y = rows(40, grades=3)
    y[y == 1] = 2
    y[0] = 1
    with pytest.raises(rs.OneClassError, match="1 grade-1 rows"):
        fit_certify(AUCLeastSquares(), X, y, measure="concordance")


def test_bounds_of_grades_are_means_over_pairs_of_grades() -> None:
    X, y = rows(3000, grades=3)
    scorer = AUCLeastSquares().fit(X, y)
    bounds = training_bounds(scorer, X, y)
    scores = scorer.decision_function(X)
    assert bounds.measure == "concordance"
    assert bounds.value == pytest.approx(rs.concordance(y, scores).value, abs=1e-12)
    low, pairs, methods = 0.0, 0, {bound.method for bound in bounds.bounds}
    for i, j in combinations(range(3), 2):
        own = (y == i) | (y == j)
        k, size = min(np.sum(y == i), np.sum(y == j)), np.sum(y == i) * np.sum(y == j)
        # every bound of a pair of grades has a third of a third of the error
        part = rs.auc(y[own] == j, scores[own]).value
        regions = math.log(2 * sum(math.comb(k - 1, count) for count in range(3)))
        low += size * max(0.0, part - math.sqrt(2 * (regions + math.log(9 / 0.05)) / k))
        pairs += size
    assert bounds["block-VC"].low == pytest.approx(low / pairs, abs=1e-9)
    assert KNOWN_SHARES in bounds["block-VC"].interval.assumptions
    assert methods == {"rank-shatter", "Freund et al.", "block-VC"}
    assert "pairs of grades" in bounds.left_out["PAC-Bayes-kl"]
    assert bounds.best.method == "block-VC"


def test_models_of_grades_are_compared_by_bounds_and_on_new_rows() -> None:
    X, y = rows(2000, grades=3)
    new_X, new_y = rows(900, grades=3, seed=1)
    models = {"squares": AUCLeastSquares().fit(X, y), "boost": RankBoost(n_rounds=3).fit(X, y)}
    ranked = training_bounds(models, X, y, new_rows=(new_X, new_y))
    assert ranked.measure == "concordance"
    assert ranked["squares"].level == pytest.approx(0.975)
    expected = rs.learners.certify_grid(models, new_X, new_y, measure="concordance")
    assert ranked.new_rows.certificates["boost"].low == expected["boost"].low
    two = PartialAUCScorer(fpr=0.3).fit(X, y > 1)
    with pytest.raises(UnsoundError, match="two classes"):
        training_bounds(two, X, y)

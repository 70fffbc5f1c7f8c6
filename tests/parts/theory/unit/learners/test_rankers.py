"""RankSVM and ListNet with queries."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from numpy.typing import NDArray
from sklearn.metrics import make_scorer
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocsolid as rs
from rocsolid.errors import InputError, OneClassError
from rocsolid.theory.learners import ListNet, RankSVM

RANKERS = [RankSVM, ListNet]
rankers = pytest.mark.parametrize("ranker", RANKERS)
FLOATS = NDArray[np.float64]
Queries = tuple[FLOATS, NDArray[np.int64], NDArray[np.str_]]


def queries(n: int = 30, size: int = 8) -> Queries:
    """Documents whose first feature tells the grade, on a level of its own for each query."""
    rng = np.random.default_rng(5)
    grade = rng.integers(0, 3, n * size)
    qid = np.repeat([f"q{i}" for i in range(n)], size)
    level = np.repeat(rng.normal(scale=20, size=n), size)
    X = np.column_stack([grade + level + rng.normal(scale=0.5, size=n * size), level])
    return X, grade, qid


@rankers
def test_pairs_are_compared_within_queries(ranker: type[RankSVM | ListNet]) -> None:
    X, y, qid = queries()
    scorer = ranker().fit(X, y, qid=qid)
    assert rs.ndcg(y, scorer.decision_function(X), qid=qid).value > 0.95
    # the level of a query tells nothing about its documents
    np.testing.assert_allclose(scorer.fit(X + 100.0, y, qid=qid).coef_, scorer.coef_, atol=1e-5)


@rankers
def test_the_order_of_the_rows_does_not_matter(ranker: type[RankSVM | ListNet]) -> None:
    X, y, qid = queries()
    mixed = np.random.default_rng(6).permutation(len(y))
    coef = ranker(tol=1e-9).fit(X, y, qid=qid).coef_
    np.testing.assert_allclose(
        ranker(tol=1e-9).fit(X[mixed], y[mixed], qid=qid[mixed]).coef_, coef, atol=1e-6
    )


@rankers
def test_one_query_of_two_grades_is_the_fit_of_two_classes(ranker: type[RankSVM | ListNet]) -> None:
    X, y, _ = queries()
    alone, together = ranker().fit(X, y > 1), ranker().fit(X, y > 1, qid=np.zeros(len(y)))
    np.testing.assert_array_equal(together.coef_, alone.coef_)
    assert together.intercept_ == alone.intercept_


@rankers
def test_more_than_two_grades_have_no_threshold(ranker: type[RankSVM | ListNet]) -> None:
    X, y, qid = queries()
    scorer = ranker().fit(X, y, qid=qid)
    assert scorer.classes_.tolist() == [0, 1, 2]
    assert scorer.intercept_ == 0
    with pytest.raises(AttributeError) as caught:
        scorer.predict(X)
    assert "fitted on 3 grades" in str(caught.value.__cause__)
    assert not hasattr(scorer, "score")


@rankers
def test_queries_must_fit_the_rows(ranker: type[RankSVM | ListNet]) -> None:
    X, y, qid = queries()
    with pytest.raises(InputError, match="qid"):
        ranker().fit(X, y, qid=qid[:-1])
    with pytest.raises(InputError, match="missing value"):
        ranker().fit(X, y, qid=[None, *qid[1:]])
    with pytest.raises(ValueError, match="could not convert string to float"):
        ranker().fit(X, np.where(y > 0, "good", "bad"), qid=qid)


def test_queries_of_one_grade_are_skipped_and_said() -> None:
    X, y, qid = queries(n=4)
    y[:8] = 1
    scorer = RankSVM().fit(X, y, qid=qid)
    assert scorer.n_queries_skipped_ == 1
    assert scorer.warnings_ == (
        "1 of 4 queries hold documents of one grade only and were skipped, the first of them 'q0'",
    )
    rest = RankSVM().fit(X[8:], y[8:], qid=qid[8:])
    assert rest.warnings_ == ()
    np.testing.assert_allclose(rest.coef_, scorer.coef_, atol=1e-4)
    assert rest.n_pairs_ == scorer.n_pairs_
    with pytest.raises(OneClassError, match="no query has documents of two grades"):
        RankSVM().fit(X, np.ones(len(y)), qid=qid)


def test_lists_of_one_document_are_said() -> None:
    X, y, qid = queries(n=4)
    qid[0] = "a"
    assert ListNet().fit(X, y, qid=qid).warnings_ == (
        "1 of 5 queries have one document only, which teaches nothing, the first of them 'a'",
    )
    with pytest.raises(InputError, match="every query has one document only"):
        ListNet().fit(X, y, qid=np.arange(len(y)))


def test_grades_count_by_their_order_within_the_query_alone() -> None:
    X, y, qid = queries()
    stretched = 10.0**y + np.unique(qid, return_inverse=True)[1]
    np.testing.assert_array_equal(
        RankSVM().fit(X, stretched, qid=qid).coef_, RankSVM().fit(X, y, qid=qid).coef_
    )


@rankers
def test_far_out_rows_do_not_disturb_the_sums(ranker: type[RankSVM | ListNet]) -> None:
    X, y, qid = queries()
    X[y == 0] -= [1e6, 0]
    scorer = ranker().fit(X, y, qid=qid)
    assert rs.grouped_auc(y, scorer.decision_function(X), qid=qid).value == 1.0


def test_speed_does_not_depend_on_the_units_of_the_features() -> None:
    X, y, qid = queries()
    assert RankSVM(C=1e3).fit(X * [1e4, 1e-4], y, qid=qid).n_iter_ < 30


@rankers
def test_queries_are_routed_through_cross_validation(ranker: type[RankSVM | ListNet]) -> None:
    X, y, qid = queries()

    def ndcg(y_true: FLOATS, scores: FLOATS, qid: NDArray[np.str_]) -> float:
        return rs.ndcg(y_true, scores, qid=qid).value

    with sklearn.config_context(enable_metadata_routing=True):
        found = cross_validate(
            make_pipeline(StandardScaler(), ranker().set_fit_request(qid=True)),
            X,
            y,
            cv=GroupKFold(3),
            scoring=make_scorer(ndcg, response_method="decision_function").set_score_request(
                qid=True
            ),
            params={"qid": qid, "groups": qid},
            return_estimator=True,
        )
    assert found["test_score"].min() > 0.95
    assert all(len(pipeline[-1].classes_) == 3 for pipeline in found["estimator"])

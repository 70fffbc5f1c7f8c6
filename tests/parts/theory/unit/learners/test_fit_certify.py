"""Fit on one part, certify on the other, and choose parameters by the certificate."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocsolid as rs
from rocsolid.theory.learners import certify, certify_grid, fit_certify

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 300)
X = RNG.normal(size=(300, 3)) + Y[:, None]


def test_it_is_a_fit_and_a_certificate_on_other_rows() -> None:
    estimator = LogisticRegression()
    found = fit_certify(estimator, X, Y, seed=3)
    assert not hasattr(estimator, "coef_")  # a copy was fitted
    assert sorted([*found.fitted, *found.held_out]) == list(range(300))
    again = LogisticRegression().fit(X[found.fitted], Y[found.fitted])
    alone = certify(again, X[found.held_out], Y[found.held_out])
    assert (found.certificate.value, found.certificate.low) == (alone.value, alone.low)
    assert found.certificate.scores == alone.scores
    assert "fitted on 150 of 300 rows" in found.certificate.independence
    assert str(found) == str(found.certificate)
    assert json.loads(json.dumps(found.to_dict()))["n_fitted"] == 150
    assert np.array_equal(fit_certify(estimator, X, Y, seed=3).fitted, found.fitted)
    assert not np.array_equal(fit_certify(estimator, X, Y, seed=4).fitted, found.fitted)
    assert len(fit_certify(estimator, X, Y, split=0.8).fitted) == 240


def test_both_parts_have_both_classes() -> None:
    rare = np.zeros(100, dtype=int)
    rare[:2] = 1
    found = fit_certify(LogisticRegression(), X[:100], rare)
    assert rare[found.fitted].sum() == rare[found.held_out].sum() == 1
    with pytest.raises(rs.OneClassError, match="1 positive rows, and both parts need one"):
        fit_certify(LogisticRegression(), X[:100], np.arange(100) == 0)


def test_select_takes_the_best_limit_and_pays_for_it() -> None:
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {
        "logisticregression__C": [1e-4, 1.0],
        "logisticregression__fit_intercept": [True, False],
    }
    found = fit_certify(scaled, X, Y, select=grid)
    assert found.grid is not None
    assert found.certificate.candidates == len(found.grid) == 4
    assert found.certificate.low == max(one.low for one in found.grid.certificates.values())
    assert (
        found.scorer.get_params()["logisticregression__C"]
        == (found.parameters["logisticregression__C"])
    )
    models = {
        name: make_pipeline(StandardScaler(), LogisticRegression(C=c, fit_intercept=fit)).fit(
            X[found.fitted], Y[found.fitted]
        )
        for name, c, fit in (
            ("a", 1e-4, True), ("b", 1e-4, False), ("c", 1.0, True), ("d", 1.0, False)
        )
    }  # fmt: skip
    by_hand = certify_grid(models, X[found.held_out], Y[found.held_out])
    assert by_hand.certificate.low == found.certificate.low
    assert "chosen: logisticregression__C" in str(found)
    listed = fit_certify(scaled, X, Y, select=[{"logisticregression__C": 1.0}])
    assert listed.parameters == {"logisticregression__C": 1.0}
    for wrong in ([], {"C": []}, {"C": "abc"}, [{"C": 1}, {"C": 1}]):
        with pytest.raises(rs.InputError, match=r"select|settings"):
            fit_certify(scaled, X, Y, select=wrong)  # type: ignore[arg-type]


def test_groups_stay_together() -> None:
    patient = np.repeat(np.arange(60), 5)
    found = fit_certify(LogisticRegression(), X, Y, cluster=patient, design="fixed")
    assert not set(patient[found.fitted]) & set(patient[found.held_out])
    assert found.certificate.bound == "clustered"
    grade = RNG.integers(0, 3, 300)
    lists = fit_certify(
        rs.learners.ListNet(), X + grade[:, None], grade, qid=patient, measure="ndcg@5"
    )
    assert not set(patient[lists.fitted]) & set(patient[lists.held_out])
    assert lists.certificate.counts["n_queries"] <= 30
    with pytest.raises(rs.InputError, match="query of each row"):
        fit_certify(LogisticRegression(), X, grade, measure="ndcg@5")
    with pytest.raises(rs.InputError, match="one group only"):
        fit_certify(LogisticRegression(), X, Y, cluster=np.zeros(300))


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(X, index=np.arange(300)[::-1]),
        scipy.sparse.csr_array(X),
        scipy.sparse.coo_array(X),
        X.tolist(),
        pl.DataFrame(X),
    ],
    ids=["pandas", "csr", "coo", "lists", "polars"],
)
def test_tables_of_every_kind(table: Any) -> None:
    expected = fit_certify(LogisticRegression(), X, Y)
    found = fit_certify(LogisticRegression(), table, Y.tolist())
    assert found.certificate.value == pytest.approx(expected.certificate.value)
    assert found.certificate.data == expected.certificate.data


def test_twins_in_both_parts_are_said() -> None:
    twice = np.vstack([X[:100], X[:100]])
    found = fit_certify(LogisticRegression(), twice, np.tile(Y[:100], 2))
    assert "have the features of a training row" in found.certificate.warnings[0]
    assert not fit_certify(LogisticRegression(), X, Y).certificate.warnings


def test_weights_reach_the_fit_and_the_bound() -> None:
    weight = np.where(X[:, 0] > 0, 5.0, 1.0)
    found = fit_certify(LogisticRegression(), X, Y, sample_weight=weight, design="fixed")
    at = found.fitted
    expected = LogisticRegression().fit(X[at], Y[at], sample_weight=weight[at])
    assert np.allclose(found.scorer.coef_, expected.coef_)
    assert found.certificate.bound == "weighted"

    class NoWeights(LogisticRegression):
        def fit(self, X: Any, y: Any) -> Any:  # type: ignore[override]
            return super().fit(X, y)

    with pytest.raises(rs.InputError, match="takes no sample_weight"):
        fit_certify(NoWeights(), X, Y, sample_weight=weight)


@pytest.mark.parametrize(
    ("estimator", "more", "said"),
    [
        (LogisticRegression, {}, "not an estimator"),
        (lambda x: x, {}, "not an estimator"),
        (LogisticRegression(), {"split": 1.0}, "strictly between 0 and 1"),
        (LogisticRegression(), {"measure": "acu"}, "unknown measure"),
    ],
)
def test_what_is_wrong_is_said(estimator: Any, more: dict[str, Any], said: str) -> None:
    with pytest.raises(rs.InputError, match=said):
        fit_certify(estimator, X, Y, **more)
    with pytest.raises(rs.InputError, match="differ in length"):
        fit_certify(LogisticRegression(), X[:10], Y)

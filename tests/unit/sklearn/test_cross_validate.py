"""Cross-validation of estimators: fitted once, scored as scikit-learn scores, repeats, order."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RepeatedStratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier

import rocsolid as rs
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.estimate_options import picked
from rocsolid.sklearn import best_score, cross_validate, scorer

FITS: list[int] = []


class Counted(ClassifierMixin, BaseEstimator):
    """A logistic regression that counts its fits, with probabilities only."""

    def fit(self, x: Any, y: Any) -> Counted:
        FITS.append(len(y))
        self.inner_ = LogisticRegression().fit(x, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict_proba(self, x: Any) -> Any:
        return self.inner_.predict_proba(x)


def data(n: int = 200) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    y = (rng.random(n) < 0.35).astype(int)
    return rng.normal(size=(n, 3)) + y[:, None], y


@pytest.mark.parametrize("model", [LogisticRegression(), KNeighborsClassifier(15)])
def test_the_mean_is_that_of_cross_val_score(model: Any) -> None:
    x, y = data()
    theirs = cross_val_score(model, x, y, cv=5, scoring="roc_auc")
    found = cross_validate(model, x, y, cv=5)
    assert found.estimate.value == pytest.approx(theirs.mean(), abs=1e-12)
    assert sorted(found.row) == list(range(200))
    assert str(found) == str(found.estimate)
    again = rs.cross_validated(found.y, found.scores, fold=found.fold)
    assert again.interval == found.estimate.interval


def test_fitted_once_a_fold() -> None:
    FITS.clear()
    x, y = data()
    found = cross_validate(Counted(), x, y, cv=4)
    assert FITS == [150] * 4
    assert len(found.estimate.folds) == 4


@pytest.mark.parametrize("turned", [False, True])
def test_labels_of_any_name(turned: bool) -> None:
    x, y = data()
    names = np.where(y == 1, "a", "b") if turned else np.where(y == 1, "b", "a")
    given = {"pos_label": "a"} if turned else {}
    for model in (LogisticRegression(), Counted()):
        found = cross_validate(model, x, names, cv=5, **given).estimate
        assert found.value == pytest.approx(cross_validate(model, x, y, cv=5).estimate.value)


def test_repeats_and_groups() -> None:
    x, y = data()
    splits = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1)
    found = cross_validate(LogisticRegression(), x, y, cv=splits)
    assert found.estimate.settings["repeats"] == 3
    assert found.estimate.settings["clusters"] == 200
    assert found.estimate.certified is None
    groups = np.arange(200) // 4
    grouped = cross_validate(LogisticRegression(), x, y, cv=GroupKFold(5), groups=groups)
    assert grouped.estimate.settings["clusters"] == 50


def test_progressive_where_it_is() -> None:
    x, y = data(400)
    found = cross_validate(LogisticRegression(), x, y, cv=TimeSeriesSplit(5)).estimate
    assert found.settings["order"] == "progressive"
    assert found.certified is not None
    assert found.certified.method == "progressive validation"
    assert cross_validate(LogisticRegression(), x, y, cv=5).estimate.settings["order"] == "any"


def test_scorers_are_those_of_scikit_learn_and_more() -> None:
    x, y = data()
    model = LogisticRegression()
    theirs = cross_val_score(model, x, y, cv=4, scoring="roc_auc")
    ours = cross_val_score(model, x, y, cv=4, scoring=scorer("auc"))
    assert ours == pytest.approx(theirs, abs=1e-12)
    chosen = scorer("partial_auc(fpr<=.1)")
    search = GridSearchCV(model, {"C": [0.01, 1.0]}, scoring=chosen, cv=4).fit(x, y)
    held = chosen(search, x, y)
    table = {"y": y, "s": search.decision_function(x)}
    asked = rs.evaluate(table, label="y", scores="s", measures="partial_auc(fpr<=.1)")
    assert held == pytest.approx(asked.results[0].value)
    names = np.where(y == 1, "a", "b")
    turned = cross_val_score(model, x, names, cv=4, scoring=scorer("auc", pos_label="a"))
    assert turned == pytest.approx(theirs, abs=1e-9)


def test_a_lower_limit_is_a_scorer() -> None:
    x, y = data()
    model = LogisticRegression().fit(x, y)
    lower = scorer("auc", lower_limit=0.9)
    expected = rs.auc(y, model.decision_function(x), level=0.9, alternative="greater")
    assert lower(model, x, y) == expected.low
    two_sided = rs.auc(y, model.decision_function(x), level=0.8)
    assert lower(model, x, y) == pytest.approx(two_sided.low, abs=0.01)
    names = np.where(y == 1, "a", "b")
    named = LogisticRegression().fit(x, names)
    of_a = scorer("auc", lower_limit=0.9, pos_label="a")
    assert of_a(named, x, names) == pytest.approx(expected.low, abs=1e-6)
    search = GridSearchCV(model, {"C": [0.01, 1.0]}, scoring=lower, cv=4).fit(x, y)
    assert search.best_score_ < cross_val_score(model, x, y, cv=4, scoring="roc_auc").mean()
    with pytest.raises(InputError, match="level"):
        scorer("auc", lower_limit=95)


def test_three_classes_are_refused() -> None:
    x, _ = data()
    with pytest.raises(InputError, match="two classes"):
        cross_validate(LogisticRegression(), x, np.arange(200) % 3, cv=4)


@pytest.mark.parametrize("repeats", [1, 2])
def test_the_best_score_of_a_search_is_corrected(repeats: int) -> None:
    x, y = data()
    splits = RepeatedStratifiedKFold(n_splits=4, n_repeats=repeats, random_state=1)
    settings = {"n_neighbors": [1, 9, 31, 500]}  # the last one fails: there are 150 rows
    search = GridSearchCV(
        KNeighborsClassifier(), settings, scoring={"a": scorer("auc")}, refit="a", cv=splits
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(x, y)
    found = best_score(search, level=0.9)
    assert found.name == str(search.best_params_)
    assert found.value == pytest.approx(search.best_score_)
    assert found.low < found.high
    assert found.level == 0.9
    folds = np.array([search.cv_results_[f"split{k}_test_a"][:3] for k in range(4 * repeats)])
    covariance = np.cov(folds.T) * (1 / (4 * repeats) + 1 / 3)
    alike = picked(
        ["1", "9", "31"], folds.mean(axis=0), covariance, 4 * repeats - 1, 0.9, logits=True
    )
    assert (found.low, found.high) == pytest.approx((alike.low, alike.high))


def test_a_best_lower_limit_is_not_called_a_value() -> None:
    x, y = data()
    model, settings = KNeighborsClassifier(), {"n_neighbors": [9, 31]}
    limit = scorer("auc", lower_limit=0.95)
    for scoring, refit in ((limit, True), ({"a": limit, "b": scorer("auc")}, "a")):
        search = GridSearchCV(model, settings, scoring=scoring, refit=refit, cv=4).fit(x, y)
        assert "has the highest lower 95 % limit of auc, 0." in str(best_score(search))
    for scoring, refit in (("roc_auc", True), ({"a": limit, "b": scorer("auc")}, "b")):
        search = GridSearchCV(model, settings, scoring=scoring, refit=refit, cv=4).fit(x, y)
        assert "has the highest value, 0." in str(best_score(search))


def test_a_best_score_that_is_refused() -> None:
    x, y = data()
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=StratifiedShuffleSplit(4))
    with pytest.raises(NotFittedError):
        best_score(search)
    with pytest.raises(UnsoundError, match="test each row once"):
        best_score(search.fit(x, y))
    search.set_params(scoring=["roc_auc", "accuracy"], refit=False, cv=4)
    with pytest.raises(InputError, match="one of its scores"):
        best_score(search.fit(x, y))

"""Certificates of what is trained here: scorers remember the rows of their fit."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocsolid as rs
from rocsolid.theory.learners import certify

Numbers = NDArray[np.float64]


def rows(n: int = 400, seed: int = 0, d: int = 3) -> tuple[Numbers, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    y[:4] = 0, 1, 0, 1
    return rng.normal(size=(n, d)) + y[:, None], y


X, Y = rows()
FIT, NEW = slice(0, 200), slice(200, 400)
LOGISTIC = LogisticRegression().fit(X[FIT], Y[FIT])


def test_candidates_cost_what_a_union_bound_on_kl_costs() -> None:
    scores = LOGISTIC.decision_function(X[NEW])
    kl = certify(scores, y=Y[NEW], bound="kl", candidates=20)
    k = min(Y[NEW].sum(), len(Y[NEW]) - Y[NEW].sum())
    occam = rs.theory.guarantees.occam_kl(kl.value, int(k), int(k), 1 / 20, 0.05, "greater")
    assert kl.low == pytest.approx(occam.low, abs=1e-9)


def test_learners_remember_their_rows_without_labels() -> None:
    scorer = rs.learners.AUCLeastSquares().fit(X[FIT], Y[FIT])
    assert certify(scorer, X[NEW], Y[NEW]).independence.startswith("checked: none")
    for wrong in (Y[FIT], 1 - Y[FIT]):
        with pytest.raises(rs.UnsoundError, match="200 of 200 rows"):
            certify(scorer, X[FIT], wrong)
    other = rs.learners.AUCLeastSquares().fit(X[FIT], 1 - Y[FIT])
    assert np.array_equal(scorer._fitted_rows.exact, other._fitted_rows.exact)
    pipeline = make_pipeline(StandardScaler(), rs.learners.AUCLeastSquares()).fit(X[FIT], Y[FIT])
    search = GridSearchCV(pipeline, {"aucleastsquares__alpha": [0.1, 1.0]}, cv=2)
    for wrapped in (pipeline, search.fit(X[FIT], Y[FIT])):
        assert certify(wrapped, X[NEW], Y[NEW]).independence.startswith("checked: none")
        with pytest.raises(rs.UnsoundError, match="100 of 300 rows"):
            certify(wrapped, X[100:], Y[100:])


def test_rows_of_the_fit_are_known_again_with_fewer_digits() -> None:
    scaled = make_pipeline(StandardScaler(), rs.learners.RankSVM()).fit(X[FIT] + 50.0, Y[FIT])
    with pytest.raises(rs.UnsoundError, match="rounded to 16 bits"):
        certify(scaled, (X[FIT] + 50.0).astype(np.float32), Y[FIT])
    # what it remembers has no coarser numbers, and the certificate says so
    found = certify(scaled, (X[FIT] + 50.0).astype(np.float16), Y[FIT])
    assert found.independence.endswith("fitted_on=(X, y) also checks for copies with fewer digits")

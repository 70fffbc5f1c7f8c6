"""What all learners share: labels, threshold, score, errors, what they import."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import clone

import rocsolid as rs
from rocsolid.errors import InputError, MissingExtraError, OneClassError
from rocsolid.theory.learners import AUCLeastSquares, ListNet, PNormPush, RankSVM
from rocsolid.theory.learners.base import LinearScorer

LINEAR = [AUCLeastSquares(), ListNet(), PNormPush(), RankSVM()]
linear = pytest.mark.parametrize("scorer", LINEAR, ids=lambda s: type(s).__name__)


def rows(n: int = 80, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + y[:, None] * [1.5, 0.5, 0.0], y


@linear
def test_text_labels_and_the_threshold(scorer: LinearScorer) -> None:
    X, y = rows()
    fitted = clone(scorer).fit(X, np.where(y == 1, "sick", "healthy"))
    assert fitted.classes_.tolist() == ["healthy", "sick"]
    scores = fitted.decision_function(X)
    assert scores[y == 1].mean() == pytest.approx(-scores[y == 0].mean())
    assert set(fitted.predict(X[scores > 0])) == {"sick"}
    assert set(fitted.predict(X[scores < 0])) == {"healthy"}


@linear
def test_score_is_the_auc(scorer: LinearScorer) -> None:
    X, y = rows()
    fitted = clone(scorer).fit(X, y)
    scores, weight = fitted.decision_function(X), np.arange(len(y)) + 1.0
    assert fitted.score(X, y) == rs.auc(y, scores).value
    assert fitted.score(X, y, weight) == rs.auc(y, scores, sample_weight=weight).value
    with pytest.raises(InputError, match=r"neither of the fitted classes \[0, 1\]: 7"):
        fitted.score(X[:2], [0, 7])


@linear
def test_sparse_rows_give_the_scores_of_dense_ones(scorer: LinearScorer) -> None:
    X, y = rows()
    X = X * (np.abs(X) > 0.7)
    dense, sparse = clone(scorer).fit(X, y), clone(scorer).fit(csr_array(X), y)
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-6)
    np.testing.assert_allclose(
        sparse.decision_function(csr_array(X)), dense.decision_function(X), rtol=1e-6, atol=1e-8
    )


@linear
def test_two_fits_are_the_same_and_so_is_a_pickled_one(scorer: LinearScorer) -> None:
    X, y = rows()
    fitted, again = clone(scorer).fit(X, y), clone(scorer).fit(X, y)
    assert np.array_equal(fitted.coef_, again.coef_)
    read = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(read.decision_function(X), fitted.decision_function(X))


@linear
def test_what_cannot_be_ordered_is_refused(scorer: LinearScorer) -> None:
    X, y = rows()
    with pytest.raises(OneClassError, match="one class only"):
        clone(scorer).fit(X, np.ones(len(y)))
    with pytest.raises(InputError, match="Only binary classification is supported"):
        clone(scorer).fit(X, np.array(["a", "b", "c"])[np.arange(len(y)) % 3])


@linear
def test_a_penalty_must_be_positive(scorer: LinearScorer) -> None:
    X, y = rows()
    name = "C" if isinstance(scorer, RankSVM) else "alpha"
    with pytest.raises(InputError, match=f"{name} must be a positive number"):
        clone(scorer).set_params(**{name: 0.0}).fit(X, y)


def test_a_class_without_weight_is_refused() -> None:
    X, y = rows()
    with pytest.raises(OneClassError, match=r"a class has no weight.*: 1 "):
        AUCLeastSquares().fit(X, y, sample_weight=1 - y)
    with pytest.raises(OneClassError, match="all sample weights are zero"):
        AUCLeastSquares().fit(X, y, sample_weight=0 * y)


def test_repeated_features_are_refused_where_alpha_cannot_part_them() -> None:
    X, y = rows()
    X = np.column_stack([X, X[:, 0]]) * 1e9
    with pytest.raises(InputError, match=r"raise alpha, which is 0\.001"):
        AUCLeastSquares().fit(X, y)


def test_a_small_step_limit_is_said() -> None:
    from sklearn.exceptions import ConvergenceWarning

    X, y = rows()
    with pytest.warns(ConvergenceWarning, match="not converged after 1 steps"):
        RankSVM(max_iter=1).fit(X, y)


def _run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.slow
def test_the_package_imports_scikit_learn_with_the_first_estimator_only() -> None:
    loaded = "print('sklearn' in sys.modules)"
    assert _run(f"import sys, rocsolid as rs; rs.learners; {loaded}") == "False\n"
    assert _run(f"import sys, rocsolid as rs; rs.learners.RankSVM; {loaded}") == "True\n"


def test_without_scikit_learn_the_estimators_say_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.delattr(rs.learners, "RankSVM", raising=False)
    with pytest.raises(MissingExtraError, match=r"rocsolid\.learners\.RankSVM needs scikit-learn"):
        _ = rs.learners.RankSVM


def test_names() -> None:
    assert dir(rs.learners) == rs.learners.__all__ == sorted(rs.learners.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'LambdaMART'"):
        _ = rs.learners.LambdaMART

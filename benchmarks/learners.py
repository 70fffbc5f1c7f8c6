"""The learners against scikit-learn's logistic regression and LightGBM: AUC, time, certificate.

100,000 rows of 50 features on one core. "bell" draws each class from a normal distribution, where
linear scores are the right ones; "bent" hides the sign of ten features, so that what is far from 0
is positive, which no linear score can follow. Each scorer is certified on 100,000 new rows, with
probability 95 %. LightGBM's line is skipped where it is not installed.

    python benchmarks/learners.py
"""

from __future__ import annotations

import importlib.util
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

import rocsolid as rs

N, D = 100_000, 50
Rows = tuple[Any, Any]


def rows(kind: str, seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    y = (rng.random(N) < 0.2).astype(int)
    shift = 0.6 * 0.9 ** np.arange(D)
    X = rng.normal(size=(N, D)) @ (np.eye(D) + 0.05) + y[:, None] * shift
    if kind == "bent":
        X[:, :10] = np.sign(rng.normal(size=(N, 10))) * np.abs(X[:, :10] + y[:, None])
    return X, y


def scorers() -> dict[str, Callable[[], Any]]:
    learners = rs.learners
    found: dict[str, Callable[[], Any]] = {
        "AUCLeastSquares": learners.AUCLeastSquares,
        "RankSVM": learners.RankSVM,
        "RankSVM, C=1e-8": lambda: learners.RankSVM(C=1e-8),
        "RankBoost, 200 rounds": lambda: learners.RankBoost(n_rounds=200),
        "PartialAUCScorer, FPR<=0.1": lambda: learners.PartialAUCScorer(fpr=(0, 0.1)),
        "LogisticRegression": LogisticRegression,
    }
    if importlib.util.find_spec("lightgbm") is None:
        print("lightgbm is not installed: its lines are skipped")
    else:
        from lightgbm import LGBMClassifier

        found["LightGBM, 200 trees"] = lambda: LGBMClassifier(
            n_estimators=200, n_jobs=1, verbose=-1
        )
    return found


def table(kind: str) -> None:
    (X, y), (X_new, y_new) = rows(kind, 1), rows(kind, 2)
    print(f"\n{kind}: {N:,} rows, {D} features, {y.sum():,} positives")
    print(f"{'':28}{'fit':>9}{'AUC':>9}{'certified':>11}{'at FPR<=0.1':>13}")
    for name, make in scorers().items():
        start = time.perf_counter()
        fitted = make().fit(X, y)
        seconds = time.perf_counter() - start
        certificate = rs.learners.certify(fitted, X_new, y_new)
        partial = rs.partial_auc(y_new, _scores(fitted, X_new), fpr=(0, 0.1), scale="mean").value
        print(
            f"{name:28}{seconds:8.2f}s{certificate.value:9.4f}{certificate.low:11.4f}{partial:13.4f}"
        )


def _scores(fitted: Any, X: Any) -> Any:
    if hasattr(fitted, "decision_function"):
        return fitted.decision_function(X)
    return fitted.predict_proba(X)[:, 1]


def wide() -> None:
    """Sparse rows with many features: words in texts."""
    rng = np.random.default_rng(3)
    n, d, words = 20_000, 50_000, 40
    y = rng.integers(0, 2, n)
    # a tenth of the words tell the class
    telling = rng.integers(0, 200, (n, words)) + 200 * y[:, None]
    word = np.where(rng.random((n, words)) < 0.1, telling, rng.integers(400, d, (n, words)))
    X = csr_array((np.ones(word.size), word.ravel(), np.arange(n + 1) * words), shape=(n, d))
    half = n // 2
    print(f"\nsparse: {half:,} rows, {d:,} features, {words} of them not 0")
    for name, make in {
        "AUCLeastSquares": lambda: rs.learners.AUCLeastSquares(alpha=1e-2),
        "RankSVM, C=1e-6": lambda: rs.learners.RankSVM(C=1e-6),
        "LogisticRegression": LogisticRegression,
    }.items():
        start = time.perf_counter()
        fitted = make().fit(X[:half], y[:half])
        seconds = time.perf_counter() - start
        value = rs.auc(y[half:], fitted.decision_function(X[half:])).value
        print(f"{name:28}{seconds:8.2f}s{value:9.4f}")


if __name__ == "__main__":
    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    with threadpool_limits(1):
        table("bell")
        table("bent")
        wide()

"""How long RankBoost and PartialAUCScorer take, beside scikit-learn's boosted stumps and logistic
regression, and what they reach on new rows.

100,000 rows of 50 normal features, a third positive; ten features are spread wider among the
negatives. ``HistGradientBoostingClassifier`` with two leaves is the nearest peer of RankBoost: one
threshold a round as well, out of 255 bins a feature where RankBoost tries every value. Seconds are
the best of the runs.

    python benchmarks/learners_boost.py            about two minutes
    python benchmarks/learners_boost.py --quick    10,000 rows
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import processor  # noqa: F401  one thread of BLAS, before NumPy

# isort: split
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import rocsolid as rs

SCORERS: dict[str, Callable[[], Any]] = {
    "RankBoost, 200 thresholds": lambda: rs.learners.RankBoost(n_rounds=200),
    "RankBoost, 200 linear": lambda: rs.learners.RankBoost(weak="linear", n_rounds=200),
    "HistGradientBoosting, 200 stumps": lambda: HistGradientBoostingClassifier(
        max_iter=200, max_leaf_nodes=2, early_stopping=False
    ),
    "PartialAUCScorer, tau chosen": lambda: rs.learners.PartialAUCScorer(),
    "PartialAUCScorer, tau=0.2": lambda: rs.learners.PartialAUCScorer(tau=0.2),
    "PartialAUCScorer, tau=0.05": lambda: rs.learners.PartialAUCScorer(tau=0.05),
    "PartialAUCScorer, tight hinge": lambda: rs.learners.PartialAUCScorer(surrogate="tight_hinge"),
    "LogisticRegression": lambda: LogisticRegression(),
}


def rows(size: int, gaps: float = 0.0) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    y = rng.random(size) < 1 / 3
    X = rng.normal(size=(size, 50))
    X[y] += 0.6 * np.linspace(1, 0, 50)
    X[~y, :10] *= 1.6
    X /= X.std(axis=0)
    X[rng.random(X.shape) < gaps] = np.nan
    return X, y


def clock(task: Callable[[], Any], runs: int) -> tuple[float, Any]:
    best, found = np.inf, None
    for _ in range(runs):
        start = time.process_time()
        found = task()
        best = min(best, time.process_time() - start)
    return best, found


def main(size: int, runs: int) -> None:
    X, y = rows(2 * size)
    train, test = slice(size), slice(size, None)
    print(f"{size:,} rows, {X.shape[1]} features: seconds to fit, AUC, mean TPR at FPR <= .1")
    for name, make in SCORERS.items():
        seconds, scorer = clock(lambda make=make: make().fit(X[train], y[train]), runs)
        scores = scorer.decision_function(X[test])
        partial = rs.partial_auc(y[test], scores, fpr=0.1, scale="mean").value
        notes = "; ".join(getattr(scorer, "warnings_", ()))
        auc = rs.auc(y[test], scores).value
        print(f"    {name:<34} {seconds:7.2f}  {auc:.4f}  {partial:.4f}  {notes}")
    X, y = rows(size, gaps=0.2)
    seconds, _ = clock(lambda: rs.learners.RankBoost(n_rounds=200).fit(X, y), 1)
    print(f"    RankBoost, a fifth of the cells missing: {seconds:.2f}")
    X, y = rows(size)
    seconds, _ = clock(lambda: rs.learners.RankBoost(n_rounds=200).fit(np.round(X, 1), y), 1)
    print(f"    RankBoost, features rounded to a tenth: {seconds:.2f}")


if __name__ == "__main__":
    if "--quick" in sys.argv:
        main(10_000, 1)
    else:
        main(100_000, 2)

"""RankSVM and ListNet on MQ2008's five folds, beside LETOR's published baselines and LightGBM.

Every learner is fitted on three parts for each value of its penalty, chosen by MAP on the fourth
and measured on the fifth, as LETOR asks: NDCG by the rule of LETOR's own script, queries without a
relevant document counting 0. The data set is not part of the repository: give the path of its text
in SVMLight form, all five parts in their order.

    python benchmarks/learners_mq2008.py mq2008.letor.gz
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import rocsolid as rs
from rocsolid.inputs.letor import read_letor

PUBLISHED = {
    "RankSVM": [0.3626, 0.4286, 0.4695, 0.2279, 0.4696],
    "ListNet": [0.3754, 0.4324, 0.4747, 0.2303, 0.4775],
    "RankBoost": [0.3856, 0.4288, 0.4666, 0.2255, 0.4775],
}
CUTOFFS = [1, 3, 5, 10]


def letor_discount(rank: Any) -> Any:
    return 1.0 / np.maximum(np.log2(rank), 1.0)


def means(y: Any, scores: Any, query: Any) -> list[float]:
    """NDCG at the cut-offs and MAP by LETOR's rule."""
    shared: dict[str, Any] = {"qid": query, "empty": 0, "ties": "input"}
    size = np.unique(query, return_counts=True)[1]
    ndcg = rs.ndcg(y, scores, k=CUTOFFS, gain="exp2", discount=letor_discount, **shared)
    short = [np.where(size >= k, ndcg[k].per_query, 0.0).mean() for k in CUTOFFS]
    return [*short, rs.average_precision(y, scores, **shared).value]


def fits() -> dict[str, list[Callable[[Any, Any, Any], Any]]]:
    """For each learner a fit for each value of its penalty."""
    learners = rs.learners
    found: dict[str, list[Callable[[Any, Any, Any], Any]]] = {
        "RankSVM": [
            lambda X, y, q, c=c: learners.RankSVM(C=c).fit(X, y, qid=q)
            for c in (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
        ],
        "ListNet": [
            lambda X, y, q, a=a: learners.ListNet(alpha=a).fit(X, y, qid=q)
            for a in (1e-6, 1e-4, 1e-3, 1e-2, 1e-1)
        ],
        "RankBoost": [
            lambda X, y, _, n=n: learners.RankBoost(n_rounds=n).fit(X, y > 0) for n in (10, 50, 200)
        ],
    }
    if importlib.util.find_spec("lightgbm") is not None:
        from lightgbm import LGBMRanker

        found["LambdaMART"] = [
            lambda X, y, q, n=n: LGBMRanker(
                n_estimators=n, num_leaves=15, learning_rate=0.05, n_jobs=1, verbose=-1
            ).fit(X, y.astype(int), group=np.unique(q, return_counts=True)[1])
            for n in (50, 100, 200)
        ]
    return found


def scores_of(fitted: Any, X: Any) -> Any:
    return (fitted.decision_function if hasattr(fitted, "classes_") else fitted.predict)(X)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python benchmarks/learners_mq2008.py mq2008.letor.gz")
    rows = read_letor(sys.argv[1])
    X, y = rows.features.dense(), rows.relevance
    query = np.cumsum(np.r_[0, rows.qid[1:] != rows.qid[:-1]])
    part = np.minimum(query // 157, 4)
    print(f"{'':12}{'NDCG@1':>16}{'@3':>16}{'@5':>16}{'@10':>16}{'MAP':>16}{'fits':>9}")
    for name, grid in fits().items():
        measured, seconds = [], 0.0
        for first in range(5):
            train = np.isin(part, [(first + i) % 5 for i in range(3)])
            valid, test = part == (first + 3) % 5, part == (first + 4) % 5
            start = time.perf_counter()
            fitted = [fit(X[train], y[train], query[train]) for fit in grid]
            seconds += time.perf_counter() - start
            by_map = [means(y[valid], scores_of(f, X[valid]), query[valid])[-1] for f in fitted]
            best = fitted[int(np.argmax(by_map))]
            measured.append(means(y[test], scores_of(best, X[test]), query[test]))
        mean, spread = np.mean(measured, axis=0), np.std(measured, axis=0, ddof=1)
        cells = "".join(f"{m:10.4f} ±{s:.3f}" for m, s in zip(mean, spread, strict=True))
        print(f"{name:12}{cells}{seconds:8.1f}s")
        if name in PUBLISHED:
            print(
                f"{'  published':12}" + "".join(f"{value:10.4f}      " for value in PUBLISHED[name])
            )


if __name__ == "__main__":
    main()

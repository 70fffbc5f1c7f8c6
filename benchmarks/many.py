"""``rs.many`` against a loop of scikit-learn, and against eight lines of DeLong: processor time.

The loop gives a number a score, and DeLong's covariance of all of them beside it. ``rs.many`` gives
the intervals, the p-values adjusted for all scores, and the winner with its corrected interval.

    python benchmarks/many.py
"""

from __future__ import annotations

from processor import against, in_turn  # before NumPy

# isort: split
import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

import rocsolid as rs


def features(rows: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(count)
    y = (rng.random(rows) < 0.3).astype(np.int64)
    return y, rng.normal(size=(rows, count)) + np.outer(y, np.linspace(0.0, 0.5, count))


def covariance(y: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The AUC of each row of ``scores`` and their covariance, by midranks (Sun and Xu 2014)."""
    pos, neg = scores[:, y == 1], scores[:, y == 0]
    m, n = pos.shape[1], neg.shape[1]
    ranks = rankdata(np.concatenate([pos, neg], axis=1), axis=1)
    of_pos = (ranks[:, :m] - rankdata(pos, axis=1)) / n
    of_neg = 1.0 - (ranks[:, m:] - rankdata(neg, axis=1)) / m
    return of_pos.mean(axis=1), np.cov(of_pos) / m + np.cov(of_neg) / n


def many(rows: int, count: int, repeats: int) -> None:
    y, scores = features(rows, count)
    columns = np.ascontiguousarray(scores.T)
    aucs, errors = covariance(y, columns)
    answer = rs.many(y, scores)
    np.testing.assert_allclose(answer.values, aucs, rtol=1e-12)
    np.testing.assert_allclose(answer.std_errors, np.sqrt(np.diag(errors)), rtol=1e-9)
    t = in_turn(
        {
            "rocsolid": lambda: rs.many(y, scores),
            "a loop": lambda: [roc_auc_score(y, column) for column in columns],
            "DeLong": lambda: covariance(y, columns),
        },
        repeats,
    )
    what = f"{count:,} scores, {rows:,} rows"
    of_loop = {"rocsolid": t["rocsolid"], "roc_auc_score": t["a loop"]}
    against(f"{what}, a loop of roc_auc_score", of_loop)
    against(f"{what}, DeLong", {"rocsolid": t["rocsolid"], "DeLong": t["DeLong"]})


if __name__ == "__main__":
    many(10_000, 1_000, 3)
    many(1_000, 1_000, 3)

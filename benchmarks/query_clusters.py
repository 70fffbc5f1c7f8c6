"""``rs.evaluate(qid=, cluster=)`` against plain Python: a mean over queries that users share.

The plain loop calls scikit-learn's ``ndcg_score`` a query, and has the standard error of the mean
from the sums of its users in NumPy. rocsolid reads the table, checks it, and gives both intervals.

    python benchmarks/query_clusters.py            half a minute
"""

from __future__ import annotations

from processor import against, in_turn, ratios  # before NumPy

# isort: split
import numpy as np
from sklearn.metrics import ndcg_score

import rocsolid as rs

Columns = dict[str, np.ndarray]


def table(queries: int, documents: int, users: int) -> Columns:
    """Lists of a length, whose score is as good as its user has it."""
    rng = np.random.default_rng(queries)
    user = rng.integers(0, users, queries)
    grade = rng.integers(0, 5, (queries, documents))
    good = rng.gamma(2.0, 0.2, users)[user]
    return {
        "query": np.repeat(np.arange(queries), documents),
        "user": np.repeat(user, documents),
        "grade": grade.ravel(),
        "score": (rng.normal(size=grade.shape) + grade * good[:, None]).ravel(),
    }


def loop(columns: Columns) -> tuple[float, float]:
    """The mean of nDCG@10 and its standard error by users."""
    starts = np.flatnonzero(np.diff(columns["query"])) + 1
    lists = zip(*(np.split(columns[name], starts) for name in ("grade", "score")), strict=True)
    values = np.array([ndcg_score([grades], [scores], k=10) for grades, scores in lists])
    user = columns["user"][np.concatenate([[0], starts])]
    mean = float(values.mean())
    sums = np.bincount(user, values - mean)
    return mean, float(np.sqrt(np.sum(sums**2)) / values.size)


def clustered(queries: int, documents: int, users: int) -> None:
    columns = table(queries, documents, users)
    asked = {"label": "grade", "scores": "score", "qid": "query", "measures": "ndcg@10"}
    ours = rs.evaluate(columns, **asked, cluster="user").results[0].value
    assert abs(ours - loop(columns)[0]) < 1e-9
    times = in_turn(
        {
            "rocsolid": lambda: rs.evaluate(columns, **asked, cluster="user"),
            "without clusters": lambda: rs.evaluate(columns, **asked),
            "a loop of scikit-learn": lambda: loop(columns),
        },
        3,
    )
    plain = times.pop("without clusters")
    against(f"{queries:,} queries of {documents:,}, {users:,} users", times)
    print(f"    {ratios(times['rocsolid'], plain)} times as long as without clusters")


if __name__ == "__main__":
    clustered(500, 100, 50)
    clustered(5_000, 20, 500)
    clustered(5_000, 100, 500)

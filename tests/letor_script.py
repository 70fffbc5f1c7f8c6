"""The measures of LETOR 4.0's evaluation script, as a plain loop over queries."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

CUTOFFS = (1, 3, 5, 10)


def letor_means(scores: NDArray[np.float64], relevance: Any, query: Any) -> NDArray[np.float64]:
    """NDCG at each cut-off and MAP, averaged over all queries, also those without relevant ones.

    Gain 2^y − 1, discount 1 at the first two ranks and ln 2/ln r from the third, ties in the order
    of the file. A query counts 0 where nothing is relevant or it has fewer than k documents.
    """
    rows = []
    for one in np.unique(query):
        grade = np.asarray(relevance)[query == one]
        listed = grade[np.argsort(-scores[query == one], kind="stable")]
        ideal = np.sort(grade)[::-1]
        row = [_dcg(listed, k) / _dcg(ideal, k) if _dcg(ideal, k) else 0.0 for k in CUTOFFS]
        hits = np.flatnonzero(listed > 0) + 1
        row.append(float(np.mean(np.arange(1, len(hits) + 1) / hits)) if len(hits) else 0.0)
        rows.append(row)
    return np.mean(rows, axis=0)


def _dcg(listed: NDArray[np.float64], k: int) -> float:
    if len(listed) < k:
        return 0.0
    rank = np.arange(1, k + 1)
    return float(np.sum((2 ** listed[:k] - 1) / np.maximum(np.log2(rank), 1.0)))

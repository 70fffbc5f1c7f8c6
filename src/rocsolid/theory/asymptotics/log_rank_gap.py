"""What the gap of two standard NDCGs estimates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.gains.named import as_gain
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.summaries.runs import run_begins


def log_rank_gap(
    relevance: Any, scores_a: Any, scores_b: Any, *, qid: Any = None, gain: Any = "linear"
) -> float:
    """The a of Lemma 3 from data: the relevant items' mean of ln(rank by b) − ln(rank by a).

    For long lists the standard NDCG of a minus that of b is about this over log n: it compares the
    geometric means of the ranks of the relevant items. Positive: a puts them higher. Items with
    equal scores share the mean of the logarithms of their ranks; grades weigh with their gains;
    with ``qid`` ranks are within queries and all items count alike. An estimate without an
    interval.

    >>> round(log_rank_gap([1, 1, 0, 0], [4, 3, 2, 1], [4, 1, 3, 2]), 4)  # (ln 1/1 + ln 4/2)/2
    0.3466
    """
    rows = graded_rows(relevance, scores_a, qid=qid)
    other = graded_rows(relevance, scores_b, qid=qid)
    gains = as_gain(gain)(np.nan_to_num(rows.relevance, nan=0.0))
    if not gains.sum() > 0.0:
        raise InputError("no item is relevant", where="relevance")
    query = np.repeat(np.arange(len(rows.qids)), rows.sizes)
    difference = _log_ranks(other.score, query) - _log_ranks(rows.score, query)
    return float(gains @ difference / gains.sum())


def _log_ranks(score: NDArray[np.float64], query: NDArray[np.intp]) -> NDArray[np.float64]:
    """ln of each row's rank within its query; over blocks of equal scores, the mean."""
    order = np.lexsort((-score, query))
    begins = run_begins(-score[order]) | run_begins(query[order])
    heads = np.flatnonzero(run_begins(query[order]))
    first = np.repeat(heads, np.diff(np.append(heads, len(query))))
    logs = np.log(np.arange(len(query)) - first + 1.0)
    start = np.flatnonzero(begins)
    size = np.diff(np.append(start, len(query)))
    found = np.empty(len(query))
    found[order] = np.repeat(np.add.reduceat(logs, start) / size, size)
    return found

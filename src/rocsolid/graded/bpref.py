"""Bpref: how often judged documents that are not relevant stand above relevant ones."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.graded.cut_measure import relevance_measure
from rocsolid.graded.estimate import estimate_of
from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.options import GradedKeywords
from rocsolid.graded.ranked_gains import RankedGains
from rocsolid.results import QueryEstimate

MEANING = (
    "Averaged over relevant documents and queries, a share of {value} of the documents judged not "
    "relevant stays below, unjudged documents being passed over."
)

_FLOATS = NDArray[np.float64]


def bpref(
    relevance: Any, scores: Any, *, relevant: float = 1, **options: Unpack[GradedKeywords]
) -> QueryEstimate:
    """The mean over queries of bpref (Buckley and Voorhees 2004), as trec_eval computes it.

    With R relevant and N other judged documents, Σ 1 − min(above, R)/min(N, R) over the relevant
    documents in the list, divided by R; ``above`` counts the judged documents without relevance
    that stand above. Unjudged documents (relevance NaN) do not matter. Ties are averaged exactly.
    The keywords are those of `rocsolid.ndcg`.

    >>> nan = float("nan")
    >>> bpref([0, 1, nan, 1, 0], [9, 8, 7, 6, 5]).per_query
    array([0.5])
    """
    return estimate_of(relevance, scores, bpref_measure(relevant), options)


def bpref_measure(relevant: float = 1) -> GradedMeasure:
    """Bpref by these conventions.

    >>> bpref_measure().name
    'bpref'
    """
    return relevance_measure("bpref", bpref_formula, MEANING, relevant, Cutoff())


def bpref_formula(lists: RankedGains) -> _FLOATS:
    """Averaged over the orders of a block: the number of its n other judged documents that stand
    above one of its relevant documents is 0, 1, …, n with equal chances.
    """
    positives = lists.positives.astype(np.float64)
    bound = np.minimum(lists.others, positives)
    listed = np.arange(lists.width) < lists.length[:, None]
    known = listed if lists.judged is None else lists.judged
    other = np.where(known & (lists.gain == 0.0), 1.0, 0.0)
    if lists.tied is None:
        above = np.minimum(np.cumsum(other, axis=1), positives[:, None])
        lost = (lists.gain * above).sum(axis=1)
    else:
        tied = lists.tied
        of_block, n = tied.totals(lists.gain), tied.totals(other)
        through = np.cumsum(other, axis=1).ravel()[tied.start + tied.size - 1]
        mean = _mean_capped(through - n, n, positives[tied.row])
        lost = np.bincount(tied.row, of_block * mean, len(lists))
    found = lists.gain.sum(axis=1)
    share = found - lost / np.maximum(bound, 1.0)  # no other document judged: nothing is lost
    return np.where(positives == 0.0, np.nan, share / np.maximum(positives, 1.0))


def _mean_capped(start: _FLOATS, n: _FLOATS, cap: _FLOATS) -> _FLOATS:
    """The mean of min(start + x, cap) over x = 0, …, n.

    >>> _mean_capped(np.array([1.0]), np.array([3.0]), np.array([2.0]))
    array([1.75])
    """
    below = np.clip(cap - start, 0.0, n + 1.0)  # how many x stay below the cap
    total = below * start + below * (below - 1.0) / 2.0 + (n + 1.0 - below) * cap
    return np.asarray(total / (n + 1.0))

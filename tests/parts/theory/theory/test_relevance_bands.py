"""How often the bands of estimated relevance curves miss.

2,000 data sets each. A limit of a certified band may miss with probability .025 at each place; the
count of misses in 2,000 sets exceeds 87 with a probability below 1e-6 if so (binomial).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics import curves

TRUTH = curves.power(0.05, 0.85, 3)
SETS, MOST = 2000, 87


def test_parts_of_one_list() -> None:
    """200 items in 5 parts, each part's mean ȳ taken over the scores that it covers.

    The part at place j holds 40 consecutive items of the order; given the items just outside of it,
    its s are uniform between theirs, and the mean of ȳ there is known in closed form.
    """
    n, bins = 200, 5
    edges = np.arange(0, n + 1, n // bins)
    below = np.zeros(bins, dtype=int)
    above = np.zeros(bins, dtype=int)
    for rep in range(SETS):
        rng = stream(60, rep)
        s = np.sort(rng.random(n))
        labels = (rng.random(n) < TRUTH.mean(s)).astype(int)
        low, high = curves.binned(labels, s, bins=bins).band((edges[1:] - 20) / n)
        ends = np.concatenate([[0.0], s, [1.0]])
        true = _mean_between(ends[edges[:-1]], ends[edges[1:] + 1])
        below += true < low
        above += true > high
    assert below.max() <= MOST
    assert above.max() <= MOST
    assert below.sum() + above.sum() > 0  # exact limits are wide, but not idle


def test_a_curve_that_never_falls_lies_in_the_band_of_isotonic() -> None:
    at = np.linspace(0.1, 0.9, 9)
    below = np.zeros(9, dtype=int)
    above = np.zeros(9, dtype=int)
    for rep in range(SETS):
        rng = stream(61, rep)
        s = rng.random(200)
        labels = (rng.random(200) < TRUTH.mean(s)).astype(int)
        low, high = curves.isotonic(labels, s).band(at)
        below += TRUTH.mean(at) < low
        above += TRUTH.mean(at) > high
    assert below.max() <= MOST
    assert above.max() <= MOST


def test_parts_of_many_queries() -> None:
    """20 queries of 30 items whose curves differ; what is covered is their mean."""
    bins = 3
    below = np.zeros(bins, dtype=int)
    above = np.zeros(bins, dtype=int)
    sizes, queries = 30, 20
    qid = np.repeat(np.arange(queries), sizes)
    # the mean over queries of the part's mean, from 40,000 queries: its error is below .002
    true = _query_parts(stream(62), 40_000, sizes, bins).mean(axis=0)
    for rep in range(SETS // 4):
        rng = stream(63, rep)
        labels, score = _queries(rng, queries, sizes)
        low, high = curves.binned(labels.ravel(), score.ravel(), qid=qid, bins=bins).band(
            (np.arange(bins) + 0.5) / bins
        )
        below += true + 0.01 < low
        above += true - 0.01 > high
    assert below.max() <= MOST // 3
    assert above.max() <= MOST // 3


def _mean_between(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of .05 + .8s³ between two s."""
    return 0.05 + 0.2 * (high**4 - low**4) / (high - low)


def _queries(
    rng: np.random.Generator, queries: int, sizes: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Labels with a level of their own in each query, and never a query without a relevant item."""
    score = rng.random((queries, sizes))
    level = rng.uniform(0.2, 1.0, (queries, 1))
    labels = rng.random((queries, sizes)) < level * TRUTH.mean(score)
    labels[:, 0] = True
    return labels.astype(np.int64), score


def _query_parts(
    rng: np.random.Generator, queries: int, sizes: int, bins: int
) -> NDArray[np.float64]:
    labels, score = _queries(rng, queries, sizes)
    ordered = np.take_along_axis(labels, np.argsort(score, axis=1), axis=1)
    return ordered.reshape(queries, bins, sizes // bins).mean(axis=2)

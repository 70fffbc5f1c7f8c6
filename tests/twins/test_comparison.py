"""Covariances, disagreement and Holm's steps against plain loops."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import reference
import rocsolid as rs
from rocsolid.comparison.build import undistinguished
from rocsolid.summaries import stream as module
from rocsolid.summaries.stream import disagreement

CLASS_OF_TWO = [True, True, False, False]


@st.composite
def models(draw: st.DrawFn) -> tuple[NDArray[np.bool_], list[NDArray[Any]]]:
    labels = CLASS_OF_TWO + draw(st.lists(st.booleans(), max_size=14))
    top = draw(st.sampled_from([1, 3, 100]))
    scores = [
        np.array(draw(st.lists(st.integers(0, top), min_size=len(labels), max_size=len(labels))))
        for _ in range(3)
    ]
    return np.array(labels), scores


def loops(y: Any, a: Any, b: Any, w: Any, clusters: Any) -> float:
    """Obuchowski's covariance of two AUCs, weighted, from loops over rows and clusters."""
    rows = range(len(y))
    total = {k: sum(w[i] for i in rows if bool(y[i]) == k) for k in (True, False)}

    def placement(i: int, s: Any) -> float:
        others = [j for j in rows if bool(y[j]) != bool(y[i])]
        won = sum(
            w[j] * float(reference.phi(s[i], s[j]) if y[i] else reference.phi(s[j], s[i]))
            for j in others
        )
        return won / total[not bool(y[i])]

    sums: dict[tuple[int, bool, Any], float] = {}
    for which, s in enumerate((a, b)):
        value = sum(w[i] * placement(i, s) for i in rows if y[i]) / total[True]
        for i in rows:
            at = (which, bool(y[i]), clusters[i])
            share = w[i] / total[bool(y[i])]
            sums[at] = sums.get(at, 0.0) + share * (placement(i, s) - value)

    def product(first: bool, second: bool) -> float:
        return sum(sums.get((0, first, c), 0.0) * sums.get((1, second, c), 0.0) for c in known)

    known = set(clusters)
    held = {k: len({clusters[i] for i in rows if bool(y[i]) == k}) for k in (True, False)}
    both = len(known)
    return (
        held[True] / (held[True] - 1) * product(True, True)
        + held[False] / (held[False] - 1) * product(False, False)
        + both / (both - 1) * (product(True, False) + product(False, True))
    )


@given(models(), st.integers(0, 2**32 - 1), st.booleans())
def test_the_covariance_under_clusters_and_weights(
    sample: tuple[NDArray[np.bool_], list[NDArray[Any]]], seed: int, weighted: bool
) -> None:
    y, scores = sample
    rng = np.random.default_rng(seed)
    cluster = np.concatenate([[0, 1, 0, 1], rng.integers(0, 5, size=len(y) - 4)])
    weight = rng.integers(1, 5, size=len(y)).astype(float) if weighted else np.ones(len(y))
    given_weight = weight if weighted else None
    names = dict(zip("abc", scores, strict=True))
    found = rs.compare(y, names, cluster=cluster, sample_weight=given_weight)
    for i, j in itertools.combinations_with_replacement(range(3), 2):
        expected = loops(y, scores[i], scores[j], weight, cluster)
        assert reference.close(found.covariance[i, j], expected)
        assert found.covariance[i, j] == pytest.approx(found.covariance[j, i], abs=1e-15)


@given(models())
def test_the_variances_are_those_of_each_estimate(
    sample: tuple[NDArray[np.bool_], list[NDArray[Any]]],
) -> None:
    y, scores = sample
    found = rs.compare(y, dict(zip("abc", scores, strict=True)), test="delong")
    for i, name in enumerate("abc"):
        error = found.estimates[name].std_error
        assert error is not None
        assert found.covariance[i, i] == pytest.approx(error**2, abs=1e-15)
    first = found.pairs[0]
    c = found.covariance
    variance = c[0, 0] + c[1, 1] - 2 * c[0, 1]
    assert first.std_error**2 == pytest.approx(variance, abs=1e-15)


@given(models(), st.booleans())
def test_disagreement(
    sample: tuple[NDArray[np.bool_], list[NDArray[Any]]], small_chunks: bool
) -> None:
    y, scores = sample
    with pytest.MonkeyPatch.context() as patch:
        if small_chunks:
            patch.setattr(module, "_CHUNK", 3)
        found = disagreement(y, scores)
    assert not found.drawn
    for (i, a), (j, b) in itertools.product(enumerate(scores), repeat=2):
        apart = [
            abs(reference.phi(a[p], a[q]) - reference.phi(b[p], b[q]))
            for p in np.flatnonzero(y)
            for q in np.flatnonzero(~y)
        ]
        assert reference.close(found.mean[i, j], sum(apart) / len(apart))


@pytest.mark.parametrize("sizes", [(30, 50), (50, 30), (40, 40)])
def test_matchings_are_whole_and_near_the_mean_over_all_pairs(
    sizes: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    m, n = sizes
    rng = np.random.default_rng(5)
    y = rng.permutation(np.arange(m + n) < m)
    scores = [rng.integers(0, 6, size=m + n) + y for _ in range(2)]
    exact = disagreement(y, scores)
    monkeypatch.setattr(module, "ALL_PAIRS", 0)
    monkeypatch.setattr(module, "SOME_PAIRS", 40 * min(m, n))
    monkeypatch.setattr(module, "_CHUNK", 7)
    seen = list(module._matchings([np.arange(m)], [np.arange(n)], 0))
    pos, neg = (np.concatenate([part[side][0] for part in seen]) for side in (0, 1))
    for start in range(0, len(pos), min(m, n)):
        block = slice(start, start + min(m, n))
        assert len(set(pos[block])) == len(set(neg[block])) == min(m, n)
    drawn = disagreement(y, scores)
    assert drawn.drawn
    assert drawn.mean == pytest.approx(exact.mean, abs=0.05)
    assert disagreement(y, scores, seed=0).mean[0, 1] == drawn.mean[0, 1]


@given(st.integers(1, 7), st.integers(0, 2**21 - 1))
def test_groups_are_the_maximal_sets(size: int, bits: int) -> None:
    names = tuple("abcdefg"[:size])
    pairs = list(itertools.combinations(range(size), 2))
    apart = {pair for i, pair in enumerate(pairs) if bits >> i & 1}
    sets = [
        set(some)
        for count in range(1, size + 1)
        for some in itertools.combinations(range(size), count)
        if not apart.intersection(itertools.combinations(some, 2))
    ]
    largest = [s for s in sets if not any(s < other for other in sets)]
    expected = sorted([names[i] for i in sorted(s)] for s in largest)
    assert sorted(map(list, undistinguished(names, apart))) == expected

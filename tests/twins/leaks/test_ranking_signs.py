"""The signs of probing by the comparison of all pairs of submissions on all rows."""

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.simulate import ranking_signs


def plain_signs(scores: np.ndarray, doubled: np.ndarray, previous: list[int]) -> list[set[str]]:
    signs_by_release = []
    n = doubled.shape[1]
    for t, ranks in enumerate(doubled):
        signs = set()
        sizes = np.unique(ranks, return_counts=True)[1]
        if len(sizes) <= 2:
            signs.add("two-valued")
        if max(sizes) > n / 2:
            signs.add("mostly tied")
        if t:
            shift = [np.abs(doubled[p] - ranks).sum() for p in range(t)]
            changed = [np.mean(scores[p] != scores[t]) for p in range(t)]
            if min(shift) == 0:
                signs.add("repeated")
            elif min(changed) <= 0.1 or min(shift) / (2 * n) <= 0.01 * n:
                signs.add("near-duplicate")
            for p in (int(np.argmin(shift)), previous[t]):
                moves = set((ranks - doubled[p]).tolist()) - {0}
                if p >= 0 and 1 <= len(moves) <= 3:
                    signs.add("block swap")
        signs_by_release.append(signs)
    return signs_by_release


def _probe(rng: np.random.Generator, earlier: np.ndarray) -> np.ndarray:
    n = len(earlier)
    kind = rng.integers(6)
    if kind == 0:
        return rng.normal(size=n).round(2)
    if kind == 1:
        changed = rng.choice(n, max(1, int(n * rng.choice([0.02, 0.1, 0.11]))), replace=False)
        probe = earlier.copy()
        probe[changed] = rng.normal(size=len(changed))
        return probe
    if kind == 2:
        return earlier + rng.normal(size=n) * rng.choice([0.001, 0.02, 0.05, 0.2])
    if kind == 3:
        order = np.argsort(earlier, kind="stable")
        length = max(1, n // int(rng.integers(3, 9)))
        at = int(rng.integers(0, n - 2 * length + 1))
        first, second = slice(at, at + length), slice(at + length, at + 2 * length)
        swapped = order.copy()
        swapped[first], swapped[second] = order[second], order[first]
        probe = np.empty(n)
        probe[swapped] = np.arange(n)
        return probe
    if kind == 4:
        return 2 * earlier
    return (earlier > np.quantile(earlier, rng.choice([0.3, 0.6]))).astype(float)


@pytest.mark.parametrize("seed", range(12))
def test_signs_are_those_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 60) if seed % 2 else rng.integers(129, 300))
    scores = [rng.normal(size=n).round(int(rng.integers(0, 4)))]
    previous = [-1]
    for t in range(1, 25):
        scores.append(_probe(rng, scores[int(rng.integers(t))]))
        previous.append(int(rng.integers(-1, t)))
    doubled = np.array([doubled_ranks(row) for row in scores])
    given = doubled.astype(float) if seed % 3 == 0 else np.array(scores)
    expected = plain_signs(given, doubled, previous)
    assert ranking_signs(given, doubled, previous) == expected
    assert set().union(*expected) >= {"repeated"}

"""NDCG of samples by masks and counts, against ranking each sample anew with `rocsolid.ndcg`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.discounts.discount import as_discount
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics.distinguishing.compared_list import (
    ComparedList,
    Weights,
    growing,
    sampled_ndcg,
)

DISCOUNTS = ["log2", "zipf", rs.discounts.power(0.5), rs.discounts.exponential(2), [3, 3, 1]]
CUTOFFS: list[Any] = [None, 1, 3, 50, rs.discounts.frac(0.4), math.sqrt]
ITEM = st.tuples(
    st.sampled_from([0.0, 0.0, 1.0, 3.0]),
    st.sampled_from([-math.inf, 0.0, 1.0, 2.0, 3.0, 4.0]),
    st.sampled_from([-math.inf, 0.0, 1.0, 1.5, 2.0]),
)


def sorted_anew(gains: Any, scores: Any, discount: Any, cutoffs: list[Any]) -> list[float]:
    """By cut-off; NaN where `rocsolid.ndcg` has no value: a sample without a relevant item."""
    if not np.any(gains > 0.0):
        return [math.nan] * len(cutoffs)
    found = rs.ndcg(gains, scores, k=cutoffs, discount=discount)
    return [one.value for one in found.values()]


@settings(max_examples=60)
@given(
    st.lists(ITEM, min_size=1, max_size=14),
    st.sampled_from(DISCOUNTS),
    st.randoms(use_true_random=False),
    st.data(),
)
def test_samples(
    items: list[tuple[float, float, float]], discount: Any, shuffle: Any, data: Any
) -> None:
    gains, a, b = np.array(items).T
    n = len(items)
    order = list(range(1, n + 1))
    shuffle.shuffle(order)
    time = np.array([order, order[::-1]], dtype=np.int32)
    low = data.draw(st.integers(0, n - 1))
    high = data.draw(st.integers(low + 1, n))
    weights = [
        Weights.of(as_discount("zipf"), [Cutoff()], n),
        Weights.of(as_discount(discount), [as_cutoff(k) for k in CUTOFFS], n),
    ]
    windows = [(0, high), (low, high)]
    found = sampled_ndcg(ComparedList.of([a, b], gains), time, windows, weights)
    assert found.shape == (2, 1 + len(CUTOFFS), 2, 2)
    for r, scores in enumerate((a, b)):
        for w, (first, last) in enumerate(windows):
            taken = (time[0] > first) & (time[0] <= last)
            expected = sorted_anew(gains[taken], scores[taken], discount, CUTOFFS)
            assert found[r, 1:, w, 0] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    taken = (time[1] > low) & (time[1] <= high)
    expected = sorted_anew(gains[taken], b[taken], "zipf", [None])
    assert found[1, 0, 1, 1] == pytest.approx(expected[0], abs=1e-12, nan_ok=True)


@settings(max_examples=8)
@given(st.lists(st.lists(ITEM, min_size=1, max_size=7), min_size=1, max_size=3))
def test_growing_lists_and_their_halves(queries: list[list[tuple[float, float, float]]]) -> None:
    """Means over queries, of prefixes and of two samples that have no item in common."""
    columns = [np.array(items).T for items in queries]
    lists = [ComparedList.of([a, b], gains) for gains, a, b in columns]
    longest = max(one.size for one in lists)
    sizes, orders, seed = [*range(1, longest + 1)], 2, 11
    weights = [Weights.of(as_discount("log2"), [Cutoff()], longest)]
    told: list[int] = []
    found = growing(lists, weights, sizes, orders, seed, told.append)
    assert sum(told) == sum(one.size for one in lists)

    for order in range(orders):
        for i, size in enumerate(sizes):
            prefix, here, there = [], [], []
            for q, (gains, a, b) in enumerate(columns):
                n = len(gains)
                time = np.arange(1, n + 1, dtype=np.int32)[None, :]
                time = stream(seed, 0, q, order).permuted(time, axis=1)
                half = min(size, n // 2)
                for into, low, high in (
                    (prefix, 0, size),
                    (here, 0, half),
                    (there, half, 2 * half),
                ):
                    taken = (time[0] > low) & (time[0] <= high)
                    into.append(
                        [sorted_anew(gains[taken], s[taken], "log2", [None])[0] for s in (a, b)]
                    )
            for kernel, values in zip(
                (found.prefix, *found.apart), (prefix, here, there), strict=True
            ):
                known = [pair for pair in values if not math.isnan(pair[0])]
                expected = np.mean(known, axis=0) if known else [math.nan, math.nan]
                assert kernel[:, 0, i, order] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert found.overlap[-1] == pytest.approx(1.0)

"""What a coarse curve leaves open, against all labelings of a few rows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.evaluation.public.coarseness import CoarseCounts, counts_in_bins


def in_bin(seen: int, least: int, most: int, step: int) -> tuple[int, int]:
    """The possible counts split into as many bins as have ``step`` of them, the longest spread."""
    span = most - least + 1
    bins = max(1, span // step)
    members = [c for c in range(least, most + 1)
               if (c - least) * bins // span == (seen - least) * bins // span]  # fmt: skip
    return members[0], members[-1]


@st.composite
def curves(draw: Any) -> tuple[CoarseCounts, list[tuple[int, ...]]]:
    """A coarse curve of up to nine rows, and the positives in each part by labeling that fits."""
    n = draw(st.integers(4, 9))
    n_pos = draw(st.integers(1, n - 1))
    step = draw(st.integers(1, 4))
    above = sorted(draw(st.sets(st.integers(1, n - 1), min_size=1, max_size=3)))
    chosen = draw(st.permutations(range(n)))[:n_pos]

    def binned(rows: tuple[int, ...]) -> list[tuple[int, int]]:
        counts = [sum(row < cut for row in rows) for cut in above]
        return [
            in_bin(seen, max(0, cut - n + n_pos), min(cut, n_pos), step)
            for seen, cut in zip(counts, above, strict=True)
        ]

    seen = binned(tuple(chosen))
    edges = [0, *above, n]
    fits = [
        tuple(sum(a <= row < b for row in rows) for a, b in itertools.pairwise(edges))
        for rows in itertools.combinations(range(n), n_pos)
        if binned(rows) == seen
    ]
    positives = np.array([sum(row < cut for row in chosen) for cut in above])
    counts = counts_in_bins(np.array(above), positives, step, n_pos, n - n_pos)
    assert list(zip(counts.low.tolist(), counts.high.tolist(), strict=True)) == seen
    return counts, fits


@given(curves())
def test_the_parts_have_the_limits_of_all_labelings_that_fit(
    case: tuple[CoarseCounts, list[tuple[int, ...]]],
) -> None:
    counts, fits = case
    assert [part[1:] for part in counts.parts()] == [
        (min(values), max(values)) for values in zip(*fits, strict=True)
    ]


@given(curves())
def test_the_drawn_rates_are_rates(case: tuple[CoarseCounts, Any]) -> None:
    fpr, tpr = case[0].rates
    for rate in (fpr, tpr):
        assert rate[0] == 0.0
        assert rate[-1] == 1.0
        assert (np.diff(rate) >= 0).all()


@given(st.integers(5, 9), st.integers(1, 8), st.integers(1, 4))
def test_values_bounds_the_number_of_different_curves(n: int, n_pos: int, step: int) -> None:
    n_pos, above = min(n_pos, n - 1), np.array([2, 4])
    seen = set()
    for rows in itertools.combinations(range(n), n_pos):
        positives = np.array([sum(row < cut for row in rows) for cut in above])
        counts = counts_in_bins(above, positives, step, n_pos, n - n_pos)
        seen.add(tuple(counts.low.tolist()))
    assert len(seen) <= counts.values


@given(st.integers(2, 400), st.integers(2, 30), st.data())
def test_no_bin_is_narrow(n: int, step: int, data: Any) -> None:
    """A multiple of the step at the end would hold one count where sizes are just above it."""
    n_pos = data.draw(st.integers(1, n - 1))
    above = data.draw(st.integers(1, n - 1))
    least, most = max(0, above - n + n_pos), min(above, n_pos)
    seen = data.draw(st.integers(least, most))
    found = counts_in_bins(np.array([above]), np.array([seen]), step, n_pos, n - n_pos)
    low, high = int(found.low[0]), int(found.high[0])
    assert least <= low <= seen <= high <= most
    assert high - low + 1 >= min(step, most - least + 1)

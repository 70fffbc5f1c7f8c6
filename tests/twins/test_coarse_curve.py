"""What a coarse curve leaves open, against all labelings of a few rows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.evaluation.public.coarse_curve import CoarseCounts


@st.composite
def curves(draw: Any) -> tuple[CoarseCounts, list[tuple[int, ...]]]:
    """A coarse curve of up to nine rows, and the positives in each part by labeling that fits."""
    n = draw(st.integers(4, 9))
    n_pos = draw(st.integers(1, n - 1))
    step = draw(st.integers(1, 4))
    above = sorted(draw(st.sets(st.integers(1, n - 1), min_size=1, max_size=3)))
    chosen = draw(st.permutations(range(n)))[:n_pos]

    def rounded(rows: tuple[int, ...]) -> list[int]:
        return [step * round(sum(row < cut for row in rows) / step) for cut in above]

    seen = rounded(tuple(chosen))
    edges = [0, *above, n]
    fits = [
        tuple(sum(a <= row < b for row in rows) for a, b in itertools.pairwise(edges))
        for rows in itertools.combinations(range(n), n_pos)
        if rounded(rows) == seen
    ]
    counts = CoarseCounts(np.array(above), np.array(seen), step, n_pos, n - n_pos)
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


def test_values_bounds_the_number_of_different_curves() -> None:
    n, n_pos, step, above = 9, 4, 2, [3, 6]
    seen = {
        tuple(step * round(sum(row < cut for row in rows) / step) for cut in above)
        for rows in itertools.combinations(range(n), n_pos)
    }
    counts = CoarseCounts(np.array(above), np.array([2, 4]), step, n_pos, n - n_pos)
    assert len(seen) <= counts.values == 6

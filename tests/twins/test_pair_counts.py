"""The pairs of each row, one_by_one by halving, against a look at every pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocsolid.summaries import pair_counts
from rocsolid.summaries.pair_counts import ConcordantCounts, smaller_before
from rocsolid.summaries.score_counts import distinct_scores

ROWS = st.integers(1, 70).flatmap(
    lambda n: st.tuples(
        *(st.lists(st.integers(0, most), min_size=n, max_size=n) for most in (4, 90)),
        *(st.lists(st.integers(0, most), min_size=n, max_size=n) for most in (5, 90)),
        st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.5]), min_size=n, max_size=n),
        st.booleans(),
        st.booleans(),
    )
)


@pytest.mark.parametrize("one_by_one", [True, False])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
def test_pair_counts_are_those_of_all_pairs(
    one_by_one: bool, rows: tuple, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few outcomes one by one, and all by halving."""
    few_outcomes, outcomes, few_scores, scores, weight, graded, tied = rows
    y = np.array(few_outcomes if graded else outcomes)
    s = np.array(few_scores if tied else scores)
    w = None if weight is None else np.array(weight)
    monkeypatch.setattr(pair_counts, "_FEW", 12 if one_by_one else 0)
    found = ConcordantCounts.of(distinct_scores(y)[1], distinct_scores(s)[1], w)
    each = np.ones(len(y)) if w is None else w
    apart = y[:, None] != y
    level = apart & (s[:, None] == s)
    right = apart & ((y[:, None] < y) == (s[:, None] < s)) & ~level
    # sums of halves, which are exact
    np.testing.assert_array_equal(found.comparable, apart @ each)
    np.testing.assert_array_equal(found.right, right @ each)
    np.testing.assert_array_equal(found.tied, level @ each)
    assert found.ties == level.sum() // 2


@given(st.integers(1, 150).flatmap(lambda n: st.permutations(range(n))))
def test_smaller_values_before(order: list[int]) -> None:
    found = smaller_before(np.array(order))
    for at, value in enumerate(order):
        assert found[value] == sum(one < value for one in order[:at])


def test_many_rows_are_halved_often() -> None:
    """Sizes just beyond a power of two, where blocks are filled up."""
    rng = np.random.default_rng(0)
    for n in (1025, 4095, 4097):
        order = rng.permutation(n)
        plain = [np.count_nonzero(order[:at] < value) for at, value in enumerate(order)]
        weight = rng.integers(0, 4, n) / 2
        weighed = [weight[:at][order[:at] < value].sum() for at, value in enumerate(order)]
        np.testing.assert_array_equal(smaller_before(order)[order], plain)
        np.testing.assert_array_equal(smaller_before(order, weight)[order], weighed)

"""Counting against trying every labeling, and the fast routes against the slow ones."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute_labelings import fitting, questions
from misranked_pairs import recursion
from rocsolid.leaks import count
from rocsolid.leaks.counting import subsets
from rocsolid.leaks.fourier import fourier_count
from rocsolid.leaks.gaussian import gaussian_coefficient, gaussian_coefficients, gaussian_sum
from rocsolid.leaks.half_tables import ExactTables, FloatTables
from rocsolid.leaks.ranks import doubled_ranks

Question = tuple[Fraction, list[int], dict[str, Any]]


@settings(max_examples=200)
@given(questions())
def test_count_is_the_number_found_by_trying_all(question: Question):
    auc, scores, more = question
    every = Counter(sum(labels) for labels in fitting(auc, scores, **more))
    found = count(auc, scores, **more)
    assert found.by_n_pos == dict(sorted(every.items()))
    assert found.count == every.total()


def all_aucs(scores: Any) -> dict[Fraction, Counter[int]]:
    """Every AUC of these scores: its labelings by number of positives, from all 2^n at once."""
    ranks = doubled_ranks(scores)
    n = len(ranks)
    labels = np.arange(2**n)[:, None] >> np.arange(n) & 1
    size, total = labels.sum(axis=1), labels @ ranks
    found: dict[Fraction, Counter[int]] = {}
    for (k, doubled), ways in Counter(zip(size.tolist(), total.tolist(), strict=True)).items():
        if 0 < k < n:
            auc = Fraction(doubled - k * (k + 1), 2 * k * (n - k))
            found.setdefault(auc, Counter())[k] += ways
    return found


def tie_patterns(n: int) -> list[tuple[int, ...]]:
    """The scores of every weak order of n rows, up to renaming rows: the 2^(n−1) compositions."""
    return [
        tuple(itertools.accumulate((0, *steps)))
        for steps in itertools.product((0, 1), repeat=n - 1)
    ]


@pytest.mark.parametrize("n", range(2, 8))
def test_all_labelings_of_all_tie_patterns(n: int):
    for scores in tie_patterns(n):
        for auc, ways in all_aucs(scores).items():
            assert count(auc, scores).by_n_pos == dict(ways)


def sums_by_size(ranks: np.ndarray) -> Counter[tuple[int, int]]:
    """How many of all labelings have each number of positives and sum of doubled ranks."""
    labels = np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks)) & 1
    key = labels.sum(axis=1) * 1000 + labels @ ranks
    values, ways = np.unique(key, return_counts=True)
    return Counter(
        {divmod(v, 1000): w for v, w in zip(values.tolist(), ways.tolist(), strict=True)}
    )


@pytest.mark.parametrize("n", [8, 9, 10])
def test_tables_of_all_tie_patterns(n: int):
    # done once in the same way for n = 11 … 14
    for scores in tie_patterns(n):
        ranks = np.sort(doubled_ranks(scores))
        every = sums_by_size(ranks)
        tables = ExactTables(ranks, n)
        for k in range(1, n):
            low, high = int(ranks[:k].sum()), int(ranks[n - k :].sum())
            found = [tables.count(k, s, s) for s in range(low - 1, high + 2)]
            assert found == [every[k, s] for s in range(low - 1, high + 2)]


@pytest.mark.parametrize(
    "scores",
    [
        range(14),
        [0, 0, 1, 2, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8],
        [0] * 5 + [1] * 4 + [2] * 5,
        [0, *[1] * 13],
    ],
)
def test_all_labelings_of_fourteen_rows(scores: Any):
    for auc, ways in all_aucs(list(scores)).items():
        assert count(auc, list(scores)).by_n_pos == dict(ways)


@given(st.integers(0, 14), st.integers(0, 14), st.integers(0, 200))
def test_one_coefficient_is_that_of_the_recursion(n_neg: int, n_pos: int, d: int):
    assert gaussian_coefficient(n_neg, n_pos, d) == recursion(n_neg, n_pos, d)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(-3, 150), st.integers(-3, 150))
def test_sums_of_coefficients(n_neg: int, n_pos: int, low: int, high: int):
    every = gaussian_coefficients(n_neg, n_pos)
    assert every == every[::-1]
    assert sum(every) == math.comb(n_neg + n_pos, n_pos)
    assert gaussian_sum(n_neg, n_pos, low, high) == sum(every[max(low, 0) : max(high + 1, 0)])


@st.composite
def subset_questions(draw: st.DrawFn) -> tuple[np.ndarray, int, int, int]:
    top = draw(st.sampled_from([0, 1, 4, 40]))
    weights = np.array(sorted(draw(st.lists(st.integers(0, top), min_size=1, max_size=11))))
    k = draw(st.integers(0, len(weights)))
    low = draw(st.integers(-2, int(weights.sum()) + 2))
    return weights, k, low, low + draw(st.integers(-1, 30))


@given(subset_questions())
def test_tables_and_forced_rows(question: tuple[np.ndarray, int, int, int]):
    weights, k, low, high = question
    every = sum(
        low <= sum(chosen) <= high for chosen in itertools.combinations(weights.tolist(), k)
    )
    assert subsets(weights, k, low, high).count() == every
    assert ExactTables(weights, k).count(k, low, high) == every
    assert FloatTables(weights, k).count(k, low, high) == every


@settings(max_examples=60)
@given(st.data())
def test_fourier_inversion_of_tied_scores(data: st.DataObject):
    top = data.draw(st.sampled_from([1, 3, 25]))
    scores = data.draw(st.lists(st.integers(0, top), min_size=6, max_size=25))
    ranks = np.sort(doubled_ranks(scores))
    weights, sizes = np.unique(ranks - ranks[0], return_counts=True)
    k = data.draw(st.integers(1, len(scores) - 1))
    every = np.repeat(weights, sizes)
    least, most = int(every[:k].sum()), int(every[len(every) - k :].sum())
    if most - least < 2:
        return
    low = data.draw(st.integers(least + 1, most - 1))
    high = data.draw(st.integers(low, most - 1))
    exact = ExactTables(every, k).count(k, low, high)
    if exact == 0:
        return
    found = fourier_count(weights, k, low, high, sizes, exposure=True)
    assert found.log_count == pytest.approx(math.log(exact), abs=1e-9)
    assert found.relative_error < 1e-6
    assert found.exposure is not None
    for row, weight in enumerate(weights.tolist()):
        others = np.delete(every, np.searchsorted(every, weight))
        with_row = ExactTables(others, k - 1).count(k - 1, low - weight, high - weight)
        assert found.exposure[row] == pytest.approx(with_row / exact, abs=1e-8)

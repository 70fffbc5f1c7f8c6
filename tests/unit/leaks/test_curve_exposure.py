"""The programme over the AUC, the class sizes and a curve, against a list of all labelings."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.leaks import exposure
from rocsolid.leaks.curve_exposure import RankedUnits, _counted, curve_exposure
from rocsolid.leaks.ranks import doubled_ranks


@st.composite
def questions(draw: st.DrawFn) -> RankedUnits:
    count = draw(st.integers(2, 8))
    rows = np.array(draw(st.lists(st.integers(1, 3), min_size=count, max_size=count)))
    extra = np.array(draw(st.lists(st.integers(0, 9), min_size=count, max_size=count)))
    most = int(rows.sum())
    size = st.integers(0, most)
    ranges = st.builds(lambda low, width: range(low, low + width), *[st.integers(0, 40)] * 2)
    bins = st.tuples(size, size).map(lambda ends: (min(ends), max(ends)))
    targets = draw(st.dictionaries(size, ranges, min_size=2, max_size=6))
    worth = {k: draw(st.floats(0.1, 9.0)) for k in targets}
    weights = draw(st.integers(1, 3)) * extra + draw(st.integers(0, 4)) * rows
    cuts = draw(st.dictionaries(st.integers(1, count), bins, min_size=1, max_size=2))
    odds = np.array(draw(st.lists(st.floats(0.01, 90.0), min_size=count, max_size=count)))
    return RankedUnits(
        rows, weights, targets, cuts, draw(st.sampled_from([worth, None])),
        draw(st.sampled_from([odds, None])),
    )  # fmt: skip


@given(questions())
def test_counts_are_those_of_all_labelings(question: RankedUnits) -> None:
    count = len(question.rows)
    positive, negative, total = np.zeros(count), np.zeros(count), 0.0
    for labels in map(np.array, itertools.product([0, 1], repeat=count)):
        k, above = int(labels @ question.rows), np.cumsum(labels * question.rows)
        if int(labels @ question.weights) not in question.targets.get(k, range(0)):
            continue
        if all(low <= above[i - 1] <= high for i, (low, high) in question.cuts.items()):
            times = 1.0 if question.worth is None else question.worth[k]
            if question.odds is not None:
                times *= float(np.prod(question.odds[labels == 1]))
            positive += times * labels
            negative += times * (1 - labels)
            total += times
    exposed = curve_exposure(question)
    if not total:
        assert exposed is None
        return
    assert exposed is not None
    np.testing.assert_allclose(exposed.positive, positive, rtol=1e-12)
    np.testing.assert_allclose(exposed.negative, negative, rtol=1e-12)
    assert (exposed.covered == ((positive > 0) & (negative > 0))).all()


def test_a_bin_of_the_curve_is_kept_at_both_ends() -> None:
    """Two of four rows are positive, and one to one of the first two: four of six labelings."""
    question = RankedUnits(np.ones(4, dtype=np.int64), np.arange(4), {2: range(9)}, {2: (1, 1)})
    exposed = curve_exposure(question)
    assert exposed is not None
    assert (exposed.positive + exposed.negative == 4).all()


def test_without_a_curve_it_is_the_exposure_of_an_exact_auc() -> None:
    scores = np.random.default_rng(0).integers(0, 30, 70).astype(float)
    order = np.argsort(-scores, kind="stable")
    wins = 2 * 25 * 45 * 4 // 5
    sums = range(25 * 26 + wins, 25 * 26 + wins + 1)
    exposed = curve_exposure(
        RankedUnits(np.ones(70, dtype=np.int64), doubled_ranks(scores)[order], {25: sums}, {})
    )
    assert exposed is not None
    expected = exposure("4/5", scores, n_pos=25)
    assert expected.method == "exact"
    np.testing.assert_allclose(exposed.probability, expected.probability[order], rtol=1e-11)


def test_tables_that_are_too_large_are_refused() -> None:
    ranks = 2 * np.arange(3000, 0, -1)
    middle = 1000 * 3001
    question = RankedUnits(
        np.ones(3000, dtype=np.int64), ranks, {1000: range(middle, middle + 9)}, {}
    )
    assert curve_exposure(question) is None


@pytest.mark.parametrize(
    "other",
    [
        {"rows": np.array([1, 1, 1, 2])},
        {"weights": np.array([9, 6, 4, 2])},
        {"targets": {1: range(4, 9), 2: range(8, 13)}},
        {"cuts": {2: (1, 1)}},
        {"worth": {1: 1.0, 2: 3.0}},
        {"odds": np.array([1.0, 2.0, 1.0, 1.0])},
    ],
    ids=lambda other: next(iter(other)),
)
def test_a_question_is_remembered_with_all_its_parts(other: dict[str, Any]) -> None:
    asked = RankedUnits(
        np.ones(4, dtype=np.int64), np.array([8, 6, 4, 2]), {1: range(2, 9), 2: range(6, 13)},
        {2: (0, 1)}, {1: 1.0, 2: 2.0}, np.array([1.0, 2.0, 1.0, 0.5]),
    )  # fmt: skip
    first, second = curve_exposure(asked), curve_exposure(replace(asked, **other))
    assert first is not None
    assert second is not None
    assert curve_exposure(replace(asked)) is first
    counted = _counted(replace(asked, **other))
    assert counted is not None
    assert (second.probability == counted.probability).all()
    assert (second.probability != first.probability).any()

"""Declared measures of samples, all at once, against the public functions on each sample."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.discounts.discount import as_discount
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.graded.estimate import estimate_of
from rocsolid.graded.measure_name import measure as list_measure
from rocsolid.inputs.binary import binary_rows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.theory.asymptotics.distinguishing.compared_list import ComparedList, Weights, growing
from rocsolid.theory.asymptotics.distinguishing.sampled_measures import (
    QueryRows,
    declared,
    sampled_values,
)

LISTS = [
    "ndcg[exp2]@3",
    "dcg",
    "ap",
    "rr",
    "p@2",
    "success@2",
    "err(max=2)",
    "rprec",
    "gauc",
    "rbp(p=0.6)",
]
ROWS = ["auc", "partial_auc(fpr<=0.3)", "weighted_auc(power(2))", "pr_auc", "precision@20%",
        "recall@3", "bedroc(20)", "sensitivity(specificity=0.8)"]  # fmt: skip
ITEM = st.tuples(
    st.sampled_from([0.0, 0.0, 1.0, 2.0, math.nan]),
    st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0]),
    st.sampled_from([0.0, 1.0, 1.5, 2.0]),
)


def alone(grade: Any, score: Any, name: str) -> float:
    """The value of one sample as an estimate of its own; NaN where the measure is undefined."""
    try:
        if name in LISTS:
            return float(estimate_of(grade, score, list_measure(name), {}).value)
        rows = ScoredRows(binary_rows(grade >= 1.0, score))
        return float(measure_of(name).estimate(rows, Options()).value)
    except (OneClassError, UnsoundError, InputError):
        return math.nan


@settings(max_examples=20)
@given(st.lists(ITEM, min_size=2, max_size=12), st.randoms(use_true_random=False), st.data())
def test_each_sample_is_measured_as_a_table_of_its_own(
    items: list[tuple[float, float, float]], shuffle: Any, data: Any
) -> None:
    grade, a, b = np.array(items).T
    n = len(items)
    order = list(range(1, n + 1))
    shuffle.shuffle(order)
    time = np.array([order, order[::-1]], dtype=np.int32)
    low = data.draw(st.integers(0, n - 1))
    high = data.draw(st.integers(low + 1, n))
    names = [data.draw(st.sampled_from(LISTS)), *data.draw(st.permutations(ROWS))[:2]]
    measures = [declared([name], queries=name in LISTS)[0] for name in names]
    values = sampled_values(QueryRows(grade, (a, b)), time, [(0, n), (low, high)], measures)
    assert values.shape == (2, 3, 2, 2)
    for r, score in enumerate((a, b)):
        for w, (first, last) in enumerate([(0, n), (low, high)]):
            for sample in range(2):
                taken = (time[sample] > first) & (time[sample] <= last)
                expected = [alone(grade[taken], score[taken], name) for name in names]
                assert values[r, :, w, sample] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_large_samples_are_measured_one_by_one() -> None:
    rng = np.random.default_rng(1)
    grade = (rng.random(5000) < 0.3) * 1.0
    score = grade + rng.normal(size=5000)
    time = np.arange(1, 5001, dtype=np.int32)[None, :]
    measures = declared(["auc", "pr_auc"], queries=False)
    values = sampled_values(QueryRows(grade, (score,)), time, [(0, 5000), (0, 4500)], measures)
    for w, n in enumerate((5000, 4500)):
        assert values[0, 0, w, 0] == pytest.approx(rs.auc(grade[:n], score[:n]).value, abs=1e-12)
        assert values[0, 1, w, 0] == pytest.approx(rs.pr_auc(grade[:n], score[:n]).value, abs=1e-12)


def test_a_mean_is_over_the_queries_with_a_value() -> None:
    """The second query has no negative, so the AUC is the first one's, and NDCG is that of both."""
    grades = [np.array([1.0, 0.0, 0.0, 1.0]), np.array([1.0, 2.0])]
    scores = [np.array([4.0, 3.0, 2.0, 1.0]), np.array([2.0, 1.0])]
    lists = [ComparedList.of([s, -s], g) for g, s in zip(grades, scores, strict=True)]
    weights = [Weights.of(as_discount("log2"), [Cutoff()], 4)]
    growth = growing(lists, weights, [4], 3, 0, lambda _: None, declared(["auc"], queries=True))
    ndcg = np.mean([rs.ndcg(g, s).value for g, s in zip(grades, scores, strict=True)])
    assert growth.prefix[0, 0, 0] == pytest.approx([ndcg] * 3)
    assert growth.prefix[:, 1, 0].tolist() == [[0.5] * 3, [0.5] * 3]

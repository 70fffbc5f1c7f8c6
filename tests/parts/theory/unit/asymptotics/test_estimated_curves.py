"""Relevance curves from data against plain loops."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.theory.asymptotics import curves, gap_order, predicted_ndcg
from rocsolid.theory.asymptotics.curves.estimated import EstimatedCurve
from rocsolid.theory.asymptotics.curves.levels import ranked_lists

Rows = tuple[list[int], list[int], list[int]]


@st.composite
def rows(draw: st.DrawFn) -> Rows:
    n = draw(st.integers(2, 24))
    grade = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    score = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    qid = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    grade[draw(st.integers(0, n - 1))] = 2
    return grade, score, qid


def plain_steps(data: Rows, s: float) -> float:
    """The average query's gain at s: each item is as wide as 1/n, equal scores share their mean."""
    values = []
    for q in set(data[2]):
        items = [(x, y) for y, x, g in zip(*data, strict=True) if g == q]
        if not any(y for _, y in items):
            continue
        items.sort()
        place = min(len(items) - 1, int(np.ceil(s * len(items))) - 1)
        same = [y for x, y in items if x == items[place][0]]
        values.append(sum(same) / len(same))
    return sum(values) / len(values)


@given(rows())
def test_steps_of_the_average_query(data: Rows) -> None:
    lists = ranked_lists(data[0], data[1], data[2], "linear")
    edges, values = lists.steps()
    for low, high, value in zip(edges[:-1], edges[1:], values, strict=True):
        assert value == pytest.approx(plain_steps(data, (low + high) / 2), abs=1e-12)
    assert float(values @ np.diff(edges)) == pytest.approx(lists.levels.mean, abs=1e-12)
    assert sum(lists.levels.shares) == pytest.approx(1.0)


@given(rows())
def test_isotonic_is_the_best_curve_that_never_falls(data: Rows) -> None:
    """Against the max-min formula: max over a ≤ s of min over b ≥ s of the mean over [a, b]."""
    curve = curves.isotonic(data[0], data[1], qid=data[2])
    edges, values = ranked_lists(data[0], data[1], data[2], "linear").steps()
    area = np.concatenate([[0.0], np.cumsum(values * np.diff(edges))])
    for i in range(len(values)):
        expected = max(
            min((area[b] - area[a]) / (edges[b] - edges[a]) for b in range(i + 1, len(edges)))
            for a in range(i + 1)
        )
        assert curve.mean((edges[i] + edges[i + 1]) / 2) == pytest.approx(expected, abs=1e-9)
    steps = np.concatenate([[0.0], curve.breaks, [1.0]])
    mean = float(curve.mean((steps[1:] + steps[:-1]) / 2) @ np.diff(steps))
    assert mean == pytest.approx(curve.levels.mean, abs=1e-9)


@given(rows(), st.integers(1, 6))
def test_binned_keeps_the_mean_and_lies_in_its_band(data: Rows, bins: int) -> None:
    for qid in (None, data[2]):
        curve = curves.binned(data[0], data[1], qid=qid, bins=bins)
        steps = np.concatenate([[0.0], curve.breaks, [1.0]])
        middle = (steps[1:] + steps[:-1]) / 2
        assert float(curve.mean(middle) @ np.diff(steps)) == pytest.approx(curve.levels.mean)
        low, high = curve.band(middle)
        assert np.all((low <= curve.mean(middle) + 1e-9) & (curve.mean(middle) <= high + 1e-9))
        if curve.queries > 1:
            assert len(middle) == bins


def test_binned_counts_whole_items() -> None:
    """Ten items in two parts; the tie across the middle goes to one side as a whole."""
    labels = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    curve = curves.binned(labels, [0, 1, 2, 3, 4, 4, 6, 7, 8, 9], bins=2)
    assert curve.breaks == (0.4,)
    assert curve.mean([0.2, 0.8]) == pytest.approx([1 / 4, 4 / 6])
    low, high = clopper_pearson([1, 4], [4, 6], 0.025)
    assert curve.band([0.2, 0.8]) == (pytest.approx(low), pytest.approx(high))
    assert curve.certified
    assert "in the window" in " ".join(curve.assumptions)
    assert "Clopper" in curve.source


def test_bands_for_grades_and_for_queries() -> None:
    rng = np.random.default_rng(0)
    s = rng.random(900)
    grade = rng.integers(0, 3, 900) * (rng.random(900) < s)
    qid = np.repeat(np.arange(30), 30)
    single = curves.binned(grade, s, bins=3)
    many = curves.binned(grade, s, qid=qid, bins=3)
    assert single.source == many.source == "Hoeffding 1963, Theorem 1"
    assert "items independent" in single.assumptions[0]
    assert "queries independent" in many.assumptions[0]
    width = [float(np.ptp(np.array(c.band([0.5])))) for c in (single, many)]
    assert width[0] < width[1]  # 30 queries say less than 300 items
    assert (many.items, many.queries) == (900, 30)
    back = json.loads(json.dumps(many.to_dict(), allow_nan=False))
    assert back["certified"]
    assert len(back["low"]) == len(back["s"])
    assert "30 queries" in str(many)


def test_exponential_gains_and_queries_without_a_relevant_item() -> None:
    curve = curves.isotonic([2, 0, 1, 0, 0], [5, 4, 3, 2, 1], qid=[1, 1, 1, 2, 2], gain="exp2")
    assert curve.levels.grades == (3.0, 1.0, 0.0)
    assert (curve.queries, curve.items, curve.left_out) == (1, 3, 1)


@pytest.mark.parametrize(
    "fit", [curves.isotonic, curves.binned, curves.local], ids=["isotonic", "binned", "local"]
)
def test_each_estimate_finds_the_curve(fit: Callable[..., EstimatedCurve]) -> None:
    """100,000 items and ȳ = .1 + .5s²: within .05 from .05 to .95, far above the noise of .01."""
    rng = np.random.default_rng(3)
    s = rng.random(100_000)
    truth = curves.power(0.1, 0.6, 2)
    labels = rng.random(100_000) < truth.mean(s)
    curve = fit(labels.astype(int), s)
    at = np.linspace(0.05, 0.95, 19)
    assert curve.mean(at) == pytest.approx(truth.mean(at), abs=0.05)
    assert curve.levels.mean == pytest.approx(labels.mean())
    assert predicted_ndcg("log2", curve, 1000) == pytest.approx(
        predicted_ndcg("log2", truth, 1000), abs=0.02
    )


def test_local_goes_down_where_the_data_do() -> None:
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0])
    curve = curves.local(labels, np.arange(12), width=1 / 3)
    assert curve.mean([0.0, 0.5, 1.0]) == pytest.approx([0.0, 1.0, 0.0])
    with pytest.raises(rs.InputError, match="fewer than two of 12 items"):
        curves.local(labels, np.arange(12), width=0.1)
    with pytest.raises(rs.InputError, match="above 0 and is at most 1"):
        curves.local(labels, np.arange(12), width=0)
    # every window lies inside one block of equal scores
    assert curves.local(labels, np.zeros(12)).mean(0.5) == pytest.approx(1 / 3)


def test_two_rankers_of_the_same_data_have_a_gap_of_order_one() -> None:
    rng = np.random.default_rng(4)
    labels = rng.random(2000) < 0.3
    a, b = labels + rng.normal(size=(2, 2000)) * np.array([[0.8], [1.2]])
    for fit in (curves.isotonic, curves.binned):
        order = gap_order(fit(labels * 1, a), fit(labels * 1, b))
        assert order.K == 1
        assert order.a > 0
        assert order.a == pytest.approx(rs.asymptotics.log_rank_gap(labels * 1, a, b), abs=0.1)
    with pytest.raises(rs.InputError, match="estimate both with isotonic or binned"):
        gap_order(curves.local(labels * 1, a), curves.local(labels * 1, b))


def plain_log_rank_gap(labels: NDArray[Any], a: NDArray[Any], b: NDArray[Any]) -> float:
    def logs(score: NDArray[Any], i: int) -> float:
        above, same = int(np.sum(score > score[i])), int(np.sum(score == score[i]))
        return float(np.mean(np.log(above + 1 + np.arange(same))))

    each = [y * (logs(b, i) - logs(a, i)) for i, y in enumerate(labels)]
    return sum(each) / float(labels.sum())


@given(rows())
def test_log_rank_gap_against_a_loop(data: Rows) -> None:
    labels, a = np.array(data[0]), np.array(data[1])
    b = (a * 7 + np.arange(len(a))) % 4
    found = rs.asymptotics.log_rank_gap(labels, a, b)
    assert found == pytest.approx(plain_log_rank_gap(labels, a, b), abs=1e-12)
    qid = np.array(data[2])
    parts = [
        plain_log_rank_gap(labels[qid == q], a[qid == q], b[qid == q]) * labels[qid == q].sum()
        for q in set(data[2])
        if labels[qid == q].any()
    ]
    found = rs.asymptotics.log_rank_gap(labels, a, b, qid=qid)
    assert found == pytest.approx(sum(parts) / labels.sum(), abs=1e-12)


def test_all_relevant_is_not_certainty() -> None:
    low, high = curves.isotonic([1, 1, 1], [1, 2, 3]).band([0.2, 0.8])
    assert low[0] == 0.0
    assert high[1] == 1.0


def test_bad_data() -> None:
    with pytest.raises(rs.InputError, match="no item is relevant"):
        curves.isotonic([0, 0], [1, 2])
    with pytest.raises(rs.InputError, match="no item is relevant"):
        rs.asymptotics.log_rank_gap([0, 0], [1, 2], [2, 1])
    with pytest.raises(rs.InputError, match="a level lies between"):
        curves.binned([0, 1], [1, 2], level=95)
    with pytest.raises(rs.InputError, match="bins"):
        curves.binned([0, 1], [1, 2], bins=0)

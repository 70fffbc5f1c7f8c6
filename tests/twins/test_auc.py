"""``rs.auc`` and ``rs.roc`` against the double loop."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import reference
import rocsolid as rs
from samples import labelled_scores

Rows = tuple[NDArray[np.bool_], NDArray[Any]]


@settings(max_examples=300)
@given(labelled_scores())
def test_auc_is_the_double_loop(rows: Rows) -> None:
    y, s = rows
    pos, neg = reference.split(y.tolist(), s.tolist())
    expected = reference.auc(pos, neg)
    result = rs.auc(y, s)
    assert result.exact == expected
    assert result.value == float(expected)
    assert (result.n_pos, result.n_neg) == (len(pos), len(neg))
    assert result.ties == sum(x == z for x in pos for z in neg)
    assert result.low <= result.value <= result.high


@settings(max_examples=100)
@given(labelled_scores())
def test_turning_the_scores_round_mirrors_everything(rows: Rows) -> None:
    y, s = rows
    up, down = rs.auc(y, s), rs.auc(y, s, lower_is_better=True)
    assert up.certified is not None
    assert up.certified.low <= up.value <= up.certified.high
    assert up.exact is not None
    assert down.exact == 1 - up.exact
    assert (down.low, down.high) == pytest.approx((1 - up.high, 1 - up.low))
    assert down.certified is not None
    assert (down.certified.low, down.certified.high) == pytest.approx(
        (1 - up.certified.high, 1 - up.certified.low)
    )
    swapped = rs.auc(~y, s, lower_is_better=True)
    assert swapped.exact == up.exact
    assert (swapped.low, swapped.high) == pytest.approx((up.low, up.high))


@settings(max_examples=100)
@given(labelled_scores(), st.data())
def test_integer_weights_give_the_value_of_repeated_rows(rows: Rows, data: st.DataObject) -> None:
    y, s = rows
    w = np.array(data.draw(st.lists(st.integers(1, 4), min_size=len(y), max_size=len(y))))
    repeated = rs.auc(np.repeat(y, w), np.repeat(s, w))
    assert rs.auc(y, s, sample_weight=w).value == pytest.approx(repeated.value, abs=1e-12)


@settings(max_examples=100)
@given(labelled_scores())
def test_the_curve_and_the_ranks_have_the_same_area(rows: Rows) -> None:
    y, s = rows
    pos, neg = reference.split(y.tolist(), s.tolist())
    expected = reference.auc(pos, neg)
    curve = rs.roc(y, s)
    assert curve.auc == float(expected)
    assert float(curve.positive_ranks.mean()) == pytest.approx(float(expected), abs=1e-12)
    assert np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(float(expected), abs=1e-12)
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    short = curve.simplified()
    assert np.trapezoid(short.tpr, short.fpr) == pytest.approx(float(expected), abs=1e-12)
    assert short.area_error == 0.0
    area, height = Fraction(0), 0
    for up, right in zip(curve.path.up.tolist(), curve.path.right.tolist(), strict=True):
        area += Fraction(right) * (height + Fraction(up, 2))
        height += up
    assert area / (len(pos) * len(neg)) == expected


@settings(max_examples=100)
@given(labelled_scores(), st.floats(0, 1))
def test_operating_points_are_the_best_thresholds(rows: Rows, rate: float) -> None:
    y, s = rows
    curve = rs.roc(y, s)
    points = [
        (np.count_nonzero(s[~y] >= t) / (~y).sum(), np.count_nonzero(s[y] >= t) / y.sum())
        for t in s
    ] + [(0.0, 0.0)]
    at = curve.at(fpr=rate)
    assert at.fpr <= rate
    assert at.tpr == max(tpr for fpr, tpr in points if fpr <= rate)
    at = curve.at(tpr=rate)
    assert at.tpr >= rate
    assert at.fpr == min(fpr for fpr, tpr in points if tpr >= rate)
    at = curve.at(threshold=float(s[0]))
    if float(s[0]) == s[0]:
        assert at.true_positives == np.count_nonzero(s[y].astype(float) >= float(s[0]))


@settings(max_examples=100)
@given(labelled_scores(max_size=60), st.integers(2, 12))
def test_a_simplified_curve_is_within_its_stated_error(rows: Rows, points: int) -> None:
    y, s = rows
    curve = rs.roc(y, s)
    short = curve.simplified(points)
    grid = np.unique(np.concatenate([curve.fpr, np.linspace(0, 1, 501)]))
    # the drawing may differ from the curve nowhere by more area than it says
    moved = np.trapezoid(
        np.abs(np.interp(grid, curve.fpr, curve.tpr) - np.interp(grid, short.fpr, short.tpr)), grid
    )
    assert moved <= short.area_error + 5e-3
    assert abs(np.trapezoid(short.tpr, short.fpr) - curve.auc) <= short.area_error + 1e-12

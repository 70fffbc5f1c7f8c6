from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_curve

import rocsolid as rs

RNG = np.random.Generator(np.random.Philox(5))
Y = RNG.random(500) < 0.4
S = np.round(RNG.normal(size=500) + Y, 2)
W = RNG.random(500)


@pytest.mark.parametrize("weight", [None, W], ids=["plain", "weighted"])
def test_the_curve_is_scikit_learns(weight: NDArray[Any] | None) -> None:
    fpr, tpr, thresholds = roc_curve(Y, S, sample_weight=weight, drop_intermediate=False)
    curve = rs.roc(Y, S, sample_weight=weight)
    np.testing.assert_allclose(curve.fpr, fpr, atol=1e-12)
    np.testing.assert_allclose(curve.tpr, tpr, atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    assert curve.auc == pytest.approx(rs.auc(Y, S, sample_weight=weight).value, abs=1e-12)


def test_dropping_points_on_straight_lines() -> None:
    curve = rs.roc([1, 1, 0, 0, 1], [5, 4, 3, 2, 1]).simplified()
    assert curve.fpr.tolist() == [0, 0, 1, 1]
    assert curve.thresholds.tolist() == [np.inf, 4, 2, 1]


def test_few_points_state_an_error_that_shrinks() -> None:
    curve = rs.roc(Y, S)
    errors = [curve.simplified(points).area_error for points in (5, 20, 100)]
    assert errors[0] > errors[1] > errors[2] > 0
    assert errors[2] < 0.01
    assert curve.simplified(10_000).area_error == 0.0
    assert len(curve.simplified(20).fpr) <= 20


def test_lower_is_better_keeps_the_users_thresholds() -> None:
    curve = rs.roc([1, 0, 0], [1, 2, 3], lower_is_better=True)
    assert curve.thresholds.tolist() == [-np.inf, 1, 2, 3]
    assert curve.tpr.tolist() == [0, 1, 1, 1]
    assert str(curve.at(fpr=0.0)).startswith("threshold 1: true-positive rate 1.0000 (1 of 1)")
    assert curve.at(threshold=2).false_positives == 1
    assert curve.at(threshold=0.5).true_positives == 0
    low = rs.roc([1, 0, 0], np.array([0, 1, 255], dtype=np.uint8), lower_is_better=True)
    assert low.at(threshold=1).false_positives == 1


def test_reading_a_point_needs_one_thing() -> None:
    curve = rs.roc(Y, S)
    with pytest.raises(rs.InputError, match="exactly one"):
        curve.at()
    with pytest.raises(rs.InputError, match="exactly one"):
        curve.at(fpr=0.1, tpr=0.9)
    with pytest.raises(rs.InputError, match=r"lie in \[0, 1\]"):
        curve.at(fpr=5)


def test_the_strictest_point_flags_nothing() -> None:
    point = rs.roc([0, 1], [2, 1]).at(fpr=0.0)
    assert point.threshold == np.inf
    assert point.precision is None
    assert point.to_dict()["tpr"] == 0.0


def test_ranks_with_ties_count_half() -> None:
    curve = rs.roc([1, 0, 0, 1], [1, 1, 0, 0])
    assert curve.positive_ranks.tolist() == [0.75, 0.25]
    edges, mass = curve.rank_histogram(4)
    assert mass.tolist() == [0, 1, 0, 1]
    assert edges.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_a_path_says_its_moves() -> None:
    path = rs.roc([1, 0, 0, 1, 1], [3, 3, 2, 1, 3]).path
    assert list(path) == ["diagonal (2 up, 1 right)", "right", "up"]
    assert len(path) == 3


def test_weighted_curves_have_no_path_and_no_band() -> None:
    curve = rs.roc(Y, S, sample_weight=W)
    with pytest.raises(rs.UnsoundError, match="counts rows"):
        _ = curve.path
    with pytest.raises(rs.UnsoundError, match="counts rows"):
        curve.band()


def test_a_curve_of_clustered_rows_has_values_and_no_intervals() -> None:
    table = {"y": Y, "s": S, "patient": np.arange(len(Y)) // 3}
    curve = rs.evaluate(table, label="y", scores="s", cluster="patient").curves["s"]
    alone = rs.roc(Y, S)
    assert (curve.auc, curve.fpr.tolist()) == (alone.auc, alone.fpr.tolist())
    for asked in (curve.band, curve.smooth, lambda: curve.reading(fpr=0.1)):
        with pytest.raises(rs.UnsoundError, match="takes rows for independent"):
            asked()
    for point in (curve.best(), curve.at(threshold=0.0)):
        assert not point.intervals
        assert any("clustered" in text for text in point.warnings)


def test_the_band_holds_the_curve_and_narrows() -> None:
    wide, narrow = rs.roc(Y, S).band(level=0.99), rs.roc(Y, S).band(level=0.8)
    curve = rs.roc(Y, S)
    on_grid = np.interp(wide.fpr, curve.fpr, curve.tpr)
    assert np.all(wide.low <= on_grid + 1e-12)
    assert np.all(wide.high >= on_grid - 1e-12)
    assert np.all(wide.low <= narrow.low)
    assert np.all(wide.high >= narrow.high)
    assert np.all(np.diff(wide.low) >= 0)
    assert np.all(np.diff(wide.high) >= 0)
    with pytest.raises(rs.InputError, match="kind"):
        curve.band(kind="wavy")  # type: ignore[arg-type]


def test_a_curve_prints_as_one_line() -> None:
    curve = rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    assert str(curve) == "ROC curve with 7 corners, area 0.8333"
    assert str(curve.simplified(3)).endswith(
        f"drawn to within {curve.simplified(3).area_error:.2g}"
    )


@pytest.mark.parametrize("value", [float("nan"), "0.5"])
def test_a_point_is_read_at_a_number(value: Any) -> None:
    with pytest.raises(rs.InputError, match="threshold must be a number"):
        rs.roc([0, 1], [0.2, 0.7]).at(threshold=value)

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.curve_panel import asked_points, usual_points
from rocsolid.evaluation.questions import screening
from rocsolid.remarks.values import ChosenHere

DATA = screening(3_000)
CURVE = rs.roc(DATA["ill"], DATA["risk"])


def test_the_points_are_those_of_the_curve_itself() -> None:
    points, missing = usual_points(CURVE, 0.9)
    expected = [
        *(CURVE.at(fpr=rate, level=0.9) for rate in (0.01, 0.05, 0.1)),
        CURVE.at(tpr=0.9, level=0.9),
        CURVE.best(level=0.9),
    ]
    assert missing == ()
    for found, point in zip(points, expected, strict=True):
        assert (found.threshold, found.tpr, found.fpr) == (point.threshold, point.tpr, point.fpr)
        limits = point.intervals["tpr"], point.intervals["fpr"]
        assert (found.tpr_limits, found.fpr_limits) == tuple((i.low, i.high) for i in limits)
        assert (found.level, found.method) == (0.9, "equal-local-levels")
        assert found.warnings == (ChosenHere(),)


def test_ways_to_the_same_threshold_are_one_point() -> None:
    y = np.repeat([0, 1], 300)
    score = np.concatenate([np.zeros(290), np.ones(10), np.ones(280), np.zeros(20)])
    points, missing = usual_points(rs.roc(y, score), 0.95)
    assert [point.threshold for point in points] == [1.0]
    assert points[0].chosen.count(";") == 3
    assert missing == (
        "At most 1 % of the negatives flagged: that takes a threshold beyond all scores, flagging "
        "nothing.",
    )


def test_rates_below_one_negative_are_not_given() -> None:
    points, missing = usual_points(rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5]), 0.95)
    assert missing == ("4 negatives are too few for a false-positive rate of 1 %, 5 % and 10 %.",)
    assert all("negatives flagged" not in point.chosen for point in points)


@pytest.mark.parametrize("clustered", [False, True])
def test_weighted_and_clustered_rows_have_points_without_intervals(clustered: bool) -> None:
    weight = None if clustered else np.linspace(1, 2, 3_000)
    curve = rs.roc(DATA["ill"], DATA["risk"], sample_weight=weight)
    points, _ = usual_points(curve, 0.95, clustered=clustered)
    assert len(points) == 5
    word = "clustered" if clustered else "weighted"
    for point in points:
        assert point.tpr_limits is None
        assert point.fpr_limits is None
        assert any(word in text for text in point.warnings)


def test_a_threshold_given_beforehand_stays_apart_from_the_same_one_chosen() -> None:
    best = CURVE.best()
    given, chosen = asked_points([CURVE.at(threshold=best.threshold), best])
    assert given.threshold == chosen.threshold
    assert (given.method, chosen.method) == ("clopper-pearson", "equal-local-levels")
    assert given.warnings == ()
    assert given.tpr_limits is not None
    assert chosen.tpr_limits is not None
    assert chosen.tpr_limits[0] < given.tpr_limits[0] < given.tpr_limits[1] < chosen.tpr_limits[1]

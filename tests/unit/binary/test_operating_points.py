from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

import rocsolid as rs
from rocsolid.binary.curve_reading import RATES, OperatingPoint
from rocsolid.binary.point import with_any, with_given

RNG = np.random.Generator(np.random.Philox(6))
Y = RNG.random(200) < 0.3
S = np.round(RNG.normal(size=200) + Y, 1)
CURVE = rs.roc(Y, S)


def test_values_from_the_four_counts() -> None:
    point = OperatingPoint(0.5, "≥", 8, 3, 10, 100)
    assert (point.tpr, point.fpr) == (8 / 10, 3 / 100)
    assert (point.precision, point.npv) == (8 / 11, 97 / 99)
    assert (point.accuracy, point.youden) == (105 / 110, 8 / 10 - 3 / 100)


def test_values_at_a_prevalence() -> None:
    point = OperatingPoint(0.5, "≥", 8, 3, 10, 100, prevalence=0.5)
    assert point.precision == pytest.approx(0.4 / 0.415)
    assert point.npv == pytest.approx(0.485 / 0.585)
    assert point.accuracy == pytest.approx(0.4 + 0.485)
    # the sample's own prevalence gives the sample's own values
    same = OperatingPoint(0.5, "≥", 8, 3, 10, 100, prevalence=10 / 110)
    assert same.precision == pytest.approx(8 / 11)
    assert same.accuracy == pytest.approx(105 / 110)


def test_a_given_threshold_has_exact_or_calibrated_intervals() -> None:
    exact, short = CURVE.at(threshold=0.5), CURVE.at(threshold=0.5, interval="wilson")
    for name in RATES:
        one, other = exact.intervals[name], short.intervals[name]
        assert one.certified
        assert not other.certified
        assert one.low < getattr(exact, name) < one.high
        assert other.low < getattr(exact, name) < other.high
        assert one.width > other.width
    assert exact.warnings == ()
    assert "positives and negatives sampled together" in exact.intervals["npv"].assumptions[-1]
    assert "fixed before" in exact.intervals["tpr"].assumptions[-1]


def test_a_threshold_found_in_the_data_has_wider_intervals_and_a_warning() -> None:
    best = CURVE.best()
    given = CURVE.at(threshold=best.threshold)
    assert (given.tpr, given.fpr) == (best.tpr, best.fpr)
    assert all(best.intervals[name].width > given.intervals[name].width for name in RATES)
    assert best.intervals["tpr"].method == "equal-local-levels"
    assert "chosen on the same rows" in best.warnings[-1]
    assert CURVE.at(fpr=0.1).chosen == "fpr"
    assert CURVE.at(fpr=0.1).intervals["tpr"].certified
    with pytest.raises(rs.UnsoundError, match="fixed beforehand"):
        CURVE.at(fpr=0.1, interval="wilson")


def test_the_best_points_are_best() -> None:
    tpr, fpr = CURVE.tpr, CURVE.fpr
    assert CURVE.best("youden").youden == pytest.approx(np.max(tpr - fpr), abs=1e-15)
    near = CURVE.best("closest-topleft")
    assert np.hypot(1 - near.tpr, near.fpr) == pytest.approx(np.min(np.hypot(1 - tpr, fpr)))
    cheap = CURVE.best("cost", prevalence=0.1, cost_ratio=4)
    costs = 4 * 0.1 * (1 - tpr) + 0.9 * fpr
    assert 4 * 0.1 * (1 - cheap.tpr) + 0.9 * cheap.fpr == pytest.approx(costs.min())
    assert cheap.prevalence == 0.1


def test_the_strictest_of_equally_good_points() -> None:
    point = rs.roc([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1]).best()
    assert point.threshold == 6
    assert point.warnings[0].startswith("2 other thresholds are just as good")


def test_lower_is_better() -> None:
    turned = rs.roc(Y, -S, lower_is_better=True)
    best, other = turned.best(), CURVE.best()
    assert best.threshold == -other.threshold
    assert best.rule == "≤"
    assert best.intervals["tpr"] == other.intervals["tpr"]


def test_weighted_points_have_values_only() -> None:
    point = rs.roc(Y, S, sample_weight=RNG.random(200)).best()
    assert point.intervals == {}
    assert point.warnings[-1].startswith("Rows are weighted")
    assert "Sensitivity" in point.explain()


def test_nothing_flagged() -> None:
    point = CURVE.at(threshold=99, prevalence=0.01)
    assert point.precision is None
    assert point.intervals["precision"].low == 0.0
    assert "Positive predictive value not defined (0.0000 to " in point.explain()
    assert rs.roc(Y, S).at(threshold=99).intervals["precision"].vacuous
    calibrated = CURVE.at(threshold=99, interval="wilson", prevalence=0.01)
    assert calibrated.intervals["precision"].vacuous


def test_json() -> None:
    strict = CURVE.at(fpr=0.0)
    plain = strict.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert set(plain["intervals"]) == set(RATES)
    none = rs.roc([0, 1], [2, 1]).at(fpr=0.0).to_dict()
    assert none["threshold"] == "inf"
    assert "Intervals at 95 %: equal-local-levels." in strict.explain()
    assert "prevalence of 0.2" in CURVE.at(threshold=0, prevalence=0.2).explain()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"criterion": "yuden"}, "use 'youden'"),
        ({"criterion": "wavy"}, "use one of youden, closest-topleft, cost"),
        ({"criterion": "cost"}, "both the prevalence and the cost ratio"),
        ({"criterion": "cost", "cost_ratio": 3}, "prevalence"),
        ({"criterion": "closest-topleft", "cost_ratio": 3}, "both the prevalence"),
        ({"criterion": "youden", "cost_ratio": 3, "prevalence": 0.1}, 'criterion="cost"'),
        ({"criterion": "cost", "cost_ratio": 0, "prevalence": 0.1}, "positive number"),
        ({"prevalence": 1.0}, "between 0 and 1"),
        ({"level": 95}, "level must lie strictly"),
    ],
)
def test_best_refuses(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        CURVE.best(**wrong)


@pytest.mark.parametrize(
    ("interval", "message"), [("willson", "use 'wilson'"), ("x", "use one of clopper-pearson")]
)
def test_unknown_intervals(interval: Any, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        CURVE.at(threshold=0.5, interval=interval)


def test_text_is_no_prevalence_and_no_price() -> None:
    curve = rs.roc([0, 1, 0, 1], [1, 2, 3, 4])
    with pytest.raises(rs.InputError, match="prevalence lies"):
        curve.at(threshold=2, prevalence="rare")  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="cost ratio is a positive"):
        curve.best("cost", prevalence=0.1, cost_ratio="high")  # type: ignore[arg-type]


def test_a_prevalence_next_to_zero_with_no_right_rejection() -> None:
    everything = rs.roc([0, 1, 0, 1], [1, 2, 3, 4]).at(
        threshold=0, interval="wilson", prevalence=1e-300
    )
    assert everything.intervals["npv"].low == 0.0


def test_what_cannot_be_weighed_or_looked_up_is_refused_by_name() -> None:
    curve = rs.roc([0, 0, 1, 1], [1, 3, 2, 4])
    with pytest.raises(rs.InputError, match="too small to weigh"):
        curve.best("cost", prevalence=1e-300, cost_ratio=1e-300)
    with pytest.raises(rs.InputError, match="unknown"):
        curve.best(["youden"])
    with pytest.raises(rs.InputError, match="unknown way to smooth"):
        curve.smooth(["binormal"])


def test_values_of_both_rates_share_the_error_among_their_parts() -> None:
    """Two rates hold together at the level if each holds at its root; with a prevalence, three.

    The exact limits are Beta quantiles. The box of a chosen point comes from one at a known
    prevalence, widened over the prevalences that its own exact interval allows.
    """
    point = OperatingPoint(0.5, "≥", 16, 9, 20, 100)
    each = (1.0 - 0.95**0.5) / 2.0
    given = with_given(point, 0.95, "clopper-pearson").intervals["youden"]
    tpr = beta.ppf(each, 16, 5), beta.isf(each, 17, 4)
    fpr = beta.ppf(each, 9, 92), beta.isf(each, 10, 91)
    assert (given.low, given.high) == pytest.approx((tpr[0] - fpr[1], tpr[1] - fpr[0]))

    part = 0.95 ** (1.0 / 3.0)
    tail = (1.0 - part) / 2.0
    chosen = with_any(point, 0.95).intervals["precision"]
    few, many = beta.ppf(tail, 20, 101), beta.isf(tail, 21, 100)
    low, high = (
        with_any(replace(point, prevalence=float(p)), part**2).intervals["precision"]
        for p in (few, many)
    )
    assert (chosen.low, chosen.high) == pytest.approx((low.low, high.high))

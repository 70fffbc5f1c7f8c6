"""`rs.partial_auc` and `rs.weighted_auc`: values, scales, intervals, words and refusals."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import InputError, OneClassError, UnsoundError

RNG = np.random.default_rng(5)
Y = (RNG.random(600) < 0.5).astype(int)
S = RNG.normal(size=600) + 1.5 * Y
W = RNG.random(600)
losses = rs.weights.losses


def test_a_region_must_be_named() -> None:
    with pytest.raises(InputError, match="needs a region"):
        rs.partial_auc(Y, S)
    with pytest.raises(InputError, match="unknown scale"):
        rs.partial_auc(Y, S, fpr=0.1, scale="percent")
    with pytest.raises(UnsoundError, match="above the diagonal"):
        rs.partial_auc(Y, S, fpr=(0.6, 1), tpr=(0, 0.5), scale="mcclish")
    with pytest.raises(OneClassError):
        rs.partial_auc([1, 1], [1, 2], fpr=0.1)


def test_names_words_and_settings() -> None:
    result = rs.partial_auc(Y, S, fpr=0.1)
    assert result.measure == "partial_auc(fpr<=0.1)"
    assert result.explain().startswith("The area under the ROC curve for fpr<=0.1 is 0.0")
    assert result.ratio is None
    assert result.settings["fpr"] == [0.0, 0.1]
    assert result.fingerprint == rs.auc(Y, S).fingerprint
    assert result.interval.range == pytest.approx((0.0, 0.1))
    json.dumps(result.to_dict())
    mean = rs.partial_auc(Y, S, tpr=0.8, scale="mean")
    assert "the true-negative rate is" in mean.explain()
    assert "the true-positive rate is" in rs.partial_auc(Y, S, fpr=0.1, scale="mean").explain()
    assert "box" in rs.partial_auc(Y, S, fpr=0.3, tpr=0.6, scale="mean").explain()
    assert "McClish" in rs.partial_auc(Y, S, fpr=0.1, scale="mcclish").explain()
    weighted = rs.weighted_auc(Y, S, weight=rs.weights.power(2))
    assert weighted.measure == "weighted_auc(power(p=2))"
    assert "out of 0.333333" in weighted.explain()
    curve = rs.weights.cost_curve([0, 0.5, 1], [2, 1, 1])
    assert "cost_curve" in rs.weighted_auc(Y, S, weight=curve).measure
    json.dumps(weighted.to_dict())


@pytest.mark.parametrize("region", [{"fpr": 0.2}, {"tpr": 0.8}, {"fpr": 0.4, "tpr": 0.5}], ids=str)
@pytest.mark.parametrize("scale", ["mean", "mcclish"])
def test_scales_turn_everything_alike(region: dict[str, float], scale: str) -> None:
    raw, other = rs.partial_auc(Y, S, **region), rs.partial_auc(Y, S, **region, scale=scale)
    at = [raw.value, raw.low, raw.high, raw.certified.low, raw.certified.high]
    turned = [other.value, other.low, other.high, other.certified.low, other.certified.high]
    slope = (turned[2] - turned[1]) / (at[2] - at[1])
    offset = turned[0] - slope * at[0]
    assert turned == pytest.approx([slope * x + offset for x in at], abs=1e-9)
    assert other.std_error == pytest.approx(slope * raw.std_error, rel=1e-6)
    assert other.interval.range[1] == pytest.approx(1.0)


def test_regions_are_weights() -> None:
    for region, weight in (
        ({"fpr": (0.1, 0.3)}, rs.weights.step(0.1, 0.3)),
        ({"tpr": 0.8}, rs.weights.step(0.8, 1, axis="tpr")),
    ):
        one, other = rs.partial_auc(Y, S, **region), rs.weighted_auc(Y, S, weight=weight)
        assert one.value == other.value
        assert (one.low, one.certified) == (other.low, other.certified)


def test_the_whole_square_is_the_auc() -> None:
    auc = rs.auc(Y, S)
    for result in (rs.partial_auc(Y, S, fpr=1), rs.weighted_auc(Y, S, weight=rs.weights.power(0))):
        assert (result.value, result.std_error) == pytest.approx((auc.value, auc.std_error))
        assert (result.low, result.high) == pytest.approx((auc.low, auc.high), abs=1e-9)
        assert (result.certified.low, result.certified.high) == pytest.approx(
            (auc.certified.low, auc.certified.high), abs=1e-12
        )


@pytest.mark.parametrize(
    "name",
    ["auto", "logit-t", "wald", "bootstrap-percentile", "weighted-band", "weighted-dkw",
     "weighted-sandwich"],
)  # fmt: skip
def test_every_interval_by_name(name: str) -> None:
    result = rs.partial_auc(Y, S, fpr=0.3, interval=name, resamples=100)
    assert name in result.method
    assert result.low <= result.value <= result.high
    assert result.interval.certified == name.startswith("weighted")
    upper = rs.partial_auc(Y, S, fpr=0.3, interval=name, resamples=100, alternative="less")
    assert upper.low == 0.0
    assert upper.high <= result.high


def test_calibrated_intervals_agree_on_ordinary_data() -> None:
    found = [
        rs.partial_auc(Y, S, fpr=0.3, interval=name, resamples=1000).interval
        for name in ("auto", "wald", "bootstrap-percentile")
    ]
    for interval in found[1:]:
        assert interval.low == pytest.approx(found[0].low, abs=0.01)
        assert interval.high == pytest.approx(found[0].high, abs=0.01)


def test_both_ways() -> None:
    for name in ("weighted-band", "weighted-dkw"):
        result = rs.partial_auc(Y, S, fpr=0.4, tpr=0.5, interval=name)
        assert result.interval.certified
    with pytest.raises(UnsoundError, match="both ways"):
        rs.partial_auc(Y, S, fpr=0.4, tpr=0.5, interval="weighted-sandwich")
    # a curve that never enters the box, and one that fills it
    worst = rs.partial_auc([0, 0, 1, 1], [3, 4, 1, 2], fpr=0.5, tpr=0.5)
    best = rs.partial_auc([0, 0, 1, 1], [1, 2, 3, 4], fpr=0.5, tpr=0.5)
    assert (worst.value, best.value) == (0.0, 0.25)
    assert worst.std_error == best.std_error == 0.0


def test_sample_weights() -> None:
    equal = rs.partial_auc(Y, S, fpr=0.2, sample_weight=np.full(600, 3.0))
    plain = rs.partial_auc(Y, S, fpr=0.2)
    assert (equal.value, equal.low) == (plain.value, plain.low)
    result = rs.partial_auc(Y, S, fpr=0.2, sample_weight=W, design="fixed")
    assert result.certified.method == "weighted-sandwich"
    assert any("weights" in text for text in result.interval.assumptions)
    doubled = rs.partial_auc(Y, S, fpr=0.2, sample_weight=2 * W)
    assert doubled.value == pytest.approx(result.value, abs=1e-14)
    assert doubled.std_error == pytest.approx(result.std_error, rel=1e-12)
    gentle = rs.weighted_auc(Y, S, weight=rs.weights.power(1), sample_weight=W, design="fixed")
    assert gentle.certified.method == "weighted-mcdiarmid"
    fixed = {"sample_weight": W, "design": "fixed"}
    assert rs.weighted_auc(Y, S, weight=rs.weights.power(0.5), **fixed).certified is None
    assert rs.partial_auc(Y, S, fpr=0.4, tpr=0.5, **fixed).certified is None
    for name in ("weighted-band", "weighted-dkw"):
        with pytest.raises(UnsoundError, match="equal weight only"):
            rs.partial_auc(Y, S, fpr=0.2, interval=name, **fixed)


def test_plug_in() -> None:
    gentle, jump = rs.weights.power(2), rs.weights.step(0, 0.2)
    result = rs.weighted_auc(Y, S, weight=gentle, estimator="plug-in")
    curve = rs.weighted_auc(Y, S, weight=gentle)
    assert result.value == pytest.approx(curve.value, abs=2 / 300)
    assert result.std_error == pytest.approx(curve.std_error, rel=0.02)
    assert result.certified.method == "weighted-plug-in"
    paper = rs.weighted_auc(
        Y, S, weight=gentle, estimator="plug-in", interval="weighted-theorem-2"
    ).interval
    assert result.certified.width < paper.width
    assert rs.weighted_auc(Y, S, weight=jump, estimator="plug-in").certified is None
    for loss in (losses.ramp(0.1), losses.sigmoid(0.05)):
        smooth = rs.weighted_auc(Y, S, weight=gentle, estimator="plug-in", loss=loss)
        assert smooth.value == pytest.approx(result.value, abs=0.02)
        assert smooth.certified is not None
    hinge = rs.weighted_auc(Y, S, weight=gentle, estimator="plug-in", loss=losses.hinge(1.0))
    assert (hinge.method, hinge.certified) == ("auto (wald)", None)
    drawn = rs.weighted_auc(
        Y, S, weight=gentle, estimator="plug-in", interval="bootstrap-percentile", resamples=200
    )
    assert drawn.low < result.value < drawn.high
    with pytest.raises(UnsoundError, match="equal weight"):
        rs.weighted_auc(Y, S, weight=gentle, estimator="plug-in", sample_weight=W)
    with pytest.raises(UnsoundError, match="not a bound for this estimator"):
        rs.weighted_auc(Y, S, weight=gentle, interval="weighted-plug-in")
    with pytest.raises(InputError, match="only the plug-in estimator has a loss"):
        rs.weighted_auc(Y, S, weight=gentle, loss=losses.step())
    with pytest.raises(InputError, match="unknown estimator"):
        rs.weighted_auc(Y, S, weight=gentle, estimator="exact")
    for name in ("logit-t", "weighted-plug-in", "weighted-theorem-2"):
        with pytest.raises(UnsoundError):
            rs.weighted_auc(
                Y, S, weight=gentle, estimator="plug-in", loss=losses.hinge(1.0), interval=name
            )


def test_a_bare_function_is_probed_and_not_certified() -> None:
    probed = rs.weighted_auc(Y, S, weight=lambda u: u**2)
    assert probed.value == pytest.approx(rs.weighted_auc(Y, S, weight=rs.weights.power(2)).value)
    assert probed.certified is None
    assert any("no certified interval" in text for text in probed.warnings)
    given = rs.weights.from_callable(lambda u: u**2, lambda u: u**3 / 3, sup_norm=1)
    assert rs.weighted_auc(Y, S, weight=given).certified is not None


def test_warnings() -> None:
    few = rs.partial_auc(Y, S, fpr=0.01)
    assert any("region holds about" in text and "negative" in text for text in few.warnings)
    none = rs.partial_auc(Y, S, fpr=0.001)
    assert (none.low, none.high) == (none.certified.low, none.certified.high)
    assert "no row in the region" in none.method
    low = rs.partial_auc(Y, -S, fpr=0.2, scale="mcclish")
    assert low.value < 0.5
    assert any("below the diagonal" in text for text in low.warnings)
    turned = rs.partial_auc(Y, -S, fpr=0.2, scale="mcclish", lower_is_better=True)
    assert turned.value == pytest.approx(rs.partial_auc(Y, S, fpr=0.2, scale="mcclish").value)
    missing = rs.partial_auc([0, 1, 1, 0], [0.1, np.nan, 0.7, 0.6], fpr=0.5, nan="omit")
    assert "1 row was left out" in missing.warnings[0]


def test_refused_requests() -> None:
    with pytest.raises(InputError, match="unknown interval"):
        rs.partial_auc(Y, S, fpr=0.1, interval="delong")
    with pytest.raises(InputError, match="level"):
        rs.partial_auc(Y, S, fpr=0.1, level=95)
    with pytest.raises(InputError, match="resamples"):
        rs.partial_auc(Y, S, fpr=0.1, interval="bootstrap-percentile", resamples=0)
    with pytest.raises(UnsoundError, match="Wald"):
        rs.partial_auc([0, 0, 1, 1], [1, 2, 3, 4], fpr=0.5, interval="wald")
    perfect = rs.partial_auc([0] * 40 + [1] * 40, range(80), fpr=0.5)
    assert perfect.low < perfect.value == pytest.approx(0.5)
    with pytest.raises(InputError, match="a weight is one of"):
        rs.weighted_auc(Y, S, weight=0.05)

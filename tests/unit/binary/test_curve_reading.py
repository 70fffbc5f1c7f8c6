from __future__ import annotations

import json

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.Generator(np.random.Philox(7))
Y = RNG.random(300) < 0.4
S = RNG.normal(size=300) + Y
CURVE = rs.roc(Y, S)


def test_a_reading_lies_on_the_curve_between_thresholds() -> None:
    tied = rs.roc([1, 0, 1, 0], [1, 1, 0, 0])  # two diagonals: the curve is the chance line
    assert tied.reading(fpr=0.3).value == pytest.approx(0.3)
    assert tied.reading(tpr=0.3).value == pytest.approx(0.3)
    assert tied.at(fpr=0.3).tpr == 0.0  # but no threshold is there


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_a_reading_is_the_estimate_of_its_measure(axis: str, rate: float) -> None:
    reading = CURVE.reading(**{axis: rate})
    name = "sensitivity(specificity" if axis == "fpr" else "specificity(sensitivity"
    at = 1.0 - rate if axis == "fpr" else rate
    estimate = rs.evaluate(
        {"y": Y, "s": S}, label="y", scores="s", measures=f"{name}={at:g})"
    ).results[0]
    ends = reading.value, reading.low, reading.high, reading.certified.low, reading.certified.high
    if axis == "tpr":
        ends = tuple(1.0 - ends[i] for i in (0, 2, 1, 4, 3))
    limits = estimate.certified
    assert ends == pytest.approx(
        (estimate.value, estimate.low, estimate.high, limits.low, limits.high), abs=1e-12
    )
    assert reading.warnings == estimate.warnings
    assert bool(reading.warnings) == (rate == 0.02 or (axis, rate) == ("tpr", 0.1))
    assert float(reading) == reading.value


def test_exact_limits_are_those_of_the_band() -> None:
    band = CURVE.band()
    for rate in (0.1, 0.5):
        assert CURVE.reading(fpr=rate).certified.low == pytest.approx(band.at(fpr=rate).low)
        assert CURVE.reading(tpr=rate).certified.high == pytest.approx(band.at(tpr=rate).high)


def test_a_perfect_score_is_not_believed_beyond_its_rows() -> None:
    reading = rs.roc([0] * 20 + [1] * 20, range(40)).reading(fpr=0.2)
    assert reading.certified.low < reading.low < 0.9
    assert reading.high == 1.0
    assert "rely on the certified interval" in reading.warnings[0]


def test_the_ends_of_the_curve() -> None:
    assert CURVE.reading(fpr=1.0).value == 1.0
    assert CURVE.reading(tpr=0.0).value == 0.0
    assert CURVE.reading(fpr=1.0).certified.high == 1.0
    for reading in (CURVE.reading(fpr=0.0), CURVE.reading(tpr=1.0)):
        assert reading.low <= reading.value <= reading.high
        assert reading.warnings


def test_text_and_json() -> None:
    reading = CURVE.reading(tpr=0.9)
    assert str(reading).startswith(f"false-positive rate {reading.value:.4f} at true-positive rate")
    plain = reading.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["interval"]["method"] == "auto (wilson)"


def test_what_is_refused() -> None:
    with pytest.raises(rs.InputError, match="exactly one of fpr and tpr"):
        CURVE.reading()
    with pytest.raises(rs.InputError, match=r"fpr must lie in \[0, 1\]"):
        CURVE.reading(fpr=1.5)
    with pytest.raises(rs.UnsoundError, match="counts rows"):
        rs.roc(Y, S, sample_weight=S + 9).reading(fpr=0.5)


@pytest.mark.parametrize("level", ["0.95", 95])
def test_what_is_no_level(level: object) -> None:
    with pytest.raises(rs.InputError, match="level must lie strictly"):
        CURVE.reading(fpr=0.1, level=level)

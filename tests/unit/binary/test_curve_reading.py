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


def test_the_seed_and_the_number_of_resamples() -> None:
    one, again = CURVE.reading(fpr=0.1), CURVE.reading(fpr=0.1)
    assert one == again
    assert CURVE.reading(fpr=0.1, seed=1).interval != one.interval
    assert (one.resamples, one.seed, float(one)) == (2000, 0, one.value)
    assert one.low < one.value < one.high
    assert one.certified.low < one.low
    assert one.certified.high > one.high


def test_exact_limits_are_those_of_the_band() -> None:
    band = CURVE.band()
    for rate in (0.1, 0.5):
        assert CURVE.reading(fpr=rate).certified.low == pytest.approx(band.at(fpr=rate).low)
        assert CURVE.reading(tpr=rate).certified.high == pytest.approx(band.at(tpr=rate).high)


def test_a_perfect_score_is_not_believed_beyond_its_rows() -> None:
    reading = rs.roc([0] * 20 + [1] * 20, range(40)).reading(fpr=0.2)
    assert (reading.low, reading.high) == (1.0, 1.0)
    assert reading.certified.low < 0.9
    assert "rely on the certified interval" in reading.warnings[0]


def test_the_ends_of_the_curve() -> None:
    assert CURVE.reading(fpr=1.0).value == 1.0
    assert CURVE.reading(tpr=0.0).value == 0.0
    assert CURVE.reading(fpr=1.0).certified.high == 1.0


def test_text_and_json() -> None:
    reading = CURVE.reading(tpr=0.9)
    assert str(reading).startswith(f"false-positive rate {reading.value:.4f} at true-positive rate")
    plain = reading.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["interval"]["method"] == "bootstrap-percentile"


def test_what_is_refused() -> None:
    with pytest.raises(rs.InputError, match="exactly one of fpr and tpr"):
        CURVE.reading()
    with pytest.raises(rs.InputError, match=r"fpr must lie in \[0, 1\]"):
        CURVE.reading(fpr=1.5)
    with pytest.raises(rs.InputError, match="at least 1"):
        CURVE.reading(fpr=0.5, resamples=0)
    with pytest.raises(rs.UnsoundError, match="counts rows"):
        rs.roc(Y, S, sample_weight=S + 9).reading(fpr=0.5)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"level": "0.95"}, "level must lie strictly"),
        ({"level": 95}, "level must lie strictly"),
        ({"resamples": "many"}, "whole number"),
        ({"resamples": 10.5}, "whole number"),
        ({"seed": -1}, r"not a whole number.*seed"),
        ({"seed": 1.5}, r"not a whole number.*seed"),
    ],
)
def test_what_is_no_level_number_or_seed(wrong: dict, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        CURVE.reading(fpr=0.1, **wrong)

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.Generator(np.random.Philox(8))
Y = np.arange(400) < 150
S = np.round(RNG.normal(size=400) + Y, 1)
CURVE = rs.roc(Y, S)
KINDS: list[Any] = ["pointwise", "dkw", "equal-local-levels"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_curve_lies_in_its_band_both_ways(kind: Any) -> None:
    band = CURVE.band(kind=kind)
    for fpr, tpr in zip(CURVE.fpr, CURVE.tpr, strict=True):
        assert tpr in band.at(fpr=float(fpr))
        assert fpr in band.at(tpr=float(tpr))
    assert np.all(band.low <= band.high)
    assert np.all(band.left <= band.right)


@pytest.mark.parametrize("kind", KINDS)
def test_a_higher_level_is_a_wider_band(kind: Any) -> None:
    wide, narrow = CURVE.band(kind=kind, level=0.99), CURVE.band(kind=kind, level=0.8)
    for rate in (0.05, 0.3, 0.9):
        assert wide.at(fpr=rate).low <= narrow.at(fpr=rate).low
        assert wide.at(fpr=rate).high >= narrow.at(fpr=rate).high


def test_simultaneous_bands_hold_the_pointwise_one_and_say_so() -> None:
    point, whole = CURVE.band(), CURVE.band(kind="equal-local-levels")
    assert point.pointwise
    assert not whole.pointwise
    assert whole.at(fpr=0.2).width > point.at(fpr=0.2).width
    assert "holds at each rate by itself" in str(point)
    assert "holds for the whole curve at 95 % (equal-local-levels)" in str(whole)


def test_equal_local_levels_are_narrower_near_the_corners() -> None:
    margin, local = CURVE.band(kind="dkw"), CURVE.band(kind="equal-local-levels")
    assert local.at(fpr=0.02).width < margin.at(fpr=0.02).width
    assert local.at(tpr=0.98).width < margin.at(tpr=0.98).width


def test_a_band_between_the_rates_of_its_grid() -> None:
    band = CURVE.band(points=11)
    assert band.at(fpr=0.25).low == band.at(fpr=0.2).low
    assert band.at(fpr=0.25).high == pytest.approx(band.at(fpr=0.3).high)


def test_json_and_what_is_refused() -> None:
    plain = CURVE.band(kind="dkw").to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    with pytest.raises(rs.InputError, match="read at one rate"):
        CURVE.band().at()
    with pytest.raises(rs.InputError, match=r"lie in \[0, 1\]"):
        CURVE.band().at(tpr=2)
    with pytest.raises(rs.InputError, match="use kind='dkw'"):
        CURVE.band(kind="DKV")  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="level must lie strictly"):
        CURVE.band(kind="dkw", level=95)


def test_one_row_of_each_class() -> None:
    for kind in KINDS:
        band = rs.roc([0, 1], [0.2, 0.7]).band(kind=kind)
        assert band.at(fpr=0.5).high == 1.0
        assert band.at(fpr=0.5).low < 0.2


def test_numbers_of_points_and_rates_are_numbers() -> None:
    for points in (-1, 1, 2.5, None, "ten"):
        with pytest.raises(rs.InputError, match="points"):
            CURVE.band(points=points)  # type: ignore[arg-type]
    for bins in (0, 1.5, "ten"):
        with pytest.raises(rs.InputError, match="bins"):
            CURVE.rank_histogram(bins)  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="a rate must lie"):
        CURVE.band().at(fpr="0.1")  # type: ignore[arg-type]

"""Regions, scales and the words for them."""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.area import Region, rescaled
from rocsolid.errors import InputError, UnsoundError
from rocsolid.remarks.values import BelowDiagonal

PERFECT = [0, 0, 1, 1], [0, 1, 2, 3]
USELESS = [1] * 7 + [0] * 3, [1] * 10
WORST = [1, 1, 0, 0], [0, 1, 2, 3]
REGIONS = [
    {"fpr": 0.05},
    {"fpr": (0.2, 0.4)},
    {"fpr": 1},
    {"tpr": 0.9},
    {"tpr": (0.1, 0.7)},
    {"fpr": 0.3, "tpr": 0.8},
    {"fpr": (0.2, 0.7), "tpr": (0.3, 0.9)},
    {"fpr": (0.6, 0.9), "tpr": (0.2, 0.7)},
]


@pytest.mark.parametrize("region", REGIONS, ids=str)
def test_the_ends_of_the_scales(region: dict[str, object]) -> None:
    """A perfect score fills its box, a useless one lies on the diagonal, the worst one below."""
    box = Region.of(**region)
    for scale, perfect, useless in (
        ("raw", box.maximum, box.diagonal),
        ("mean", 1.0, box.diagonal / box.maximum),
        ("mcclish", 1.0, 0.5),
    ):
        best, chance, worst = (
            rs.partial_auc(*rows, **region, scale=scale) for rows in (PERFECT, USELESS, WORST)
        )
        assert best.value == pytest.approx(perfect, abs=1e-12)
        assert chance.value == pytest.approx(useless, abs=1e-12)
        assert worst.value == pytest.approx(rescaled(0.0, box, scale), abs=1e-15)
        below = [BelowDiagonal() in one.warnings for one in (best, chance, worst)]
        # a box that lies above the diagonal has nothing below it
        assert below == [False, False, box.diagonal > 0]
        if scale == "mcclish":
            assert (worst.value < 0.5) == below[2]


@pytest.mark.parametrize("region", REGIONS, ids=str)
def test_the_diagonal_in_the_box(region: dict[str, object]) -> None:
    box = Region.of(**region)
    (a, b), (c, d) = box.fpr, box.tpr
    v = a + (b - a) * (np.arange(100_000) + 0.5) / 100_000
    assert box.diagonal == pytest.approx((np.clip(v, c, d) - c).mean() * (b - a), abs=1e-9)


def test_words() -> None:
    assert str(Region.of(fpr=0.05)) == "fpr<=0.05"
    assert str(Region.of(tpr=0.9)) == "tpr>=0.9"
    assert str(Region.of(fpr=(0.2, 0.4), tpr=(0.5, 0.75))) == "0.2<=fpr<=0.4, 0.5<=tpr<=0.75"
    assert str(Region.of(fpr=1)) == "all"


def test_refusals() -> None:
    with pytest.raises(InputError, match="needs a region"):
        Region.of()
    for bad in ({"fpr": 0}, {"fpr": 1.5}, {"tpr": 1}, {"tpr": (0.5, 0.2)}, {"fpr": "low"}):
        with pytest.raises(InputError, match="0 <= low < high <= 1"):
            Region.of(**bad)
    with pytest.raises(InputError, match="two ends"):
        Region.of(fpr=(0.1, 0.2, 0.3))
    with pytest.raises(InputError, match="unknown scale"):
        rs.partial_auc(*PERFECT, fpr=0.5, scale="percent")
    with pytest.raises(UnsoundError, match="above the diagonal"):
        rescaled(0.1, Region.of(fpr=(0.6, 1), tpr=(0, 0.5)), "mcclish")

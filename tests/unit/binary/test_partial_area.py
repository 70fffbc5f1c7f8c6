"""Regions, scales and the words for them."""

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.binary.partial_area import Region, partial_area, rescaled
from rocsolid.errors import InputError, UnsoundError
from rocsolid.summaries.sorted_classes import SortedClasses

PERFECT = SortedClasses(np.array([2.0, 3.0]), np.array([0.0, 1.0]))
USELESS = SortedClasses(np.ones(7), np.ones(3))
WORST = SortedClasses(PERFECT.neg, PERFECT.pos)
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
        best = partial_area(PERFECT, **region, scale=scale)
        assert best.value == pytest.approx(perfect, abs=1e-12)
        chance = partial_area(USELESS, **region, scale=scale)
        assert chance.value == pytest.approx(useless, abs=1e-12)
        worst = partial_area(WORST, **region, scale=scale)
        assert worst.raw == pytest.approx(0.0, abs=1e-15)
        assert (best.below_diagonal, chance.below_diagonal) == (False, False)
        # a box that lies above the diagonal has nothing below it
        assert worst.below_diagonal == (box.diagonal > 0)
        if scale == "mcclish":
            assert (worst.value < 0.5) == worst.below_diagonal


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
        partial_area(PERFECT, fpr=0.5, scale="percent")
    with pytest.raises(UnsoundError, match="above the diagonal"):
        rescaled(0.1, Region.of(fpr=(0.6, 1), tpr=(0, 0.5)), "mcclish")

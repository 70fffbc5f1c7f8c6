from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import betaincinv

from rocsolid.intervals.calibrated.auto import auto, hull_share, near_boundary
from rocsolid.intervals.calibrated.standard_error import (
    logit_t,
    newcombe5,
    newcombe5_classwise,
    newcombe5_mirrored,
)
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

ALTERNATIVES = ["two-sided", "greater", "less"]
NEWCOMBE = (newcombe5, newcombe5_classwise, newcombe5_mirrored)


def hull(*intervals: object) -> tuple[float, float]:
    ends = np.array(intervals, dtype=float)
    return ends[:, 0].min(), ends[:, 1].max()


def cp(auc: float, size: float, share: float) -> tuple[float, float]:
    """Clopper and Pearson's limits, written out."""
    low = 0.0 if auc == 0.0 else betaincinv(size * auc, size - size * auc + 1.0, share)
    return low, 1.0 if auc == 1.0 else betaincinv(size * auc + 1.0, size - size * auc, 1 - share)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_far_from_the_boundary_it_is_logit_t(alternative: Alternative) -> None:
    moments = Moments(0.8, 0.001, 0.0005, 120, 200)
    assert hull_share(moments) == 0.0
    assert_allclose(auto(moments, 0.95, alternative), logit_t(moments, 0.95, alternative))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    "moments",
    [Moments(0.9, 0.001, 0.0001, 30, 1000), Moments(0.2, 0.002, 0.01, 300, 20)],
    ids=["rare positives", "rare negatives"],
)
def test_near_the_boundary_it_is_the_hull_of_four(
    moments: Moments, alternative: Alternative
) -> None:
    parts = [f(moments, 0.95, alternative) for f in (logit_t, *NEWCOMBE)]
    assert_allclose(auto(moments, 0.95, alternative), hull(*parts))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_half_way_it_is_half_of_each(alternative: Alternative) -> None:
    """The middle of 5 and 20 misplaced rows on the scale of the logarithm is 10."""
    moments = Moments(0.9, 0.002, 0.0001, 100, 1000)
    alone = np.array(logit_t(moments, 0.95, alternative))
    whole = hull(alone, *(f(moments, 0.95, alternative) for f in NEWCOMBE))
    assert_allclose(auto(moments, 0.95, alternative), (alone + whole) / 2)


@pytest.mark.parametrize("auc", [0.0, 0.03, 0.97, 1.0])
@pytest.mark.parametrize(("alternative", "share"), [("two-sided", 0.025), ("greater", 0.05)])
def test_with_few_misplaced_rows_it_takes_in_the_exact_limit(
    auc: float, alternative: Alternative, share: float
) -> None:
    """On the near side up to one misplaced row, and on both sides with none."""
    moments = Moments(auc, 0.0004, 0.0004, 40 if 0 < auc < 1 else 9, 500)
    size = min(moments.n_pos, moments.n_neg) if auc in (0.0, 1.0) else 40
    parts = [f(moments, 0.95, alternative) for f in NEWCOMBE]
    if 0.0 < auc < 1.0:
        parts.append(logit_t(moments, 0.95, alternative))
    low, high = hull(*parts)
    exact = cp(auc, size, share)
    near = 40 * min(auc, 1 - auc)
    part = 1.0 if near <= 1.0 else np.log2(2 / near)
    if auc > 0.5:
        high = high + part * max(exact[1] - high, 0.0)
        low = min(low, exact[0]) if auc == 1.0 else low
    else:
        low = low + part * min(exact[0] - low, 0.0)
        high = max(high, exact[1]) if auc == 0.0 else high
    if alternative == "greater":
        high = 1.0
    assert_allclose(auto(moments, 0.95, alternative), (low, high))


@pytest.mark.parametrize(
    "moments",
    [
        Moments(0.5, 0.0, 0.0, 500, 700),
        Moments(0.6, np.nan, 0.02, 6, 900),
        Moments(0.6, 0.02, np.nan, 900, 6),
    ],
    ids=["constant score", "few positives", "few negatives"],
)
def test_without_logit_t_it_is_the_hull_of_three_and_has_width(moments: Moments) -> None:
    parts = [f(moments, 0.95, "two-sided") for f in NEWCOMBE]
    low, high = auto(moments, 0.95, "two-sided")
    assert (float(low), float(high)) == pytest.approx(hull(*parts))
    assert high - low > 0.02
    assert low <= moments.auc <= high


@pytest.mark.parametrize("sizes", [(1000, 100_000), (50, 50), (8, 300)])
def test_no_limit_jumps_as_the_estimate_moves(sizes: tuple[int, int]) -> None:
    """Steps of a thousandth of the way to an end move no limit by a tenth of the width."""
    m, n = sizes
    auc = 1.0 - np.geomspace(0.4, 1e-4, 7000)
    spread = auc * (1.0 - auc)
    moments = Moments(auc, 0.3 * spread / m, 0.3 * spread / n, float(m), float(n))
    low, high = auto(moments, 0.95, "two-sided")
    width = high - low
    assert np.max(np.abs(np.diff(low)) / width[1:]) < 0.05
    assert np.max(np.abs(np.diff(high)) / width[1:]) < 0.05


def test_few_rows_are_fewer_than_ten_misplaced_ones_of_the_smaller_class() -> None:
    sizes = np.array([79.0, 80.0, 81.0])
    for auc in (0.875, 0.125):
        for m, n in ((sizes, 500.0), (500.0, sizes)):
            assert near_boundary(Moments(auc, 0.0, 0.0, m, n)).tolist() == [True, False, False]


@pytest.mark.parametrize("shape", [(), (1,), (7,), (2, 3), (0,)])
def test_any_shape_in_the_same_shape_out(shape: tuple[int, ...]) -> None:
    moments = Moments(np.full(shape, 0.9), np.full(shape, 0.001), np.full(shape, 0.001), 20.0, 30.0)
    low, high = auto(moments, 0.95, "two-sided")
    assert low.shape == high.shape == shape


def test_a_group_without_pairs_is_nan_and_disturbs_no_other() -> None:
    auc = np.array([0.9, np.nan])
    variance = np.array([0.001, np.nan])
    low, high = auto(Moments(auc, variance, variance, np.array([20.0, 0.0]), 30.0), 0.95, "less")
    alone = auto(Moments(0.9, 0.001, 0.001, 20.0, 30.0), 0.95, "less")
    assert (low[0], high[0]) == alone
    assert np.isnan(low[1])
    assert np.isnan(high[1])


def test_exchanging_labels_and_negating_scores_changes_nothing() -> None:
    here = Moments(0.95, 0.0016, 0.00002, 1000.0, 30.0)
    there = Moments(0.95, 0.00002, 0.0016, 30.0, 1000.0)
    assert_allclose(auto(here, 0.95, "two-sided"), auto(there, 0.95, "two-sided"))

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rocsolid.intervals.calibrated.auto import auto, near_boundary
from rocsolid.intervals.calibrated.logit_t import logit_t
from rocsolid.intervals.calibrated.newcombe5 import newcombe5
from rocsolid.intervals.calibrated.newcombe5_classwise import (
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


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_far_from_the_boundary_it_is_logit_t(alternative: Alternative) -> None:
    moments = Moments(0.8, 0.001, 0.0005, 60, 200)
    assert not near_boundary(moments)
    assert_allclose(auto(moments, 0.95, alternative), logit_t(moments, 0.95, alternative))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    "moments",
    [Moments(0.95, 0.001, 0.0001, 30, 1000), Moments(0.2, 0.002, 0.01, 300, 20)],
    ids=["rare positives", "rare negatives"],
)
def test_near_the_boundary_it_is_the_hull_of_four(
    moments: Moments, alternative: Alternative
) -> None:
    parts = [f(moments, 0.95, alternative) for f in (logit_t, *NEWCOMBE)]
    assert_allclose(auto(moments, 0.95, alternative), hull(*parts))


@pytest.mark.parametrize(
    "moments",
    [
        Moments(1.0, 0.0, 0.0, 300, 40),
        Moments(0.0, 0.0, 0.0, 8, 8),
        Moments(0.5, 0.0, 0.0, 500, 700),
        Moments(0.6, np.nan, 0.02, 1, 900),
        Moments(0.6, 0.02, np.nan, 900, 1),
        Moments(1.0, np.nan, np.nan, 1, 1),
    ],
    ids=["perfect", "reversed", "constant score", "one positive", "one negative", "one pair"],
)
def test_without_logit_t_it_is_the_hull_of_three_and_has_width(moments: Moments) -> None:
    parts = [f(moments, 0.95, "two-sided") for f in NEWCOMBE]
    low, high = auto(moments, 0.95, "two-sided")
    assert (float(low), float(high)) == pytest.approx(hull(*parts))
    assert high - low > 0.02
    assert low <= moments.auc <= high


def test_the_threshold_is_ten_misplaced_rows_of_the_smaller_class() -> None:
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

"""The formulas of planning against plain references: sums, integrals and other software."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtr, ndtri
from scipy.stats import multivariate_normal

from rocsolid.binary.area import Region
from rocsolid.intervals.calibrated.standard_error import hanley_mcneil_variance
from rocsolid.plan.variances import (
    WHOLE,
    NormalCurve,
    derivatives,
    hanley_mcneil,
    joint_excess,
    mann_whitney,
    mann_whitney_together,
)
from rocsolid.summaries.moments import Moments

ALMOST = Region((0.0, 1.0), (0.0, 1.0 - 1e-13))
"""Next to the whole area, but worked out as a partial one."""
curves = st.builds(NormalCurve, st.floats(0.1, 0.97), st.floats(0.3, 3.0))
rates = st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)).filter(lambda t: t[1] - t[0] > 0.05)
regions = st.builds(Region, rates, rates)


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-0.99, 0.99))
@settings(max_examples=60)
def test_joint_excess(h: float, k: float, rho: float) -> None:
    joint = multivariate_normal.cdf([h, k], cov=[[1.0, rho], [rho, 1.0]])
    expected = joint - float(ndtr(h) * ndtr(k))
    assert float(joint_excess(h, k, rho)) == pytest.approx(expected, abs=2e-8)


def test_joint_excess_in_closed_form() -> None:
    for rho in (-0.999, -0.5, 0.1, 0.9, 0.9999):
        expected = math.asin(rho) / (2 * math.pi)
        assert float(joint_excess(0.0, 0.0, rho)) == pytest.approx(expected, rel=1e-13)
    both = joint_excess(np.array([0.0, np.inf]), np.array([0.0, 1.0]), 0.5)
    assert both.tolist() == pytest.approx([1 / 12, 0.0], abs=1e-15)


def boxed(curve: NormalCurve, region: Region, fpr: float) -> float:
    (a, b), (c, d) = region.fpr, region.tpr
    return min(max(curve.tpr(fpr), c), d) - c if a <= fpr <= b else 0.0


@given(curves, regions)
@settings(max_examples=60)
def test_area_of_a_box(curve: NormalCurve, region: Region) -> None:
    low, high = region.fpr
    breaks = [rate for rate in map(curve.fpr, region.tpr) if low < rate < high]
    expected = quad(
        lambda v: boxed(curve, region, v), low, high, points=breaks or None, limit=200, epsabs=1e-11
    )[0]
    assert curve.area(region) == pytest.approx(expected, abs=1e-7)


@given(curves, regions)
@settings(max_examples=60)
def test_derivatives_are_those_of_the_area(curve: NormalCurve, region: Region) -> None:
    def area(intercept: float, slope: float) -> float:
        at = float(ndtr(intercept / math.hypot(1.0, slope)))
        return NormalCurve(at, 1.0 / slope).area(region)

    a, b, step = curve.intercept, curve.slope, 1e-5
    expected = [
        (area(a + step, b) - area(a - step, b)) / (2 * step),
        (area(a, b + step) - area(a, b - step)) / (2 * step),
    ]
    # where the curve runs through a corner of the region the difference is off by its step
    assert derivatives(curve, region) == pytest.approx(expected, abs=2e-6)


@given(curves)
def test_partial_variance_of_everything_is_the_whole_one(curve: NormalCurve) -> None:
    whole, part = mann_whitney(curve), mann_whitney(curve, ALMOST)
    assert (part.pos, part.neg) == pytest.approx((whole.pos, whole.neg), rel=1e-6, abs=1e-9)


@given(curves, curves, st.floats(-0.9, 0.95), st.floats(-0.9, 0.95))
@settings(max_examples=30)
def test_partial_covariance_of_everything_is_the_whole_one(
    a: NormalCurve, b: NormalCurve, rho_pos: float, rho_neg: float
) -> None:
    whole = mann_whitney_together(a, b, rho_pos, rho_neg)
    part = mann_whitney_together(a, b, rho_pos, rho_neg, ALMOST)
    assert (part.pos, part.neg) == pytest.approx((whole.pos, whole.neg), rel=1e-4, abs=1e-7)


@given(curves, regions)
@settings(max_examples=40)
def test_covariance_of_a_model_with_its_double_is_its_variance(
    curve: NormalCurve, region: Region
) -> None:
    """As the correlation goes to 1."""
    alone, double = (
        mann_whitney(curve, region),
        mann_whitney_together(curve, curve, *[1 - 1e-9] * 2, region),
    )
    assert (double.pos, double.neg) == pytest.approx((alone.pos, alone.neg), rel=0.01, abs=1e-6)


def test_moments_of_placements_by_summation() -> None:
    """The variance of a partial area from a fine grid of scores, with two models."""
    a, b, rho = NormalCurve(0.8), NormalCurve(0.7, 1.6), 0.6
    region = Region.of(fpr=(0.05, 0.5), tpr=(0.1, 0.95))
    z = np.linspace(-7, 7, 701)
    grid = np.exp(-(z[:, None] ** 2 - 2 * rho * z[:, None] * z + z**2) / (2 * (1 - rho**2)))
    grid /= grid.sum()

    def placed(curve: NormalCurve, of_positive: bool) -> np.ndarray:
        low, high = curve.rates(region)
        if of_positive:
            fpr = ndtr(-(curve.shift + curve.spread * z))
            return np.asarray(high - np.clip(fpr, low, high))
        tpr = np.clip(
            ndtr(curve.intercept + curve.slope * ndtri(ndtr(-z))), *map(curve.tpr, (low, high))
        )
        return -tpr

    found = mann_whitney_together(a, b, rho, rho, region)
    for of_positive, expected in ((True, found.pos), (False, found.neg)):
        of_a, of_b = placed(a, of_positive), placed(b, of_positive)
        p, q = grid.sum(axis=1), grid.sum(axis=0)
        covariance = of_a @ grid @ of_b - (of_a @ p) * (of_b @ q)
        assert covariance == pytest.approx(expected, rel=2e-3)
        alone = mann_whitney(a, region)
        variance = of_a**2 @ p - (of_a @ p) ** 2
        assert variance == pytest.approx(alone.pos if of_positive else alone.neg, rel=2e-3)


@given(st.floats(0.01, 0.99), st.integers(1, 300), st.integers(1, 300))
def test_hanley_mcneil_is_the_intervals_variance(auc: float, m: int, n: int) -> None:
    expected = hanley_mcneil_variance(Moments(auc, 0.0, 0.0, m, n))
    assert hanley_mcneil(NormalCurve(auc)).at(m, n) == pytest.approx(float(expected), rel=1e-12)


def test_exact_variance_of_small_samples_by_simulation() -> None:
    """The Mann-Whitney statistic of 3 and 4 rows; the mean square error has a spread of .4 %."""
    rng = np.random.default_rng(5)
    curve = NormalCurve(0.75, 1.5)
    pos = curve.shift + curve.spread * rng.standard_normal((200_000, 3))
    neg = rng.standard_normal((200_000, 4))
    found = (pos[:, :, None] > neg[:, None, :]).mean(axis=(1, 2)).var()
    assert mann_whitney(curve, WHOLE).at(3, 4) == pytest.approx(found, rel=0.02)

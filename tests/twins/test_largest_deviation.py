"""The largest deviation in closed form, against a search over the AUC."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.intervals.guarantees.hinge import hinge_deviation, hinge_largest, hinge_limits
from rocsolid.intervals.guarantees.hoeffding import kl_deviation, kl_limits

GRID = np.linspace(0.0, 1.0, 1_001)


@settings(max_examples=50)
@given(st.integers(1, 1_000), st.floats(1e-8, 0.9))
def test_hinge(k: int, delta: float) -> None:
    low, high = hinge_limits(GRID, k, delta)
    searched = np.max(np.maximum(GRID - low, high - GRID))
    found = float(hinge_deviation(k, k + 5, delta))
    # between two points of the grid the distance rises by no more than the step
    assert searched - 1e-12 <= found <= searched + 1 / 1_000


@pytest.mark.parametrize("k", [1, 2, 7, 300, 5_000])
def test_hinge_at_its_peaks(k: int) -> None:
    """Every peak lies on the curve of ``hinge_limits`` itself."""
    from scipy.special import betaincinv

    share = 0.005
    j = np.arange(k)
    a = betaincinv(j + 1, k - j, share)
    above = np.where(
        j > 0, 1 - np.array([_below(int(i), k - 1, p) for i, p in zip(j, a, strict=True)]), 1.0
    )
    x = np.minimum(a * above / share, 1.0)
    low, _ = hinge_limits(x, k, 2 * share)
    np.testing.assert_allclose(low, a, rtol=1e-9)
    assert hinge_largest(k, share) == pytest.approx(np.max(x - low), rel=1e-10)


@settings(max_examples=50)
@given(st.integers(1, 10_000), st.floats(1e-8, 0.9))
def test_kl(k: int, delta: float) -> None:
    low, high = kl_limits(GRID, k, delta)
    searched = np.max(np.maximum(GRID - low, high - GRID))
    found = float(kl_deviation(k, k + 5, delta))
    assert searched - 1e-12 <= found <= searched + 1 / 1_000


def test_more_rows_never_deviate_more() -> None:
    for of in (hinge_deviation, kl_deviation):
        found = [float(of(k, k)) for k in (*range(1, 100), *range(4_090, 4_100), 10**5)]
        assert np.all(np.diff(found) < 1e-12)


def _below(j: int, k: int, p: float) -> float:
    """P(Bin(k, p) < j), in the way that the bound itself does not use."""
    from scipy.special import bdtr

    return float(bdtr(j - 1, k, p)) if j > 0 else 0.0

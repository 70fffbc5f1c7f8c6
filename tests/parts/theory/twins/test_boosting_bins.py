"""The best threshold, found by bins of a feature's values, against the sums at every value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.theory.learners import boosting
from rocsolid.theory.learners.boosting import Floats, ThresholdRankers


def plain(features: Floats, u: Floats) -> float:
    """The largest |Σ u| over the rows above a threshold, or above it or missing."""
    most = 0.0
    for column in features.T:
        absent = float(u[np.isnan(column)].sum())
        for at in [-np.inf, *column[~np.isnan(column)]]:
            r = float(u[column > at].sum())
            most = max(most, abs(r), abs(r + absent))
    return most


@pytest.mark.parametrize("bins", [1, 2, 5, 256])
@pytest.mark.parametrize("worth", [1, 10**9])  # bin by bin, or all sums where several are near
@pytest.mark.parametrize("few", [0, 10**9])  # with bins, or without
@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6), m=st.integers(1, 40), n=st.integers(1, 40),
    digits=st.integers(0, 3), gaps=st.sampled_from([0.0, 0.3, 1.0]), mixed=st.booleans(),
)  # fmt: skip
def test_bins_miss_no_threshold(
    bins: int,
    worth: int,
    few: int,
    seed: int,
    m: int,
    n: int,
    digits: int,
    gaps: float,
    mixed: bool,
) -> None:
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(m + n, 3)).round(digits)
    features[rng.random(features.shape) < gaps] = np.nan
    up, down = rng.random(m), rng.random(n)
    u = np.concatenate([up / up.sum(), -down / down.sum()])
    if mixed:  # the rows of a middle grade have either sign
        u = rng.permutation(u)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boosting, "_BINS", bins)
        patch.setattr(boosting, "_ROWS", 1)
        patch.setattr(boosting, "_BIN", worth)
        patch.setattr(boosting, "_FEW", few)
        rankers = ThresholdRankers(np.asfortranarray(features))
        ranker, r = rankers.best(u)
    assert abs(r) == pytest.approx(plain(features, u), abs=1e-12)
    assert float(u @ rankers.values(ranker)) == pytest.approx(r, abs=1e-12)

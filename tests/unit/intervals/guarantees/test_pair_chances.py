"""p₁ and p₂ of Agarwal et al. 2005 from data, against loops over pairs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.intervals.guarantees import chebyshev, interval, normal
from rocsolid.intervals.guarantees.variance import exact_variance, pair_chances

scores = st.lists(st.integers(0, 5), min_size=1, max_size=7)


@given(pos=scores, neg=scores)
def test_they_are_means_over_pairs(pos: list[int], neg: list[int]) -> None:
    phi = np.array([[(x > y) + 0.5 * (x == y) for y in neg] for x in pos])
    found = pair_chances(pos, neg)
    m, n = phi.shape
    two_pos = [phi[i, j] * phi[h, j] for i, h, j in itertools.product(range(m), range(m), range(n))]
    two_neg = [phi[i, j] * phi[i, h] for i, j, h in itertools.product(range(m), range(n), range(n))]
    assert found["p1"] == pytest.approx(float(np.mean(two_pos)), abs=1e-12)
    assert found["p2"] == pytest.approx(float(np.mean(two_neg)), abs=1e-12)
    assert found["p_tie"] == pytest.approx(float(np.mean(phi == 0.5)), abs=1e-12)
    # a variance that some distribution has, that of the sample itself
    assert 0.0 <= exact_variance(float(phi.mean()), m, n, **found) <= 0.25


def test_the_variance_is_delongs_for_many_rows() -> None:
    """And Chebyshev's interval and the normal one are built on it, by their names too."""
    rng = np.random.default_rng(0)
    pos, neg = rng.normal(1.0, 1.5, 4000).round(1), rng.normal(0, 1, 6000).round(1)
    y = np.arange(10_000) < 4000
    known = rs.auc(y, np.append(pos, neg), interval="delong")
    chances = pair_chances(pos, neg)
    error = exact_variance(known.value, 4000, 6000, **chances) ** 0.5
    assert error == pytest.approx(known.std_error, rel=2e-3)
    found = normal(known.value, 4000, 6000, **chances)
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-4)
    wide = chebyshev(known.value, 4000, 6000, **chances)
    assert wide.high - known.value == pytest.approx(error / 0.05**0.5)
    assert not wide.certified
    assert interval("chebyshev", known.value, 4000, 6000, **chances) == wide


@pytest.mark.parametrize("pos", [[], ["a"], [np.nan, 1.0]])
def test_what_is_no_score_is_refused(pos: list[object]) -> None:
    with pytest.raises(rs.InputError, match="pos_scores"):
        pair_chances(pos, [0.0, 1.0])

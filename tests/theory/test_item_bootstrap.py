"""How often the interval from resampled documents holds the mean over lists of its length.

150 lists of 200 documents, 300 resamples, level 95 %, seeded. Efron's percentile interval is right
for large lists only; it must hold the mean at least 84 and at most 99.5 times in 100. A true
coverage of 90 % or more fails the lower limit with probability below 1.2 % (binomial), for each of
the three measures; the seed is fixed, so a pass stays a pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs


@pytest.mark.slow
@pytest.mark.parametrize("k", [None, 10, rs.discounts.frac(0.2)])
def test_coverage(k: Any) -> None:
    rng = np.random.default_rng(7)
    scores = rng.random((6000, 200))
    relevance = (rng.random(scores.shape) < 0.1 + 0.5 * scores).astype(float)
    truth = rs.ndcg(relevance, scores, k=k).value
    held = 0
    for y, s in zip(relevance[:150], scores[:150], strict=True):
        found = rs.ndcg(y, s, k=k, interval="items", resamples=300)
        held += found.low <= truth <= found.high
    assert 0.84 * 150 <= held <= 0.995 * 150

"""The pointwise band covers the true curve at each rate, ties included.

800 data sets a setting. With true coverage at least .95 the number of misses at one rate is
stochastically below Bin(800, .05): more than 76 has probability below 1e-7; 4 settings of 21 rates
make a false-alarm budget of 1e-5.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from rocsolid.intervals.guarantees.roc_band import curve_limits, pointwise_band
from rocsolid.summaries.score_counts import ScoreCounts

GRID = np.linspace(0.0, 1.0, 21)
REPEATS, MOST_MISSES = 800, 76


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(30, 40), (15, 300)])
@pytest.mark.parametrize("graded", [False, True])
def test_coverage(m: int, n: int, graded: bool) -> None:
    rng = np.random.Generator(np.random.Philox([m, n, graded]))
    cuts = np.array([-0.5, 0.3, 1.0, 1.8])
    fpr_points = np.concatenate([[0.0], ndtr(-cuts)[::-1], [1.0]])
    tpr_points = np.concatenate([[0.0], ndtr(1.0 - cuts)[::-1], [1.0]])
    if graded:  # the true curve of grades is the completed one, straight between its corners
        truth = np.interp(GRID, fpr_points, tpr_points)
    else:
        truth = ndtr(1.0 + ndtri(GRID))
    misses, width = np.zeros(len(GRID)), 0.0
    positive = np.arange(m + n) < m
    for _ in range(REPEATS):
        score = rng.normal(size=m + n) + positive
        if graded:
            score = np.searchsorted(cuts, score).astype(float)
        band = pointwise_band(ScoreCounts.from_arrays(positive, score), GRID)
        width += float(np.mean(band.high - band.low))
        misses += (truth < band.low - 1e-12) | (truth > band.high + 1e-12)
    assert misses.max() <= MOST_MISSES
    assert width / REPEATS < 0.65  # not so wide as to be worthless


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_each_of_four_tails_has_a_quarter_of_the_error(level: float) -> None:
    """The limits at one rate by summing binomial probabilities, in place of inverting them.

    Negatives are 1 … n; the upper rank u is the first with P(Bin(n, 1−t) ≥ u) ≤ δ/4, the lower l
    the last with P(Bin(n, 1−t) < l) ≤ δ/4, and each limit leaves δ/4 beyond the positives counted.
    """
    n, share, t = 30, (1.0 - level) / 4.0, 0.4
    rng = np.random.default_rng(6)
    pos, neg = rng.normal(size=25) * 6.0 + 20.0, np.arange(1.0, n + 1.0)
    positive = np.arange(25 + n) < 25
    counts = ScoreCounts.from_arrays(positive, np.append(pos, neg))
    low, high = curve_limits(counts, np.array([t]), level)
    chance = [math.comb(n, k) * (1.0 - t) ** k * t ** (n - k) for k in range(n + 1)]
    upper = min(u for u in range(n + 1) if sum(chance[u:]) <= share)
    lower = max(r for r in range(n + 1) if sum(chance[:r]) <= share)
    above, not_below = int(np.sum(pos > neg[upper - 1])), int(np.sum(pos >= neg[lower - 1]))
    assert 0 < above < not_below < 25

    def beyond(k: range, p: float) -> float:
        return sum(math.comb(25, i) * p**i * (1.0 - p) ** (25 - i) for i in k)

    assert beyond(range(above, 26), float(low[0])) == pytest.approx(share, rel=1e-6)
    assert beyond(range(not_below + 1), float(high[0])) == pytest.approx(share, rel=1e-6)

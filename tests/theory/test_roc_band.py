"""The pointwise band covers the true curve at each rate, ties included.

800 data sets a setting. With true coverage at least .95 the number of misses at one rate is
stochastically below Bin(800, .05): more than 76 has probability below 1e-7; 4 settings of 21 rates
make a false-alarm budget of 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from rocsolid.intervals.guarantees.roc_band import pointwise_band
from rocsolid.summaries.score_counts import ScoreCounts

GRID = np.linspace(0.0, 1.0, 21)
REPEATS, MOST_MISSES = 800, 76


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

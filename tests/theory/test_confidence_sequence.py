"""A confidence sequence may be looked at after every batch; a fixed-sample interval may not.

150 streams a setting, 60 looks each. Limits grow with the value, so bisection finds which of a
look's values are missed. The sequence fails a setting when a binomial with probability δ would
miss as often with a chance below 1e-6 / 4: the file's false-alarm budget is 1e-6, and with fixed
seeds it alarms always or never.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import pytest
from scipy.special import bdtrc, ndtri

from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.sequence import FIRST, _limits

STREAMS, LOOKS, STEP, DELTA = 150, 60, 8, 0.05


def _aucs(score: np.ndarray, other: np.ndarray) -> list[float]:
    """The AUC of the first STEP, 2·STEP, … rows of each class."""
    wins = (score[:, None] > other) + 0.5 * (score[:, None] == other)
    through = wins.cumsum(axis=0).cumsum(axis=1)
    sizes = STEP * np.arange(1, LOOKS + 1)
    return (through[sizes - 1, sizes - 1] / sizes**2).tolist()


def _missing(values: np.ndarray, k: int, truth: float) -> np.ndarray:
    """Which values have limits at k rows a class that leave out the truth."""
    ascending = np.sort(values).tolist()
    below = bisect_left(
        ascending, True, key=lambda value: _limits(value, k, DELTA, "two-sided")[1] >= truth
    )
    above = bisect_left(
        ascending, True, key=lambda value: _limits(value, k, DELTA, "two-sided")[0] > truth
    )
    within = ascending[below:above]
    return ~np.isin(values, within)


@pytest.mark.parametrize(
    ("auc", "levels"),
    [(0.5, None), (0.8, None), pytest.param(0.97, None, marks=pytest.mark.slow), (0.8, 3)],
    ids=str,
)
def test_streams_that_ever_miss(auc, levels):
    shift = np.sqrt(2) * ndtri(auc)
    rng = np.random.default_rng([7, int(100 * auc), levels or 0])
    n = STEP * LOOKS
    cuts = np.quantile(rng.normal(size=10**6), np.arange(1, levels) / levels) if levels else None
    truth = auc
    if cuts is not None:
        pos, neg = (np.digitize(rng.normal(c, size=10**6), cuts) for c in (shift, 0.0))
        p, q = (np.bincount(one, minlength=levels) / 10**6 for one in (pos, neg))
        truth = float(p @ (np.cumsum(q) - q / 2))  # within .001, far less than any interval here
    values = np.empty((STREAMS, LOOKS))
    for stream in range(STREAMS):
        pos, neg = rng.normal(shift, size=n), rng.normal(size=n)
        if cuts is not None:
            pos, neg = np.digitize(pos, cuts), np.digitize(neg, cuts)
        values[stream] = _aucs(pos, neg)
    sizes = STEP * np.arange(1, LOOKS + 1)
    spread = np.sqrt(values * (1 - values) / sizes / 1.5)
    peeked = int((np.abs(values - truth) > 1.96 * spread).any(axis=1).sum())
    misses = np.zeros(STREAMS, dtype=bool)
    for k, of_look in zip(sizes.tolist(), values.T, strict=True):
        if k >= FIRST:
            misses |= _missing(of_look, k, truth)
    missed = int(misses.sum())
    chance = 1.0 if missed == 0 else bdtrc(missed - 1, STREAMS, DELTA)
    assert chance > 1e-6 / 4
    # the test has teeth: an interval for one look misses in a share of streams far above δ
    assert peeked > 3 * DELTA * STREAMS


def test_the_price_of_looking_is_modest():
    """After 500 rows a class, the sequence is less than twice as wide as one look's hinge."""
    low, high = _limits(0.8, 500, DELTA, "two-sided")
    one = hinge_limits(0.8, 500, DELTA)
    assert 1.0 < (high - low) / float(one[1] - one[0]) < 2.0

"""Coverage of every certified interval by simulation, over more than 200 configurations.

A method fails a configuration when one of its two sides misses so often that a binomial with
probability δ/2 would do so with a chance below ALARM; with ALARM = 1e-6 divided by the number of
checks in this file (below 4,000), the whole file raises a false alarm with probability < 1e-6, and
as its seeds are fixed it does so always or never.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtr, ndtri

from rocsolid.intervals.guarantees.betting import betting, e_value
from rocsolid.intervals.guarantees.checks import log_inverse_share, symmetric
from rocsolid.intervals.guarantees.clustered import effective_size, squared_shares
from rocsolid.intervals.guarantees.error_rate import error_rate
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import hoeffding_limits, kl_limits, mcdiarmid_limits
from rocsolid.intervals.guarantees.variance import chebyshev

Array = NDArray[np.float64]
ALARM = 1e-6 / 4000
REPEATS = 400


class Setting(NamedTuple):
    m: int
    n: int
    shape: str
    auc: float
    delta: float


SIZES = [(1, 1), (5, 5), (3, 40), (10, 10), (25, 20), (50, 100), (200, 200), (30, 1000), (1000, 30)]
SHAPES = ["binormal", "unequal", "ordinal", "two-point", "coarse", "sparse"]
AUCS = [0.5, 0.8, 0.995]
SETTINGS = [
    Setting(*size, shape, auc, delta)
    for (size, shape, auc), delta in zip(
        itertools.product(SIZES, SHAPES, AUCS),
        itertools.cycle([0.5, 0.05, 0.2, 0.05]),
        strict=False,
    )
] + [Setting(*size, shape, 0.9, 0.3) for size, shape in itertools.product(SIZES, SHAPES)]
CONTINUOUS = {"binormal": 1.0, "unequal": 3.0}  # the standard deviation of the positives
LEVELS = {"ordinal": (5, 1.0), "two-point": (2, 1.0), "coarse": (3, 1.0), "sparse": (9, 4.0)}


def levels(setting: Setting) -> tuple[Array, Array]:
    """Chances of ordered levels for positives and negatives with the AUC requested.

    Positives come from the levels' chances tilted towards the top, negatives towards the bottom.
    """
    count, peak = LEVELS[setting.shape]
    steps = np.linspace(-1, 1, count)
    base = np.where(np.arange(count) == count // 2, peak, 1.0)

    def pair(tilt: float) -> tuple[Array, Array]:
        up, down = base * np.exp(tilt * steps), base * np.exp(-tilt * steps)
        return up / up.sum(), down / down.sum()

    low, high = 0.0, 40.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if level_auc(*pair(middle)) < setting.auc else (low, middle)
    return pair(high)


def level_auc(p: Array, q: Array) -> float:
    return float(p @ (np.cumsum(q) - q / 2))


def simulate(setting: Setting, rng: np.random.Generator) -> tuple[float, Array]:
    """The true AUC and the estimates of many data sets."""
    m, n, shape, auc, _ = setting
    if shape in CONTINUOUS:
        spread = CONTINUOUS[shape]
        shift = float(ndtri(auc)) * math.hypot(1, spread)
        pos = rng.normal(shift, spread, (REPEATS, m))
        scores = np.concatenate([rng.normal(size=(REPEATS, n)), pos], axis=1)
        ranks = np.empty((REPEATS, m + n))
        places = np.arange(1, m + n + 1)[None, :].repeat(REPEATS, axis=0)
        np.put_along_axis(ranks, np.argsort(scores, axis=1), places, axis=1)
        return auc, (ranks[:, n:].sum(axis=1) - m * (m + 1) / 2) / (m * n)
    p, q = levels(setting)
    pos_counts, neg_counts = rng.multinomial(m, p, REPEATS), rng.multinomial(n, q, REPEATS)
    below = np.cumsum(neg_counts, axis=1) - neg_counts / 2
    return level_auc(p, q), (pos_counts * below).sum(axis=1) / (m * n)


def check(truth: float, low: Array, high: Array, delta: float) -> None:
    for missed in (np.sum(truth < low - 1e-12), np.sum(truth > high + 1e-12)):
        chance = bdtrc(float(missed) - 1, len(low), delta / 2) if missed else 1.0
        assert chance >= ALARM, f"{missed} of {len(low)} missed at {delta / 2}"


def test_there_are_enough_settings() -> None:
    assert len(SETTINGS) >= 200
    assert 8 * len(SETTINGS) + 400 < 4000


@pytest.mark.parametrize("size", SIZES)
def test_bounds_from_the_auc(size: tuple[int, int]) -> None:
    rng = np.random.default_rng([5, *size])
    for setting in SETTINGS:
        if (setting.m, setting.n) == size:
            truth, estimates = simulate(setting, rng)
            k, delta = min(size), setting.delta
            check(truth, *mcdiarmid_limits(estimates, *size, delta), delta)
            check(truth, *hoeffding_limits(estimates, k, delta), delta)
            check(truth, *kl_limits(estimates, k, delta), delta)
            check(truth, *hinge_limits(estimates, k, delta), delta)


PLACED = [
    pytest.param(small, large, shape, auc, marks=[pytest.mark.slow] * (small == 100))
    for small, large in [(30, 1000), (100, 1000), (12, 12)]
    for shape in ("binormal", "rounded", "all or nothing")
    for auc in (0.6, 0.995)
]


@pytest.mark.slow
@pytest.mark.parametrize(("small", "large", "shape", "auc"), PLACED)
def test_bounds_from_placements(small: int, large: int, shape: str, auc: float) -> None:
    rng = np.random.default_rng([6, small, large, int(1000 * auc), len(shape)])
    delta, repeats = 0.3, 100
    limits: dict[str, list[tuple[float, float]]] = {"e-value": [], "betting": []}
    shift = float(ndtri(auc)) * math.sqrt(2)
    if shape == "rounded":  # ties: the truth then follows from the chances of the half-units
        edges = (np.arange(-16, 17) + 0.5) / 2
        q = np.diff(ndtr(edges), prepend=0.0, append=1.0)
        p = np.diff(ndtr(edges - shift), prepend=0.0, append=1.0)
        auc = level_auc(p, q)
    for _ in range(repeats):
        if shape == "all or nothing":
            pos = np.where(rng.random(small) < auc, 9.0, -9.0)
        else:
            pos = rng.normal(shift, 1, small)
        neg = rng.normal(size=large)
        if shape == "rounded":
            pos, neg = np.clip(np.round(2 * pos), -16, 17), np.clip(np.round(2 * neg), -16, 17)
        neg.sort()
        beaten = np.searchsorted(neg, pos, "left") + np.searchsorted(neg, pos, "right")
        for method in (e_value, betting):
            found = method(beaten / (2 * large), small, large, delta)
            limits[found.method].append((found.low, found.high))
    for pairs in limits.values():
        low, high = np.array(pairs).T
        check(auc, low, high, delta)


@pytest.mark.parametrize("auc", [0.6, 0.95])
@pytest.mark.parametrize("delta", [0.05, 0.5])
def test_weights_that_ignore_the_scores(auc: float, delta: float) -> None:
    rng = np.random.default_rng([7, int(100 * auc)])
    u, v = rng.exponential(size=40), rng.exponential(size=25)
    pos = rng.normal(float(ndtri(auc)) * math.sqrt(2), 1, (REPEATS, 40, 1))
    wins = pos > rng.normal(size=(REPEATS, 1, 25))
    estimates = np.einsum("i,rij,j->r", u, wins, v) / (u.sum() * v.sum())
    check(auc, *mcdiarmid_limits(estimates, effective_size(u), effective_size(v), delta), delta)


@pytest.mark.parametrize("tau", [0.0, 1.0, 5.0])
@pytest.mark.parametrize("delta", [0.05, 0.5])
def test_clusters_that_share_an_effect(tau: float, delta: float) -> None:
    rng = np.random.default_rng([8, int(tau)])
    pos_counts, neg_counts = np.array([1, 2, 3, 0, 4] * 6), np.array([2, 0, 3, 1, 1] * 6)
    m, n = pos_counts.sum(), neg_counts.sum()
    effect = tau * rng.normal(size=(REPEATS, 30))
    pos = np.repeat(effect, pos_counts, axis=1) + rng.normal(1, 1, (REPEATS, m))
    neg = np.repeat(effect, neg_counts, axis=1) + rng.normal(0, 1, (REPEATS, n))
    estimates = (pos[:, :, None] > neg[:, None, :]).mean(axis=(1, 2))
    within = (pos_counts * neg_counts).sum() / (m * n)
    truth = within * ndtr(1 / math.sqrt(2)) + (1 - within) * ndtr(1 / math.sqrt(2 + 2 * tau**2))
    half = log_inverse_share(delta, "two-sided") / 2
    epsilon = math.sqrt(half * squared_shares(pos_counts, neg_counts))
    check(float(truth), *symmetric(estimates, epsilon, "two-sided"), delta)


@pytest.mark.parametrize("setting", [s for s in SETTINGS if s.shape == "coarse"][::3])
def test_chebyshev_with_the_variance_known(setting: Setting) -> None:
    truth, estimates = simulate(setting, np.random.default_rng([9, setting.m, setting.n]))
    p, q = levels(setting)
    phi = np.tri(3, 3, -1) + 0.5 * np.eye(3)
    m, n = setting.m, setting.n
    one = truth - truth**2 - p @ q / 4
    p1, p2 = q @ (p @ phi) ** 2, p @ (phi @ q) ** 2
    variance = (one + (m - 1) * (p1 - truth**2) + (n - 1) * (p2 - truth**2)) / (m * n)
    found = [chebyshev(e, m, n, setting.delta, variance=max(variance, 0.0)) for e in estimates]
    # Chebyshev promises δ for both sides together, so each side alone is held to δ
    low, high = np.array([(i.low, i.high) for i in found]).T
    check(truth, low, high, 2 * setting.delta)


def test_error_rate_of_independent_rows() -> None:
    rng = np.random.default_rng(10)
    for error, delta in itertools.product((0.02, 0.3, 0.5), (0.05, 0.5)):
        found = [error_rate(e, 30, 20, delta) for e in rng.binomial(50, error, REPEATS) / 50]
        check(error, np.array([i.low for i in found]), np.array([i.high for i in found]), delta)

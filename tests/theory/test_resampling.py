"""Resamples have the distributions that their names promise, and the intervals cover.

Each check fails with a probability below 1e-7 where the promise holds (a coverage check: where the
coverage is at its floor); the 40 checks of this file together raise a false alarm with a
probability below 4e-6 over the choice of seeds, and the seeds are fixed.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.special import bdtr, chdtrc, ndtri, pdtrc

import rocsolid as rs
from rocsolid.binary.resampling.auc import resampled_moments
from rocsolid.binary.resampling.interval import Sampler, multinomial_counts, poisson_counts
from rocsolid.binary.resampling.replicates import replicates
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.stream import stream
from rocsolid.summaries.weighted_placements import WeightedPlacements

ALARM = 1e-7


def fits(observed: Any, expected: Any) -> bool:
    """Pearson's χ² test; cells that expect fewer than 20 are put together."""
    observed, expected = np.asarray(observed, float), np.asarray(expected, float)
    rare = expected < 20.0
    seen = np.append(observed[~rare], observed[rare].sum())
    due = np.append(expected[~rare], expected[rare].sum())
    if due[-1] < 5.0:  # too rare for χ²: the tail of their own Poisson law
        if seen[-1] > 0 and pdtrc(seen[-1] - 1, due[-1]) < ALARM:
            return False
        seen, due = seen[:-1], due[:-1]
    statistic = float(np.sum((seen - due) ** 2 / due))
    return float(chdtrc(len(due) - 1, statistic)) >= ALARM


@pytest.mark.parametrize("mean", [1.0, 0.98, 0.6, 0.01])
def test_poisson_counts(mean: float) -> None:
    counts = poisson_counts(stream(1), mean, (2000, 1500)).ravel()
    chance = np.array([math.exp(-mean) * mean**k / math.factorial(k) for k in range(14)])
    observed = np.bincount(counts, minlength=14)
    assert len(observed) == 14
    assert fits(observed, chance * len(counts))
    # the byte that decides one count says nothing about the next one
    pairs = np.bincount(
        4 * np.minimum(counts[:-1:2], 3) + np.minimum(counts[1::2], 3), minlength=16
    )
    top = np.append(chance[:3], chance[3:].sum())
    assert fits(pairs, np.outer(top, top).ravel() * len(counts) / 2)


@pytest.mark.parametrize("units", [1, 2, 3, 4])
def test_every_multinomial_outcome(units: int) -> None:
    columns = 50_000
    counts = multinomial_counts(stream(2), units, columns)
    assert set(counts.sum(axis=0).tolist()) == {units}
    places = np.array([(units + 1) ** i for i in range(units)])
    code = (counts * places[:, None]).sum(axis=0)
    outcomes: dict[int, int] = {}
    for draws in product(range(units), repeat=units):
        key = int(places[list(draws)].sum())
        outcomes[key] = outcomes.get(key, 0) + 1
    observed = [int(np.count_nonzero(code == key)) for key in outcomes]
    assert sum(observed) == columns
    expected = columns * np.array(list(outcomes.values())) / units**units
    assert len(expected) == 1 or fits(observed, expected)


@pytest.mark.parametrize("units", [17, 40, 1000])
def test_multinomial_counts_from_poisson_ones(units: int) -> None:
    """One unit's count is binomial, and two together are too: their sum has twice the chance."""
    columns = 4_000_000 // units
    counts = multinomial_counts(stream(3), units, columns)
    assert (counts.sum(axis=0, dtype=np.int64) == units).all()
    for together in (1, 2):
        some = counts[: units // together * together].astype(int)
        # sums of neighbouring units of the same resample; far fewer are independent than counted,
        # but their dependence is negative, which makes χ² smaller
        sums = some.reshape(-1, together, columns).sum(axis=1)[:: max(units // 8, 1)].ravel()
        p = together / units
        due = [math.comb(units, k) * p**k * (1 - p) ** (units - k) for k in range(12)]
        observed = np.bincount(np.minimum(sums, 12), minlength=13)
        assert fits(observed, len(sums) * np.append(due, max(1.0 - sum(due), 0.0)))


def test_columns_that_drew_too_many_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second one is where the mean is 1, and the result is multinomial all the same."""
    monkeypatch.setattr("rocsolid.binary.resampling.interval._SPARE", 0.0)
    counts = multinomial_counts(stream(4), 60, 60_000)
    assert (counts.sum(axis=0, dtype=np.int64) == 60).all()
    due = [math.comb(60, k) * (1 / 60) ** k * (59 / 60) ** (60 - k) for k in range(10)]
    observed = np.bincount(counts[::8].ravel(), minlength=10)
    assert fits(observed[:10], counts[::8].size * np.array(due))


@pytest.mark.parametrize("scheme", ["stratified", "plain", "poisson", "bayesian", "cluster"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_spread_of_the_replicates(scheme: str, weighted: bool) -> None:
    """Against the variance by influence: 4,000 resamples know it to 2.2 %, O(1/n) adds a little."""
    rng = np.random.default_rng(11)
    y = rng.random(1200) < 0.4
    cluster = np.arange(1200) // 4 if scheme == "cluster" else None
    s = rng.normal(size=1200) + y + np.repeat(rng.normal(size=300), 4)
    weight = rng.random(1200) + 0.2 if weighted else None
    rows = BinaryRows(y, np.round(s, 1), weight, cluster)
    by_row = WeightedPlacements.from_arrays(y, rows.score, weight)
    moments = by_row.moments if cluster is None else by_row.clustered_moments(cluster)
    values = replicates([rows], resamples=4000, seed=1, scheme=scheme)[:, 0]
    assert np.var(values) == pytest.approx(float(moments.variance), rel=0.14)
    assert np.mean(values) == pytest.approx(float(moments.auc), abs=0.003)


def test_models_share_their_resamples() -> None:
    """The covariance of two models' replicates is DeLong's; 4,000 resamples know it to 3 %."""
    rng = np.random.default_rng(12)
    y = rng.random(800) < 0.4
    shared = rng.normal(size=800)
    scores = [shared + rng.normal(size=800) + y for _ in range(2)]
    found = replicates([BinaryRows(y, s) for s in scores], resamples=4000, seed=1)
    both = [WeightedPlacements.from_arrays(y, s) for s in scores]
    parts = [one.share * (one.placement - one.auc) for one in both]
    assert np.cov(found.T)[0, 1] == pytest.approx(float(parts[0] @ parts[1]), rel=0.2)


def draw(rng: np.random.Generator, kind: str, m: int, n: int, auc: float) -> BinaryRows:
    y = np.arange(m + n) < m
    if kind == "binormal":
        return BinaryRows(y, rng.normal(size=m + n) + y * math.sqrt(2.0) * ndtri(auc))
    return BinaryRows(y, rng.exponential(np.where(y, auc / (1.0 - auc), 1.0)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "m", "n", "auc"),
    [("binormal", 60, 60, 0.8), ("exponential", 20, 20, 0.95), ("exponential", 15, 100, 0.95),
     ("binormal", 120, 60, 0.7)],
)  # fmt: skip
def test_coverage_of_the_recommended_one(kind: str, m: int, n: int, auc: float) -> None:
    """150 data sets: coverage not below .90; where percentiles fail, it covers more often."""
    rng = np.random.Generator(np.random.Philox([m, n, int(100 * auc)]))
    covered, tried = {"bootstrap": 0, "bootstrap-percentile": 0}, 0
    for b in range(150):
        rows = draw(rng, kind, m, n, auc)
        try:
            found = {
                name: rs.auc(rows.positive, rows.score, interval=name, resamples=500, seed=b)
                for name in covered
            }
        except UnsoundError:
            continue
        tried += 1
        for name, result in found.items():
            covered[name] += auc in result.interval
    assert bdtr(covered["bootstrap"], tried, 0.90) >= ALARM
    if auc == 0.95:
        assert covered["bootstrap-percentile"] < covered["bootstrap"]


@pytest.mark.slow
def test_clusters_are_what_is_drawn() -> None:
    """60 clusters of 6 rows with one random effect each: rows drawn one by one cover too seldom."""
    rng = np.random.Generator(np.random.Philox(13))
    cluster = np.arange(360) // 6
    truth = 0.5 * (1.0 + math.erf(0.9 / (2.0 * math.sqrt(5.0))))
    covered = {"cluster": 0, "rows": 0}
    for b in range(150):
        y = (rng.random(60) < 0.5)[cluster]
        s = 0.9 * y + (2.0 * rng.normal(size=60))[cluster] + rng.normal(size=360)
        for name, groups in (("cluster", cluster), ("rows", None)):
            ask: dict[str, Any] = {"interval": "bootstrap-bca", "resamples": 400, "seed": b}
            covered[name] += truth in rs.auc(y, s, cluster=groups, **ask).interval
    assert bdtr(covered["cluster"], 150, 0.90) >= ALARM
    assert covered["rows"] < 120


def test_the_studentised_error_is_closer_to_a_pivot() -> None:
    """Its variance is DeLong's of the resample, so the error in units of it has a spread near 1."""
    rng = np.random.default_rng(14)
    rows = draw(rng, "binormal", 100, 80, 0.75)
    values, variances = resampled_moments(rows, Sampler.of(rows, None), 4000, seed=2)
    error = (values - float(rs.auc(rows.positive, rows.score))) / np.sqrt(variances)
    assert np.std(error) == pytest.approx(1.0, abs=0.08)

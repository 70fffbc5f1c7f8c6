"""Values whose units come in clusters: the mean's interval and the test of a difference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import rocsolid as rs

FALSE_ALARM = 1e-4


def clustered(
    rng: np.random.Generator, clusters: int, gap: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two scores: one to nine units a cluster, half the variance between clusters."""
    cluster = np.repeat(np.arange(clusters), rng.integers(1, 10, clusters))
    shared = rng.normal(size=(2, clusters))[:, cluster]
    own = rng.normal(size=(2, len(cluster)))
    a, b = 0.5 + 0.1 * (shared + own)
    return a + gap, b, cluster


def at_least(hits: int, trials: int, share: float) -> bool:
    """Whether so few hits have a probability above the false-alarm budget at this share."""
    return bool(binom.cdf(hits, trials, share) > FALSE_ALARM)


def test_each_unit_a_cluster_changes_nothing() -> None:
    values = {"a": [0.2, 0.9, 0.4, 0.6], "b": [0.1, 0.7, 0.5, 0.2]}
    plain, single = rs.Sample(values), rs.Sample(values, cluster=[4, 3, 2, 1])
    assert single.range == plain.range
    for name, estimate in single.estimates().items():
        other = plain.estimates()[name]
        assert estimate.value == pytest.approx(other.value, abs=1e-15)
        assert estimate.interval.low == pytest.approx(other.interval.low, abs=1e-12)
        assert estimate.certified.low == pytest.approx(other.certified.low, abs=1e-12)


def test_equal_clusters_are_their_means_and_certified() -> None:
    sample = rs.Sample({"a": [0.0, 1.0, 0.5, 0.5]}, cluster=list("uuvv"))
    assert sample.values["a"].tolist() == [0.5, 0.5]
    assert sample.estimates()["a"].certified is not None


def test_the_variance_is_that_of_the_ratio_estimate() -> None:
    """Cochran (1977), section 9A.1, written out over clusters."""
    values, _, cluster = clustered(np.random.default_rng(5), 30, 0.0)
    sizes = np.bincount(cluster)
    total = np.bincount(cluster, values)
    ratio = total.sum() / sizes.sum()
    residual = total - ratio * sizes
    c = len(sizes)
    variance = c / (c - 1) * float(residual @ residual) / sizes.sum() ** 2
    estimate = rs.Sample({"a": values}, range=None, cluster=cluster).estimates()["a"]
    assert estimate.value == pytest.approx(ratio, abs=1e-14)
    assert estimate.std_error == pytest.approx(variance**0.5, rel=1e-12)
    assert estimate.certified is None


@pytest.mark.slow
def test_intervals_cover_and_units_alone_do_not() -> None:
    rng, trials = np.random.default_rng(11), 1000
    covered = naive = 0
    for _ in range(trials):
        a, _, cluster = clustered(rng, 40, 0.0)
        inside = [
            sample.estimates(interval="t")["a"].interval
            for sample in (rs.Sample({"a": a}, range=None, cluster=cluster),
                           rs.Sample({"a": a}, range=None))
        ]  # fmt: skip
        covered += inside[0].low <= 0.5 <= inside[0].high
        naive += inside[1].low <= 0.5 <= inside[1].high
    assert at_least(covered, trials, 0.93)
    assert not at_least(naive, trials, 0.85)


@pytest.mark.slow
def test_a_comparison_keeps_its_level() -> None:
    rng, trials = np.random.default_rng(12), 600
    rejected = 0
    for _ in range(trials):
        a, b, cluster = clustered(rng, 40, 0.0)
        compared = rs.compare(rs.Sample({"a": a, "b": b}, range=None, cluster=cluster))
        rejected += compared.pairs[0].p_value <= 0.05
    assert binom.sf(rejected - 1, trials, 0.06) > FALSE_ALARM


def test_every_verb_says_clusters() -> None:
    a, b, cluster = clustered(np.random.default_rng(3), 40, 0.1)
    sample = rs.Sample({"a": a, "b": b}, range=None, cluster=cluster)
    answer = rs.evaluate(sample)
    assert answer.to_dict()["unit"] == "cluster"
    assert answer.to_dict()["units"] == 40
    assert rs.gate({"rule": [{"score": "a", "better_than": "b"}]}, sample).verdict == "pass"
    assert "cluster" in answer.to_html()


def test_what_is_refused() -> None:
    with pytest.raises(rs.InputError, match="cluster"):
        rs.Sample({"a": [0.1, 0.2]}, cluster=[1])
    with pytest.raises(rs.InputError, match="leave names out"):
        rs.Sample({"a": [0.1, 0.2]}, cluster=[1, 2], names=["x", "y"])

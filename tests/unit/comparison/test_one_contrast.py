"""Where two values are compared, the test that all are equal is the test of the pair."""

import numpy as np
import pytest
from scipy.stats import f as f_distribution

import rocsolid as rs
from rocsolid.comparison.options import TESTS

rng = np.random.default_rng(1)
N = 120
Y, CLUSTER = np.arange(N) % 2, np.arange(N) // 4
SCORES = {name: Y * pull + rng.normal(size=N) for name, pull in (("a", 0.9), ("b", 0.5))}
HALVES = slice(0, N // 2), slice(N // 2, N)
WEIGHT = rng.integers(1, 4, N)
NOT_EXCHANGED = [test for test in TESTS if test not in ("permutation", "venkatraman-curves")]


def _agree(found):
    (pair,) = found.pairs
    assert found.omnibus.p_value == pytest.approx(pair.p_value, rel=1e-9)
    return found


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("more", [{}, {"cluster": CLUSTER}])
def test_scores_of_the_same_rows(test, more):
    _agree(rs.compare(Y, SCORES, test=test, resamples=99, **more))


@pytest.mark.parametrize("test", NOT_EXCHANGED)
@pytest.mark.parametrize("measure", ["auc", "pr_auc", "partial_auc(fpr<=0.3)"])
def test_weighted_scores(test, measure):
    _agree(rs.compare(Y, SCORES, test=test, resamples=99, sample_weight=WEIGHT, measure=measure))


def _halves(clusters):
    samples = [(Y[half], SCORES["a"][half]) for half in HALVES]
    return samples, {"cluster": [CLUSTER[half] for half in HALVES]} if clusters else {}


@pytest.mark.parametrize("test", TESTS)
def test_independent_samples(test):
    samples, more = _halves(clusters=False)
    _agree(rs.compare(samples, test=test, resamples=99, **more))


@pytest.mark.parametrize("test", NOT_EXCHANGED)
def test_independent_samples_of_clusters(test):
    samples, more = _halves(clusters=True)
    _agree(rs.compare(samples, test=test, resamples=99, **more))


@pytest.mark.parametrize("test", ["delong", "permutation", "bootstrap"])
def test_a_pair_on_one_side_has_the_omnibus_of_two(test):
    two_sided, one_sided = (
        rs.compare(Y, SCORES, test=test, resamples=199, alternative=side)
        for side in ("two-sided", "greater")
    )
    assert one_sided.omnibus.p_value == two_sided.pairs[0].p_value
    assert one_sided.pairs[0].p_value < two_sided.pairs[0].p_value


def test_all_exchanges_of_few_rows():
    few = [0, 1, 2, 3, 5, 6]
    scores = {name: score[few] for name, score in SCORES.items()}
    found = _agree(rs.compare(Y[few], scores, test="permutation"))
    assert (found.omnibus.draws, found.omnibus.p_at_floor) == (0, False)


@pytest.mark.parametrize("test", ["auto", "t", "sign-flip"])
def test_systems_over_queries(test):
    systems = {name: rng.uniform(size=30) for name in "ab"}
    _agree(rs.queries.compare(systems, test=test, resamples=199))


def test_systems_of_queries_of_their_own():
    systems = {"a": rng.uniform(size=30), "b": rng.uniform(size=25)}
    _agree(rs.queries.compare(systems, paired=False))


@pytest.mark.parametrize("more", [{}, {"cluster": CLUSTER}])
def test_learners_over_folds(more):
    found = rs.cross_validated(Y, SCORES, fold=CLUSTER % 3, **more)
    _agree(found)


def test_two_segments_in_every_verb():
    table = {"y": Y, "a": SCORES["a"], "site": np.where(np.arange(N) % 4 < 2, "N", "S")}
    pair = _agree(rs.compare(table, label="y", scores="a", by="site").comparisons["a"]).pairs[0]
    (tested,) = rs.evaluate(table, label="y", scores="a", by="site").heterogeneity
    assert tested.p_value == pytest.approx(pair.p_value, rel=1e-9)


def _plain_f(found, units):
    """Hotelling's test in plain algebra, from the covariance that a comparison states."""
    values = np.array([one.value for one in found.estimates.values()])
    contrast = np.eye(len(values))[1:] - np.eye(len(values))[0]
    covariance = contrast @ found.covariance @ contrast.T
    squared = contrast @ values @ np.linalg.solve(covariance, contrast @ values)
    q, nu = len(values) - 1, units - 1.0
    statistic = squared * (nu - q + 1.0) / (nu * q)
    return statistic, f_distribution.sf(statistic, q, nu - q + 1.0)


def test_three_scores_of_clusters_have_the_degrees_of_freedom_of_each_pair():
    three = SCORES | {"c": Y * 0.2 + rng.normal(size=N)}
    found = rs.compare(Y, three, test="delong", cluster=CLUSTER)
    statistic, p = _plain_f(found, CLUSTER.max() + 1)
    assert {pair.df for pair in found.pairs} == {29.0}
    assert (found.omnibus.df, found.omnibus.df2) == (2, 28.0)
    assert found.omnibus.statistic == pytest.approx(statistic)
    assert found.omnibus.p_value == pytest.approx(p)


def test_three_scores_of_clusters_by_the_bootstrap():
    three = SCORES | {"c": Y * 0.2 + rng.normal(size=N)}
    found = rs.compare(Y, three, test="bootstrap", resamples=199, cluster=CLUSTER)
    statistic, p = _plain_f(found, CLUSTER.max() + 1)
    assert found.omnibus.statistic == pytest.approx(statistic)
    assert found.omnibus.p_value == pytest.approx(p)


def test_scores_of_independent_rows_keep_chi_square_with_delong():
    three = SCORES | {"c": Y * 0.2 + rng.normal(size=N)}
    assert rs.compare(Y, three, test="delong").omnibus.method == "chi2"


@pytest.mark.slow
def test_few_clusters_keep_the_level():
    """15 clusters of 8 rows, 3 scores that are equally good: χ² has 8.7 % false alarms at 5 %."""
    draw, alarms, times = np.random.default_rng(5), 0, 600
    y, cluster = np.arange(120) % 2, np.arange(120) // 8
    for _ in range(times):
        of_cluster = draw.normal(size=(3, 15, 2))[:, cluster, y]
        scores = y + 0.8 * of_cluster + draw.normal(size=(3, 120))
        found = rs.compare(
            y, dict(zip("abc", scores, strict=True)), test="delong", cluster=cluster,
            certified=False,
        )  # fmt: skip
        alarms += found.omnibus.p_value < 0.05
    # a test that keeps 5 % fails here with a probability of .001 (binomial)
    assert alarms <= 47

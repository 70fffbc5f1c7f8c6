"""The test that segments differ keeps its level with few positives, where Cochran's does not.

A check fails when a binomial with the stated probability would reject so often with a chance below
1e-5; the seeds are fixed.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, chdtrc, ndtri

import rocsolid as rs
from rocsolid.comparison.heterogeneity import Heterogeneity, SharedClusters, heterogeneity
from rocsolid.inputs import BinaryRows
from rocsolid.measures.whole_area import WholeArea
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.spread import Spread

ALARM = 1e-5
Floats = NDArray[np.float64]


def segments(
    rng: np.random.Generator, n_pos: NDArray[np.int64], n_neg: NDArray[np.int64], auc: Floats
) -> tuple[Floats, Floats]:
    """AUCs of binormal scores with DeLong's errors, NaN from one positive."""
    values, errors = [], []
    for m, n, area in zip(n_pos, n_neg, auc, strict=True):
        wins = rng.normal(size=m)[:, None] + np.sqrt(2.0) * ndtri(area) > rng.normal(size=n)
        by_pos, by_neg = wins.mean(axis=1), wins.mean(axis=0)
        values.append(wins.mean())
        known = by_pos.var(ddof=1) / m + by_neg.var(ddof=1) / n if m > 1 else np.nan
        errors.append(np.sqrt(known))
    return np.array(values), np.array(errors)


def worth(n_pos: NDArray[np.int64], n_neg: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Units and degrees of freedom."""
    return 1.0 / (1.0 / n_pos + 1.0 / n_neg), np.minimum(n_pos, n_neg) - 1.0


@pytest.mark.parametrize(("count", "low", "high", "auc"), [(20, 1, 6, 0.75), (5, 20, 60, 0.92)])
def test_equal_segments(count: int, low: int, high: int, auc: float) -> None:
    rng, boards = np.random.default_rng(count), 60
    found = apart = cochran = 0
    for seed in range(boards):
        n_pos, n_neg = rng.integers(low, high + 1, count), rng.integers(20, 80, count)
        values, errors = segments(rng, n_pos, n_neg, np.full(count, auc))
        one = heterogeneity(values, errors, *worth(n_pos, n_neg), (0.0, 1.0), seed)
        assert one is not None
        found += one.p_value <= 0.05
        apart += bool((one.adjusted < 0.05).any())
        known = errors > 0.0
        weight = 1.0 / errors[known] ** 2
        mean = (weight * values[known]).sum() / weight.sum()
        q = (weight * (values[known] - mean) ** 2).sum()
        cochran += chdtrc(known.sum() - 1, q) < 0.05
    assert found == 0 or bdtrc(found - 1, boards, 0.05) > ALARM
    assert apart == 0 or bdtrc(apart - 1, boards, 0.05) > ALARM
    if low == 1:
        assert bdtrc(cochran - 1, boards, 0.05) < ALARM


def test_segments_that_differ_are_found_and_shrunk_less() -> None:
    rng = np.random.default_rng(1)
    n_pos, n_neg = np.full(30, 25), np.full(30, 60)
    auc = np.full(30, 0.85)
    auc[3] = 0.55
    values, errors = segments(rng, n_pos, n_neg, auc)
    n_pos[7] = 1
    values[7], errors[7] = 0.5, np.nan  # from one positive, farther from the mean than most
    one = heterogeneity(values, errors, *worth(n_pos, n_neg), (0.0, 1.0))
    assert one is not None
    assert one.p_value < 0.01
    assert np.flatnonzero(one.adjusted < 0.05).tolist() == [3]
    assert one.p_values[7] > 0.05
    kept = (one.shrunken - one.mean) / (values - one.mean)
    assert kept[7] < 0.25 < kept[3]


def test_equal_segments_of_clusters() -> None:
    """Rows of a cluster share most of their score; rows alone for the sample find differences."""
    rng, boards, segments = np.random.default_rng(7), 12, 12
    found = apart = as_rows = 0
    for _ in range(boards):
        home = np.repeat(np.arange(segments), rng.integers(4, 10, segments))
        cluster = np.repeat(np.arange(len(home)), rng.integers(1, 30, len(home)))
        y = rng.random(len(cluster)) < 0.4
        s = 3.0 * rng.normal(size=len(home))[cluster] + rng.normal(size=len(cluster)) + 2.0 * y
        table = {"y": y.astype(int), "s": s, "site": home[cluster], "id": cluster}
        (one,) = rs.evaluate(table, label="y", scores="s", by="site", cluster="id").heterogeneity
        (wrong,) = rs.evaluate(table, label="y", scores="s", by="site").heterogeneity
        found += one.p_value <= 0.05
        apart += bool(one.differ)
        as_rows += wrong.p_value <= 0.05
    assert found == 0 or bdtrc(found - 1, boards, 0.05) > ALARM
    assert apart == 0 or bdtrc(apart - 1, boards, 0.05) > ALARM
    assert bdtrc(as_rows - 1, boards, 0.05) < ALARM


def of_patients(
    rng: np.random.Generator, auc: Floats, *, count: int, sick: bool, weighted: bool = False
) -> tuple[Heterogeneity, Heterogeneity]:
    """Most of ``count`` patients at each of some hospitals: as they are, and as if apart.

    A patient's rows share most of their score. ``sick`` patients are so everywhere, so that
    hospitals go together; others are at every second hospital, so that neighbours go apart.
    """
    hospitals = len(auc)
    ill = rng.random(count) < 0.4
    home = np.repeat(np.arange(hospitals), count)
    patient = np.tile(np.arange(count), hospitals)
    seen = rng.random(len(home)) < 0.8
    home, patient = home[seen], patient[seen]
    y = ill[patient] if sick else (ill[patient] + home) % 2 == 0
    s = np.sqrt(0.8) * rng.normal(size=count)[patient] + np.sqrt(0.2) * rng.normal(size=len(home))
    s += np.sqrt(2.0) * ndtri(auc)[home] * y
    weight = None
    if weighted:
        s, weight = np.round(2.0 * s) / 2.0, rng.choice([1.0, 2.0, 4.0], len(home))
    rows, groups = BinaryRows(y, s, weight, patient), Groups.of(home, hospitals)
    values, errors = [], []
    for group in range(hospitals):
        part = rows.subset(groups.rows(group))
        pull, positive = WholeArea().influence(part), part.positive
        share = None if part.weight is None else part.weight[positive]
        values.append(np.average(pull[positive], weights=share))
        errors.append(np.sqrt(Spread.of(part, [pull]).covariance()[0, 0]))
    clusters = SharedClusters.of(rows, groups)
    given = np.array(values), np.array(errors), *worth(*clusters.worth()), (0.0, 1.0)
    correlation = clusters.correlation(WholeArea(), range(hospitals))
    one, apart = heterogeneity(*given, correlation=correlation), heterogeneity(*given)
    assert one is not None
    assert apart is not None
    return one, apart


@pytest.mark.parametrize(
    ("hospitals", "count", "weighted"),
    [(12, 60, False), pytest.param(6, 40, True, marks=pytest.mark.slow)],
)
def test_equal_segments_that_share_clusters(hospitals: int, count: int, weighted: bool) -> None:
    """Where they go apart, a test of independent segments finds differences."""
    rng, boards = np.random.default_rng(hospitals), 120
    found = apart = as_apart = 0
    for _ in range(boards):
        auc = np.full(hospitals, 0.6)
        one, other = of_patients(rng, auc, count=count, sick=False, weighted=weighted)
        found += one.p_value <= 0.05
        apart += bool((one.adjusted < 0.05).any())
        as_apart += other.p_value <= 0.05
    assert found == 0 or bdtrc(found - 1, boards, 0.05) > ALARM
    assert apart == 0 or bdtrc(apart - 1, boards, 0.05) > ALARM
    if not weighted:
        assert bdtrc(as_apart - 1, boards, 0.05) < ALARM


def test_segments_that_share_clusters_are_told_apart_better() -> None:
    """Where they go together, their differences are known better than each of them."""
    rng, boards = np.random.default_rng(2), 40
    found = as_apart = equal = 0
    for _ in range(boards):
        auc = 0.75 + np.linspace(-0.12, 0.12, 4)
        one, other = of_patients(rng, auc, count=60, sick=True)
        found += one.p_value <= 0.05
        as_apart += other.p_value <= 0.05
        one, _ = of_patients(rng, np.full(4, 0.75), count=60, sick=True)
        equal += one.p_value <= 0.05
    assert found > as_apart + 10
    assert equal == 0 or bdtrc(equal - 1, boards, 0.05) > ALARM


def test_equal_segments_of_few_queries() -> None:
    """Means of 0 and 1, nearly all 1: a beta distribution has no chance of a lone 0."""
    rng, boards, count = np.random.default_rng(3), 40, 20
    found = apart = by_formula = 0
    for seed in range(boards):
        n = rng.integers(1, 7, count)
        each = [(rng.random(size) < 0.95).astype(float) for size in n]
        values = np.array([one.mean() for one in each])
        errors = np.array(
            [np.nan if len(one) == 1 else one.std(ddof=1) / np.sqrt(len(one)) for one in each]
        )
        given = (values, errors, n.astype(float), n - 1.0, (0.0, 1.0), seed)
        one, other = heterogeneity(*given, pool=np.concatenate(each)), heterogeneity(*given)
        if one is not None and other is not None:
            found += one.p_value <= 0.05
            apart += bool((one.adjusted < 0.05).any())
            by_formula += bool((other.adjusted < 0.05).any())
    assert found == 0 or bdtrc(found - 1, boards, 0.05) > ALARM
    assert apart == 0 or bdtrc(apart - 1, boards, 0.05) > ALARM
    assert by_formula > apart + 3

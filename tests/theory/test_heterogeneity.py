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
from rocsolid.comparison.heterogeneity import heterogeneity

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

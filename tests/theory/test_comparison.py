"""Level and coverage of the comparisons, by simulation and by enumeration.

A check fails when it misses so often that a binomial with the stated probability would do so with a
chance below 1e-7. There are fewer than 100 checks, so the file raises a false alarm with a
probability below 1e-5 over the choice of seeds, which are fixed. The ceilings for DeLong's tests
are not their nominal 5 % but what the docs promise of them at these sizes.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtri

import rocsolid as rs
from quick_measure import QuickMeasure
from rocsolid.comparison import adjust as adjusting
from rocsolid.intervals.guarantees.difference import difference_limits
from rocsolid.measures.whole_area import WholeArea

ALARM = 1e-7


AUC = QuickMeasure(WholeArea())


def too_many(count: int, repeats: int, probability: float) -> bool:
    return count > 0 and bool(bdtrc(count - 1, repeats, probability) < ALARM)


def scores(
    rng: np.random.Generator, y: NDArray[np.bool_], count: int, auc: float, common: float
) -> dict[str, NDArray[np.float64]]:
    """Binormal scores of one AUC, with a share of their variance in common, rounded to tie."""
    shared = rng.normal(size=len(y))
    shift = float(ndtri(auc)) * math.sqrt(2.0)
    return {
        f"m{i}": np.round(
            (math.sqrt(common) * shared + math.sqrt(1 - common) * rng.normal(size=len(y)))
            + shift * y,
            1,
        )
        for i in range(count)
    }


@pytest.mark.parametrize(("m", "n", "auc"), [(50, 50, 0.8), (30, 120, 0.7)])
def test_paired_level_and_coverage(m: int, n: int, auc: float) -> None:
    rng = np.random.default_rng(1)
    y, repeats = np.arange(m + n) < m, 300
    pairs = [
        rs.compare(y, scores(rng, y, 2, auc, 0.5), measure=AUC).pairs[0] for _ in range(repeats)
    ]
    assert not too_many(sum(p.p_value < 0.05 for p in pairs), repeats, 0.06)
    assert not too_many(sum(not p.low <= 0 <= p.high for p in pairs), repeats, 0.06)
    proven = [p.certified for p in pairs if p.certified is not None]
    assert not too_many(sum(0.0 not in c for c in proven), repeats, 0.05)
    assert all(c.width < 1.0 for c in proven)


def test_unpaired_level() -> None:
    rng = np.random.default_rng(2)
    repeats, missed = 300, 0
    for _ in range(repeats):
        samples = []
        for m, n in ((40, 60), (80, 40)):
            y = np.arange(m + n) < m
            samples.append((y, scores(rng, y, 1, 0.75, 0.0)["m0"]))
        missed += rs.compare(samples, measure=AUC).pairs[0].p_value < 0.05
    assert not too_many(missed, repeats, 0.06)


@pytest.mark.parametrize("weighted", [False, True])
def test_clusters_and_weights(weighted: bool) -> None:
    """Twenty clusters with a common part of each score; a normal reference would miss 7 %."""
    rng = np.random.default_rng(3)
    repeats, missed, size = 300, 0, 100
    for _ in range(repeats):
        y = rng.permutation(np.arange(size) < 40)
        cluster = rng.integers(20, size=size)
        own = {
            name: s + 0.8 * rng.normal(size=20)[cluster]
            for name, s in scores(rng, y, 2, 0.75, 0.3).items()
        }
        weight = rng.exponential(size=size) if weighted else None
        pair = rs.compare(y, own, cluster=cluster, sample_weight=weight, measure=AUC).pairs[0]
        missed += pair.p_value < 0.05
    assert not too_many(missed, repeats, 0.07 if weighted else 0.06)


def test_weights() -> None:
    rng = np.random.default_rng(4)
    repeats, missed, outside = 300, 0, 0
    y = np.arange(120) < 60
    for _ in range(repeats):
        weight = rng.exponential(size=len(y))
        pair = rs.compare(
            y, scores(rng, y, 2, 0.8, 0.5), sample_weight=weight, measure=AUC, design="fixed"
        ).pairs[0]
        missed += pair.p_value < 0.05
        assert pair.certified is not None
        outside += 0.0 not in pair.certified
    assert not too_many(missed, repeats, 0.065)
    assert not too_many(outside, repeats, 0.05)


@pytest.mark.parametrize("how", [pytest.param("holm", marks=pytest.mark.slow), "max-t"])
def test_the_family_of_four_equal_models(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any of six pairs called different, and the test that all are equal."""
    monkeypatch.setattr(adjusting, "DIRECTIONS", 2000)
    rng = np.random.default_rng(6)
    y, repeats = np.arange(150) < 60, 200
    results = [
        rs.compare(y, scores(rng, y, 4, 0.8, 0.5), adjust=how, measure=AUC) for _ in range(repeats)
    ]
    found = sum(len(r.groups) > 1 for r in results)
    assert not too_many(found, repeats, 0.06)
    assert not too_many(sum(r.omnibus.p_value < 0.05 for r in results), repeats, 0.06)


def test_max_t_is_the_joint_normal_probability() -> None:
    """Against 400,000 draws of the statistics themselves; errors of both below .004."""
    rng = np.random.default_rng(7)
    y = np.arange(300) < 100
    named = scores(rng, y, 3, 0.8, 0.5)
    for alternative in ("two-sided", "greater"):
        result = rs.compare(y, named, adjust="max-t", alternative=alternative)
        contrast = np.array([[1, -1, 0], [1, 0, -1], [0, 1, -1]])
        covariance = contrast @ result.covariance @ contrast.T
        error = np.sqrt(np.diag(covariance))
        drawn = rng.multivariate_normal(np.zeros(3), covariance, size=400_000) / error
        extreme = (np.abs(drawn) if alternative == "two-sided" else drawn).max(axis=1)
        for pair in result.pairs:
            reach = abs(pair.statistic) if alternative == "two-sided" else pair.statistic
            expected = float(np.mean(extreme >= reach))
            assert pair.p_adjusted == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("k", [1, 2, 5, 20])
@pytest.mark.parametrize("delta", [0.05, 0.3])
def test_the_trinomial_certificate_by_enumeration(k: int, delta: float) -> None:
    """Every outcome of k independent pairs, for trinomials on a grid: misses at most δ."""
    outcomes = [(i, j) for i in range(k + 1) for j in range(k + 1 - i)]
    wins, losses = np.array(outcomes, dtype=float).T
    many = np.array(
        [
            math.factorial(k) // (math.factorial(i) * math.factorial(j) * math.factorial(k - i - j))
            for i, j in outcomes
        ],
        dtype=float,
    )
    for alternative in ("two-sided", "greater", "less"):
        low, high = difference_limits(
            (wins - losses) / k, (wins + losses) / k, np.float64(k), delta, alternative
        )
        for p, q in itertools.product((0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.95, 1.0), repeat=2):
            if p + q > 1.0:
                continue
            chance = many * p**wins * q**losses * (1.0 - p - q) ** (k - wins - losses)
            missed = chance[(p - q < low) | (p - q > high)].sum()
            assert missed <= delta, (alternative, p, q)


@pytest.mark.parametrize(("m", "n"), [(4, 4), (20, 20), (8, 40)])
@pytest.mark.parametrize("grades", [None, 3])
def test_the_trinomial_certificate_on_samples(m: int, n: int, grades: int | None) -> None:
    """All pairs of each sample, the two scores correlated, with a large δ so that misses show."""
    rng = np.random.default_rng(9)
    repeats, delta = 1500, 0.3
    shift = np.array([0.4, 1.2])[:, None, None]
    common = rng.normal(size=(2, repeats, m + n))
    pos = np.stack([common[0, :, :m], (common[0, :, :m] + common[1, :, :m]) / math.sqrt(2)])
    neg = np.stack([common[0, :, m:], (common[0, :, m:] + common[1, :, m:]) / math.sqrt(2)])
    pos = pos + shift
    if grades is not None:
        pos, neg = np.clip(np.round(pos), 0, grades), np.clip(np.round(neg), 0, grades)
        truth = _graded_truth(shift.ravel(), grades)
    else:
        from scipy.special import ndtr

        truth = float(np.diff(ndtr(shift.ravel() / math.sqrt(2))[::-1])[0])
    x, y = pos[:, :, :, None], neg[:, :, None, :]
    phi = (x > y) + 0.5 * (x == y)
    d = phi[0] - phi[1]
    low, high = difference_limits(
        d.mean(axis=(1, 2)), np.abs(d).mean(axis=(1, 2)), np.float64(min(m, n)), delta
    )
    assert not too_many(int(((truth < low) | (truth > high)).sum()), repeats, delta)


def _graded_truth(shift: NDArray[np.float64], grades: int) -> float:
    from scipy.special import ndtr

    cuts = np.concatenate([[-np.inf], np.arange(grades) + 0.5, [np.inf]])

    def auc(by: float) -> float:
        pos, neg = np.diff(ndtr(cuts - by)), np.diff(ndtr(cuts))
        below = np.cumsum(neg) - neg
        return float(pos @ (below + 0.5 * neg))

    return auc(shift[0]) - auc(shift[1])

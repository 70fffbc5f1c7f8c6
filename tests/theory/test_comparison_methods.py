"""Level of the resampling, exchange and curve tests, and of all tests for other measures.

A check fails when it misses so often that a binomial with the stated probability would do so with a
chance below 1e-7. There are fewer than 40 checks, so the file raises a false alarm with a
probability below 4e-6 over the choice of seeds, which are fixed. The ceilings are what the docs
promise at these sizes, not always the nominal 5 %.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtri

import rocsolid as rs
from quick_measure import QuickMeasure
from rocsolid.binary.resampling import replicates
from rocsolid.measures.named import measure_of
from rocsolid.measures.whole_area import WholeArea

ALARM = 1e-7
AUC = QuickMeasure(WholeArea())
_Scores = dict[str, NDArray[np.float64]]


def too_many(count: int, repeats: int, probability: float) -> bool:
    return count > 0 and bool(bdtrc(count - 1, repeats, probability) < ALARM)


def alike(rng: np.random.Generator, y: NDArray[np.bool_], auc: float, digits: int = 1) -> _Scores:
    """Two binormal scores of one curve, half of their variance in common, rounded to tie."""
    shared = rng.normal(size=len(y))
    shift = float(ndtri(auc)) * math.sqrt(2.0)
    return {
        name: np.round(math.sqrt(0.5) * (shared + rng.normal(size=len(y))) + shift * y, digits)
        for name in "ab"
    }


def crossing(rng: np.random.Generator, y: NDArray[np.bool_]) -> _Scores:
    """Two scores with an AUC of .8 and curves that cross: one has positives of three times σ."""
    shared = rng.normal(size=len(y))
    own = [math.sqrt(0.5) * (shared + rng.normal(size=len(y))) for _ in range(2)]
    reach = float(ndtri(0.8))
    return {
        "a": own[0] + reach * math.sqrt(2.0) * y,
        "b": np.where(y, 3.0 * own[1] + reach * math.sqrt(10.0), own[1]),
    }


def rejections(
    repeats: int, one: Callable[[], rs.results.Comparison], level: float = 0.05
) -> tuple[int, int]:
    """How often p is below the level, and how often the interval leaves out 0."""
    pairs = [one().pairs[0] for _ in range(repeats)]
    return (sum(p.p_value <= level for p in pairs), sum(not p.low <= 0.0 <= p.high for p in pairs))


@pytest.mark.parametrize("test", ["permutation", "venkatraman-curves"])
@pytest.mark.parametrize(
    ("m", "n", "auc", "digits"), [(10, 10, 0.8, 1), (12, 60, 0.7, 0), (30, 30, 0.95, 1)]
)
def test_exchanges_within_rows(test: str, m: int, n: int, auc: float, digits: int) -> None:
    rng, y = np.random.default_rng(1), np.arange(m + n) < m
    options: dict[str, Any] = {"test": test, "resamples": 59, "measure": AUC}
    missed, _ = rejections(120, lambda: rs.compare(y, alike(rng, y, auc, digits), **options))
    assert not too_many(missed, 120, 0.06)


def test_the_studentised_permutation_test_is_of_the_auc_and_not_of_the_curve() -> None:
    rng, y = np.random.default_rng(2), np.arange(100) < 20
    options: dict[str, Any] = {"resamples": 59, "measure": AUC}
    missed, outside = rejections(
        150, lambda: rs.compare(y, crossing(rng, y), test="permutation", **options)
    )
    assert not too_many(missed, 150, 0.065)
    assert missed == outside
    found, _ = rejections(
        100, lambda: rs.compare(y, crossing(rng, y), test="venkatraman-curves", **options)
    )
    assert found > 15, "the curves do differ, which is what the other test is for"


@pytest.mark.parametrize("test", ["permutation", "venkatraman-curves"])
def test_ties_of_one_score_alone_on_rows_sorted_by_label(test: str) -> None:
    """Noise in three grades against continuous noise; broken in row order, half would be called."""
    rng, y = np.random.default_rng(3), np.arange(60) < 30
    options: dict[str, Any] = {"test": test, "resamples": 59, "measure": AUC}
    missed, _ = rejections(
        120,
        lambda: rs.compare(
            y, {"a": rng.normal(size=60), "b": rng.integers(0, 3, size=60)}, **options
        ),
    )
    assert not too_many(missed, 120, 0.055)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "weighted"),
    [
        ("permutation", False),
        ("permutation", True),
        ("bootstrap", False),
        ("bootstrap", True),
        ("venkatraman-curves", False),
    ],
)
def test_clusters(test: str, weighted: bool) -> None:
    """Thirty clusters that carry .4 of each score's variance, and random weights on top."""
    rng, size = np.random.default_rng(4), 120

    def one() -> rs.results.Comparison:
        y = rng.permutation(np.arange(size) < 48)
        cluster = np.concatenate([np.arange(30), rng.integers(30, size=size - 30)])
        scores = {
            name: s + 0.8 * rng.normal(size=30)[cluster] for name, s in alike(rng, y, 0.75).items()
        }
        weight = rng.exponential(size=size) if weighted else None
        return rs.compare(
            y, scores, cluster=cluster, sample_weight=weight, test=test, resamples=59,
            measure=AUC,
        )  # fmt: skip

    missed, _ = rejections(120, one)
    assert not too_many(missed, 120, 0.07)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "sizes", "ceiling"),
    [
        ("permutation", ((10, 40), (40, 10)), 0.06),
        ("permutation", ((5, 20), (50, 50)), 0.06),
        ("venkatraman-curves", ((10, 40), (40, 10)), 0.06),
        ("venkatraman-curves", ((5, 20), (50, 50)), 0.06),
        ("bootstrap", ((20, 60), (60, 20)), 0.07),
    ],
)
def test_different_samples(
    test: str, sizes: tuple[tuple[int, int], tuple[int, int]], ceiling: float
) -> None:
    """Samples of different sizes, shares of positives and scales of the score."""
    rng = np.random.default_rng(5)

    def one() -> rs.results.Comparison:
        samples = []
        for scale, (m, n) in zip((1.0, 7.0), sizes, strict=True):
            y = np.arange(m + n) < m
            samples.append((y, scale * alike(rng, y, 0.8)["a"]))
        return rs.compare(samples, test=test, resamples=59, measure=AUC)

    missed, _ = rejections(120, one)
    assert not too_many(missed, 120, ceiling)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "inside"), [("bootstrap", 0.92), ("bootstrap-bca", 0.9), ("delong", 0.93)]
)
def test_intervals_of_a_difference_of_skewed_classes(test: str, inside: float) -> None:
    """Twenty positives in 100 rows; at an AUC of .95 BCa covered .87 and the percentiles .93."""
    rng, y = np.random.default_rng(6), np.arange(100) < 20
    missed, outside = rejections(
        250, lambda: rs.compare(y, alike(rng, y, 0.85), test=test, resamples=199,
                                measure=AUC),
    )  # fmt: skip
    assert not too_many(missed, 250, 0.07)
    assert not too_many(outside, 250, 1.0 - inside)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "test", "ceiling"),
    [
        ("partial_auc(fpr<=0.2)", "delong", 0.07),
        ("partial_auc(fpr<=0.2)", "bootstrap", 0.07),
        ("partial_auc(fpr<=0.5, tpr>=0.5)", "delong", 0.07),
        ("weighted_auc(power(2))", "delong", 0.07),
        ("sensitivity(specificity=0.8)", "bootstrap", 0.07),
        ("specificity(sensitivity=0.8)", "bootstrap", 0.07),
    ],
)
def test_other_measures(
    name: str, test: str, ceiling: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replicates, "_MOST", 64)  # no more resamples at once than are requested
    rng, y = np.random.default_rng(7), np.arange(120) < 50
    measure, resamples = QuickMeasure(measure_of(name)), 64
    repeats = 120
    missed, _ = rejections(
        repeats,
        lambda: rs.compare(y, alike(rng, y, 0.8), measure=measure, test=test, resamples=resamples),
    )
    assert not too_many(missed, repeats, ceiling)


@pytest.mark.parametrize("clustered", [False, True])
def test_a_partial_area_under_weights_and_clusters(clustered: bool) -> None:
    rng, size = np.random.default_rng(8), 300
    measure = QuickMeasure(measure_of("partial_auc(fpr<=0.3)"))

    def one() -> rs.results.Comparison:
        y = rng.permutation(np.arange(size) < 120)
        cluster = rng.integers(40, size=size) if clustered else None
        scores = alike(rng, y, 0.75)
        if cluster is not None:
            cluster[:40] = np.arange(40)
            scores = {name: s + 0.6 * rng.normal(size=40)[cluster] for name, s in scores.items()}
        weight = rng.exponential(size=size)
        return rs.compare(y, scores, cluster=cluster, sample_weight=weight, measure=measure)

    missed, outside = rejections(120, one)
    assert not too_many(missed, 120, 0.075)
    assert not too_many(outside, 120, 0.075)


def test_the_family_of_four_equal_models_under_shared_swaps() -> None:
    rng, y = np.random.default_rng(9), np.arange(80) < 30
    repeats, found = 100, 0
    for _ in range(repeats):
        scores = {f"{k}{name}": s for k in range(2) for name, s in alike(rng, y, 0.8).items()}
        result = rs.compare(
            y, scores, test="permutation", adjust="max-t", resamples=59, measure=AUC
        )
        found += any(p.p_adjusted <= 0.05 for p in result.pairs)
    assert not too_many(found, repeats, 0.065)

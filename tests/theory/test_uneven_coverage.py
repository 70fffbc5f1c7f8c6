"""The default interval under weights and clusters: how often it holds, and how wide it is.

The designs are those of `benchmarks/uneven_study.py`, with 250 repeats. A check fails when a
binomial with .93 would cover as rarely with a chance below 1e-6; with 17 checks the file raises a
false alarm with a chance below 1.7e-5 over the seeds, which are fixed.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.special import bdtr

import rocsolid as rs
from rocsolid.engines.memory import summarise
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.auto import auto
from rocsolid.intervals.calibrated.standard_error import degrees_of_freedom
from rocsolid.summaries.moments import Moments, Units

REPEATS, ALARM = 250, 1e-6


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "uneven_study.py"
    spec = importlib.util.spec_from_file_location("uneven_study", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["uneven_study"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "verification, 1 in 10, 100 + 1000",
        "verification, 1 in 50, 200 + 200",
        "verification, 1 in 50, 100 + 1000",
        "shift, exp(1.5x), 500 + 500",
        "shift, exp(1.5x), 100 + 1000",
        "40 patients, 1 to 5 rows, .8",
        "150 patients, 1 to 5 rows, .8",
        "150 patients, 1 to 5 rows, .95",
        "50 hospitals, 40 rows, .95",
        "60 clusters, large ones rank worse",
        "150 clusters, large ones rank better",
        "8 centres, 25 rows, .88",
        "10 centres, 200 rows, .88, much shared",
        "30 lognormal clusters, .88",
        "20 clusters of one class, 10 rows, .8",
    ],
)
def test_coverage(study: ModuleType, name: str) -> None:
    low, high, _ = study.simulate(name, REPEATS).T
    truth = study.DESIGNS[name].truth
    covered = int(np.sum((low <= truth) & (truth <= high)))
    assert bdtr(covered, REPEATS, 0.93) > ALARM


def test_hospitals_that_all_misplace_some_rows_need_no_hull(study: ModuleType) -> None:
    """At an AUC of .95 fifty clusters would misplace 2.5 if each were one row."""
    name = "50 hospitals, 200 rows, .95"
    low, high, _ = study.simulate(name, 20).T
    plain = study.simulate(name, 20, "logit-t").T
    assert low == pytest.approx(plain[0])
    assert high == pytest.approx(plain[1])
    assert np.mean(high - low) < 0.02


@pytest.mark.parametrize(
    ("name", "most"),
    [("10 centres, 200 rows, .88", 1.1), ("20 centres, 400 rows, .88", 1.1),
     ("12 centres, 50 rows, .88", 1.4), ("20 clusters of one class, 10 rows, .8", 1.3)],
)  # fmt: skip
def test_few_large_clusters_that_are_alike_need_little_of_the_hull(
    study: ModuleType, name: str, most: float
) -> None:
    """With the hull of ten or twenty rows these were 5.7, 1.7, 2.9 and 1.5 times as wide."""
    low, high, _ = study.simulate(name, 20).T
    plain_low, plain_high, _ = study.simulate(name, 20, "logit-t").T
    assert 1.0 - 1e-9 <= np.mean(high - low) / np.mean(plain_high - plain_low) < most


def test_one_hospital_that_misplaces_all_its_rows_keeps_the_hull() -> None:
    rng = np.random.default_rng(1)
    c = np.repeat(np.arange(50), 100)
    y = np.tile([True, False], 2500)
    s = rng.random(5000) + 2.0 * y
    s[c == 7] *= -1.0
    found = rs.auc(y, s, cluster=c)
    assert found.method == "auto (hull)"
    assert found.interval.width > 0.05


@pytest.mark.parametrize("auc_shift", [1.2, 2.5, 9.0])
def test_clusters_of_one_row_have_the_interval_of_rows(auc_shift: float) -> None:
    rng = np.random.default_rng(2)
    y = np.arange(60) < 25
    s = rng.normal(size=60) + auc_shift * y
    plain = summarise(BinaryRows(y, s))
    apart = rs.auc(y, s, cluster=np.arange(60)).interval
    assert (apart.low, apart.high) == pytest.approx(
        tuple(float(end) for end in auto(plain.moments, 0.95, "two-sided"))
    )


def test_degrees_of_freedom_by_definition() -> None:
    """Each unit's variance goes with its squared share; a class loses one degree for its mean."""
    rng = np.random.default_rng(3)
    share = rng.dirichlet(np.ones(30))
    alone = share**2 / np.sum(share**2)
    none = np.zeros(30)
    of_pos = Units.of_shares(np.append(share, none), np.append(none, np.full(30, 1 / 30)))
    assert of_pos.both == 0.0
    assert float(of_pos.df(1.0)) == pytest.approx(1.0 / np.sum(alone**2) - 1.0)
    assert float(of_pos.df(0.0)) == pytest.approx(29.0)
    heavy = Moments(0.8, 0.001, 0.0, 40.0, 60.0, units=of_pos)
    assert float(degrees_of_freedom(heavy)) == pytest.approx(1.0 / np.sum(alone**2) - 1.0)
    same = Units.of_shares(share, share)
    for part in (0.0, 0.3, 1.0):
        assert float(same.df(part)) == pytest.approx(1.0 / np.sum(alone**2) - 1.0)


@pytest.mark.parametrize("weight", [1.0, 7.5])
def test_equal_weights_leave_welchs_degrees(weight: float) -> None:
    y, s = np.arange(50) < 20, np.sin(np.arange(50.0) * 7.0)
    w = np.full(50, weight)
    w[0] *= 1.0 + 1e-9  # equal weights count as none
    plain, even = (summarise(BinaryRows(y, s, each)).moments for each in (None, w))
    assert float(degrees_of_freedom(even)) == pytest.approx(float(degrees_of_freedom(plain)))


def test_uneven_units_are_named() -> None:
    rng = np.random.default_rng(4)
    y = rng.random(600) < 0.5
    s = rng.normal(size=600) + y
    w = np.where(rng.random(600) < 0.02, 50.0, 1.0)
    heavy = rs.auc(y, s, sample_weight=w)
    assert any("A few heavy rows decide the estimate" in text for text in heavy.warnings)
    mild = rs.auc(y, s, sample_weight=np.where(y, 1.0, 2.0) + 0.1 * rng.random(600))
    assert not any("heavy rows" in text for text in mild.warnings)
    sizes = np.r_[np.full(4, 120), np.full(60, 2)]
    c = np.repeat(np.arange(64), sizes)
    large = rs.auc(y, s, cluster=c)
    assert any("64 clusters as uneven as these count as about" in t for t in large.warnings)
    even = rs.auc(y, s, cluster=np.arange(600) // 10)
    assert not any("uneven" in text for text in even.warnings)


def test_a_class_without_heavy_rows() -> None:
    """One positive of weight 50, at the bottom or at the top, stays within the limits."""
    y, score = np.repeat([1, 0], [50, 100]), np.random.default_rng(1).normal(size=150)
    score[:50] += 2.0
    weight = np.ones(150)
    weight[50:140] = 50.0  # ten of the negatives weigh as little as all positives
    found = rs.auc(y, score, sample_weight=weight)
    assert "no row as heavy" in " ".join(found.warnings)
    for extreme in (-9.0, 9.0):
        more = rs.auc(
            np.append(y, 1), np.append(score, extreme), sample_weight=np.append(weight, 50.0)
        )
        assert found.low < more.value < found.high
        assert "no row as heavy" not in " ".join(more.warnings)
    turned = rs.auc(1 - y, -score, sample_weight=weight)
    assert (turned.low, turned.high) == pytest.approx((found.low, found.high))
    of_classes = rs.auc(y, score, sample_weight=np.where(y, 1.0, 50.0))
    assert of_classes.interval.width < 0.25 * found.interval.width
    assert "no row as heavy" not in " ".join(of_classes.warnings)

"""Coverage of the default interval, small; benchmarks/coverage.md has the large study.

False alarms: a setting fails when as few replicates are covered as would happen with probability
below 1e-7 if the true coverage were at the floor of its family. The 430 checks of this file
together raise a false alarm with a probability below 5e-5 over the choice of seeds; the seeds are
fixed, so that a failure means a change. A coverage five hundredths below a floor is caught.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.special import bdtr

REPLICATES = 2000
ALARM = 1e-7
SIZES = ((10, 10), (20, 20), (50, 50), (100, 100), (500, 500), (10, 100), (100, 10), (8, 300))
AUCS = (0.6, 0.8, 0.95, 0.98, 0.995)

FLOORS = {
    # The lowest coverage in benchmarks/coverage.md, less its simulation error, rounded down.
    "binormal, equal variances": 0.935,
    "binormal, positives twice as spread": 0.935,
    "binormal, positives half as spread": 0.93,
    "exponential": 0.935,
    "exponential, reversed": 0.93,
    "five grades": 0.935,
    "two-point positives": 0.93,
    "two-point negatives": 0.93,
}


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "coverage_study.py"
    spec = importlib.util.spec_from_file_location("coverage_study", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["coverage_study"] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


def too_few(covered: float, floor: float) -> bool:
    return bool(bdtr(round(covered * REPLICATES), REPLICATES, floor) < ALARM)


def too_many(covered: float, ceiling: float) -> bool:
    return bool(bdtr(round((1 - covered) * REPLICATES), REPLICATES, 1 - ceiling) < ALARM)


OF_SIZES = [pytest.param(*size, marks=[pytest.mark.slow] * (min(size) >= 100)) for size in SIZES]


@pytest.mark.slow
@pytest.mark.parametrize("family", FLOORS)
@pytest.mark.parametrize(("m", "n"), OF_SIZES)
def test_auto_keeps_its_floor(study: ModuleType, family: str, m: int, n: int) -> None:
    for auc in AUCS:
        found = study.simulate(family, m, n, auc, REPLICATES)
        error = 6 * np.std(found.auc) / np.sqrt(REPLICATES)
        assert np.mean(found.auc) == pytest.approx(auc, abs=error), "the simulation is off"
        covered = study.coverage("auto", found, auc).covered
        assert not too_few(covered, FLOORS[family]), (auc, covered)


@pytest.mark.parametrize(
    ("family", "m", "n", "auc", "delong", "auto"),
    [
        ("binormal, equal variances", 20, 20, 0.80, 0.921, 0.95),
        ("binormal, equal variances", 20, 20, 0.95, 0.840, 0.95),
        ("binormal, equal variances", 20, 20, 0.99, 0.603, 0.95),
        ("binormal, equal variances", 100, 100, 0.95, 0.926, 0.95),
        ("binormal, equal variances", 100, 100, 0.99, 0.867, 0.95),
        ("exponential", 20, 20, 0.95, 0.787, 0.95),
        ("exponential", 20, 20, 0.99, 0.417, 0.95),
    ],
)
def test_plain_delong_falls_short_where_auto_does_not(
    study: ModuleType, family: str, m: int, n: int, auc: float, delong: float, auto: float
) -> None:
    """The figures for DeLong come from an independent simulation, itself good to about .01."""
    found = study.simulate(family, m, n, auc, REPLICATES)
    plain = study.coverage("delong", found, auc).covered
    assert not too_few(plain, delong - 0.01)
    assert not too_many(plain, delong + 0.01)
    assert not too_few(study.coverage("auto", found, auc).covered, auto)


def test_the_classwise_member_saves_a_rare_positive_class(study: ModuleType) -> None:
    """Positives above all 1000 negatives or below them all: only the 30 positives inform."""
    found = study.simulate("two-point positives", 30, 1000, 0.95, REPLICATES)
    assert too_few(study.coverage("logit-t", found, 0.95).covered, 0.90)
    assert too_few(study.coverage("newcombe5", found, 0.95).covered, 0.90)
    assert not too_few(study.coverage("auto", found, 0.95).covered, 0.97)


@pytest.mark.parametrize("family", list(FLOORS)[:-2])
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_limits(study: ModuleType, family: str, alternative: str) -> None:
    for m, n, auc in ((20, 20, 0.8), (50, 50, 0.95), (10, 100, 0.9), (100, 100, 0.99)):
        found = study.simulate(family, m, n, auc, REPLICATES)
        low, high = study.limits("auto", found, alternative)
        covered = float(np.mean((low <= auc) & (auc <= high)))
        assert not too_few(covered, 0.93), (m, n, auc, covered)

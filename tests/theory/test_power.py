"""The power that is predicted against the power that the tests have, by simulation.

A check fails when the simulated share is more than 5 of its standard errors away from the predicted
one, after an allowance of .03 for the normal approximation, which `benchmarks/power_study.py`
shows to be ample at these sizes. There are 29 checks, each a two-sided one at 5.7e-7, so the file
raises a false alarm with a probability below 2e-5 over the choice of seeds, which are fixed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtri

import rocsolid as rs
from rocsolid.binary.area import Region, box_area
from rocsolid.binary.area_inference import asked_interval
from rocsolid.binary.estimate import Options
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.summaries.placements import Placements, SortedClasses

ALLOWED, ERRORS = 0.03, 5.0


def agrees(found: float, predicted: float, repeats: int) -> bool:
    spread = math.sqrt(max(predicted * (1 - predicted), 0.01) / repeats)
    return abs(found - predicted) <= ALLOWED + ERRORS * spread


def normal(
    rng: np.random.Generator, sizes: tuple[int, int], auc: float, spread: float = 1.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    shift = math.hypot(1.0, spread) * float(ndtri(auc))
    return shift + spread * rng.standard_normal(sizes[0]), rng.standard_normal(sizes[1])


def statistic(pilot: rs.results.Pilot, null: float) -> float:
    """DeLong's, of the pilot's own rows."""
    covariance = pilot.covariance(pilot.n_pos, pilot.n_neg)
    error = math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    return (pilot.values[0] - pilot.values[1] - null) / error


@pytest.mark.slow
@pytest.mark.parametrize("test", ["auto", "delong", "newcombe5", "score"])
@pytest.mark.parametrize(
    ("m", "n", "auc", "null", "spread"),
    [
        *((40, 40, 0.67, 0.5, 1.0), (60, 120, 0.85, 0.75, 1.0), (150, 40, 0.7, 0.8, 1.0)),
        (50, 50, 0.8, 0.65, 2.0),
    ],
)
def test_one_auc(m: int, n: int, auc: float, null: float, spread: float, test: str) -> None:
    rng = np.random.default_rng(1)
    plan = rs.plan.auc_power(auc=auc, null=null, n_pos=m, n_neg=n, spread=spread, test=test)
    # an interval of Newcombe's that leaves out ½ is the z test with the variance under ½
    limits = METHODS["newcombe5" if test == "score" else test].limits
    repeats, found = 1000, 0
    for _ in range(repeats):
        classes = SortedClasses(*(np.sort(part) for part in normal(rng, (m, n), auc, spread)))
        low, high = limits(Placements.from_sorted(classes).moments, 0.95, "two-sided")
        found += bool(low > null if auc > null else high < null)
    assert agrees(found / repeats, plan.power, repeats)
    assert not plan.warnings or test == "score" or spread != 1.0


@pytest.mark.parametrize(
    ("sizes", "aucs", "rho", "how"),
    [
        ((60, 60), (0.85, 0.75), 0.5, {}),
        ((40, 200), (0.8, 0.65), 0.3, {"alternative": "greater"}),
        ((80, 80), (0.75, 0.75), 0.6, {"margin": 0.1}),
        pytest.param((100, 100), (0.7, 0.8), 0.7, {"fpr": 0.3}, marks=pytest.mark.slow),
    ],
)
def test_two_aucs_on_the_same_rows(
    sizes: tuple[int, int], aucs: tuple[float, float], rho: float, how: dict[str, Any]
) -> None:
    rng = np.random.default_rng(2)
    plan = rs.plan.auc_difference_power(
        auc_a=aucs[0], auc_b=aucs[1], n_pos=sizes[0], n_neg=sizes[1], correlation=rho, **how
    )
    positive = np.arange(sum(sizes)) < sizes[0]
    measure = f"partial_auc(fpr<={how['fpr']})" if "fpr" in how else "auc"
    repeats, found = 800, 0
    for _ in range(repeats):
        shared = np.concatenate(normal(rng, sizes, 0.5))
        scores = {
            name: math.sqrt(rho) * shared
            + math.sqrt(1 - rho) * np.concatenate(normal(rng, sizes, 0.5))
            + math.sqrt(2) * float(ndtri(auc)) * positive
            for name, auc in zip("ab", aucs, strict=True)
        }
        drawn = rs.plan.pilot(positive, scores, measure=measure)
        z = statistic(drawn, plan.null)
        if plan.alternative == "greater":
            found += z > 1.6448536
        else:
            found += (z if aucs[0] > aucs[1] else -z) > 1.9599640
    assert agrees(found / repeats, plan.power, repeats)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "prevalence", "shifts", "how"),
    [
        ("pr_auc", 0.1, (1.6, 1.2), {}),
        ("pr_auc", 0.02, (2.0, 2.0), {"margin": 0.1}),
        ("precision@5%", 0.1, (1.8, 1.2), {}),
        ("precision@20%", 0.3, (1.5, 1.1), {"alternative": "greater"}),
    ],
)
def test_rows_as_they_come_for_any_measure(
    measure: str, prevalence: float, shifts: tuple[float, float], how: dict[str, Any]
) -> None:
    """A pilot with half of its rows positive, large enough to be the truth, plans for others."""
    rng = np.random.default_rng(8)

    def drawn(y: Any) -> dict[str, Any]:
        shared, *own = rng.normal(size=(3, len(y)))
        return {
            name: math.sqrt(0.5) * (shared + noise) + shift * y
            for name, shift, noise in zip("ab", shifts, own, strict=True)
        }

    truth = np.arange(400_000) % 2 == 0
    pilot = rs.plan.pilot(truth, drawn(truth), measure=measure)
    plan = rs.plan.auc_difference_power(pilot=pilot, power=0.8, prevalence=prevalence, **how)
    repeats, found = 600, 0
    for _ in range(repeats):
        y = rng.random(plan.rows) < prevalence
        z = statistic(rs.plan.pilot(y, drawn(y), measure=measure), plan.null)
        found += z > (1.9599640 if plan.alternative == "two-sided" else 1.6448536)
    assert plan.power == pytest.approx(0.8)
    assert agrees(found / repeats, plan.power, repeats)


@pytest.mark.parametrize("measure", ["auc", "pr_auc", "precision@20%"])
def test_that_statistic_is_the_comparisons(measure: str) -> None:
    """The shortcut of the simulations above against `rocsolid.compare` itself."""
    rng = np.random.default_rng(3)
    y = np.arange(80) < 30
    scores = {"a": rng.normal(size=80) + y, "b": rng.normal(size=80) + 0.4 * y}
    pair = rs.compare(y, scores, measure=measure, test="delong").pairs[0]
    pilot = rs.plan.pilot(y, scores, measure=measure)
    assert pair.statistic == pytest.approx(statistic(pilot, 0.0), rel=1e-12)


def test_two_samples() -> None:
    rng = np.random.default_rng(4)
    plan = rs.plan.auc_difference_power(
        auc_a=0.85, auc_b=0.7, n_pos=40, n_neg=80, paired=False, b_per_a=2
    )
    repeats, found = 250, 0
    for _ in range(repeats):
        samples = []
        for auc, (m, n) in ((0.85, (40, 80)), (0.7, (80, 160))):
            samples.append((np.arange(m + n) < m, np.concatenate(normal(rng, (m, n), auc))))
        pair = rs.compare(samples).pairs[0]

        found += pair.p_value < 0.05 and pair.difference > 0
    assert agrees(found / repeats, plan.power, repeats)


@pytest.mark.slow
@pytest.mark.parametrize("rates", [{"fpr": 0.3}, {"tpr": 0.6}])
def test_a_partial_area(rates: dict[str, float]) -> None:
    rng = np.random.default_rng(5)
    plan = rs.plan.auc_power(auc=0.8, null=0.68, n_pos=90, n_neg=110, **rates)
    region, y = Region.of(**rates), np.arange(200) < 90
    asked = Options()
    repeats, found = 500, 0
    for _ in range(repeats):
        rows = BinaryRows(y, np.concatenate(normal(rng, (90, 110), 0.8)))
        found += asked_interval(box_area(rows, region), asked).low > plan.null_area
    assert agrees(found / repeats, plan.power, repeats)


@pytest.mark.parametrize("interval", ["auto", "newcombe5"])
def test_mean_half_width(interval: str) -> None:
    """Within 4 % of what was planned, with some thousandths of noise in the mean."""
    rng = np.random.default_rng(6)
    plan = rs.plan.auc_precision(auc=0.85, half_width=0.07, prevalence=1 / 3, interval=interval)
    widths = []
    for _ in range(500):
        drawn = normal(rng, (plan.rows_pos, plan.rows_neg), 0.85)
        moments = Placements.from_sorted(SortedClasses(*map(np.sort, drawn))).moments
        low, high = METHODS[interval].limits(moments, 0.95, "two-sided")
        widths.append(float(high - low) / 2)
    assert np.mean(widths) == pytest.approx(0.07, rel=0.04)

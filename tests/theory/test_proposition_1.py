"""Proposition 1 of Maurer and Pontil 2020, by exact enumeration: where the plug-in estimator fails.

The negatives are 0 or 1, equally likely, every positive is 1/2, and W is 1 on [1/2, 1], the step
over false-positive rates up to 1/2. No randomness is drawn, so there is no false alarm.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import gammaln

from rocsolid import weights
from rocsolid.binary.curve_area import curve_area, plug_in
from rocsolid.summaries.placements import SortedClasses
from rocsolid.weights import Weight, losses

STEP = weights.step(0, 0.5)


def sample(below: int, n: int) -> SortedClasses:
    """``below`` negatives at 0 and the others at 1; the number of positives does not matter."""
    return SortedClasses(np.full(3, 0.5), np.repeat([0.0, 1.0], [below, n - below]))


def by_plug_in(classes: SortedClasses, weight: Weight) -> float:
    return plug_in(classes, weight, losses.step())


def expectation(estimator: Callable[[SortedClasses, Weight], float], weight: Weight, n: int):
    k = np.arange(n + 1)
    chance = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * np.log(2))
    return float(chance @ [estimator(sample(below, n), weight) for below in k])


def test_the_values_in_the_population() -> None:
    """f_{W,H} is 1/2 there, and the area under the completed curve is 0."""
    population = sample(500, 1000)
    assert by_plug_in(population, STEP) == 0.5
    assert curve_area(population, STEP) == 0.0


@pytest.mark.parametrize("n", [10, 100, 1000])
def test_the_plug_in_estimator_tends_to_one_quarter(n: int) -> None:
    """E[R̂·1(R̂ ≥ 1/2)] = 1/4 + O(1/√n) for even n, half of the value 1/2."""
    assert abs(expectation(by_plug_in, STEP, n) - 0.25) <= 0.5 / np.sqrt(n)


@pytest.mark.parametrize("n", [10, 100, 1000])
def test_the_completed_curve_has_no_bias_in_the_limit(n: int) -> None:
    """E(R̂ − 1/2)₊ ≤ 1/(4√n): the area is a continuous function of the distributions."""
    assert 0.0 <= expectation(curve_area, STEP, n) <= 0.25 / np.sqrt(n)


def test_a_lipschitz_weight_is_no_trouble_to_either() -> None:
    """With sides of slope 4 instead of jumps both expectations approach the population's value."""
    ramp = weights.ramp(0, 0.5, 4, side="above")
    for estimator in (by_plug_in, curve_area):
        value = estimator(sample(500, 1000), ramp)
        gaps = [abs(expectation(estimator, ramp, n) - value) for n in (10, 100, 1000)]
        assert gaps[0] > gaps[1] > gaps[2]
        assert gaps[2] < 0.03

"""The coverage simulator against coverages that can be counted.

False alarms: each of the 28 simulated coverages fails when it is more than 5 standard errors from
the exact one, together a chance below 1e-4 over the seeds; the seeds are fixed.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocsolid.intervals.guarantees import binormal, coverage, from_data, ordinal, two_point
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import hoeffding_limits, kl_limits, mcdiarmid_limits

REPETITIONS = 2_000
METHODS = ("hinge", "kl", "hoeffding-blocks", "mcdiarmid")


def binomial(size: int, share: float) -> np.ndarray:
    counts = np.arange(size + 1)
    return np.array([math.comb(size, c) * share**c * (1 - share) ** (size - c) for c in counts])


def limits(method: str, auc: np.ndarray, m: int, n: int, delta: float) -> tuple[np.ndarray, ...]:
    if method == "mcdiarmid":
        return mcdiarmid_limits(auc, m, n, delta)
    of = {"hinge": hinge_limits, "kl": kl_limits, "hoeffding-blocks": hoeffding_limits}[method]
    return of(auc, min(m, n), delta)


@pytest.mark.parametrize(("m", "n", "auc"), [(8, 12, 0.9), (25, 10, 0.7), (15, 15, 0.5)])
@pytest.mark.parametrize("of", ["positives", "negatives"])
def test_two_point_scores_are_a_binomial_share(m: int, n: int, auc: float, of: str) -> None:
    size = m if of == "positives" else n
    values = np.arange(size + 1) / size
    chance = binomial(size, auc)
    found = coverage(two_point(auc, of), m, n, METHODS, 0.5, repetitions=REPETITIONS, seed=size)
    assert found.auc == auc
    for method in METHODS:
        low, high = limits(method, values, m, n, 0.5)
        exact = chance @ ((low <= auc) & (auc <= high))
        above, below = chance @ (low > auc), chance @ (high < auc)
        width = chance @ (high - low)
        error = 5 * math.sqrt(max(exact * (1 - exact), 1e-9) / REPETITIONS)
        assert found[method].coverage == pytest.approx(exact, abs=error)
        assert found[method].above == pytest.approx(above, abs=5 * math.sqrt(0.25 / REPETITIONS))
        assert found[method].below == pytest.approx(below, abs=5 * math.sqrt(0.25 / REPETITIONS))
        assert found[method].mean_width == pytest.approx(width, abs=0.02)


def test_two_grades_listed() -> None:
    """m positives and n negatives on two grades: the AUC is ½ + (p̂ − q̂)/2."""
    m, n, p, q = 9, 6, 0.8, 0.3
    guess = ordinal([1 - p, p], [1 - q, q])
    assert guess.auc == pytest.approx(0.5 + (p - q) / 2)
    auc = 0.5 + (np.arange(m + 1)[:, None] / m - np.arange(n + 1) / n) / 2
    chance = binomial(m, p)[:, None] * binomial(n, q)
    found = coverage(guess, m, n, METHODS, 0.4, repetitions=REPETITIONS)
    for method in METHODS:
        low, high = limits(method, auc, m, n, 0.6)
        exact = np.sum(chance * ((low <= guess.auc) & (guess.auc <= high)))
        error = 5 * math.sqrt(max(exact * (1 - exact), 1e-9) / REPETITIONS)
        assert found[method].coverage == pytest.approx(exact, abs=error)


def test_calibrated_methods_cover_what_they_should() -> None:
    found = coverage(binormal(0.8, 1.5), 150, 200, ("auto", "delong"), repetitions=REPETITIONS)
    for one in found.methods:
        assert abs(one.coverage - 0.95) < 5 * one.std_error
        assert one.coverage + one.above + one.below + one.refused == pytest.approx(1.0)


@pytest.mark.parametrize(
    "guess",
    [
        binormal(0.85, 0.5),
        ordinal([1, 3, 6], [5, 3, 2]),
        two_point(0.7),
        two_point(0.7, "negatives"),
        from_data([3.0, 2.0, 2.0, 7.0], [1.0, 2.0, 5.0]),
    ],
    ids=lambda guess: guess.name,
)
def test_the_stated_auc_is_that_of_the_draws(guess: object) -> None:
    rng = np.random.default_rng(3)
    pos, neg = guess.draw(rng, 200_000, 200_000)  # type: ignore[attr-defined]
    wins = np.mean((pos > neg) + 0.5 * (pos == neg))
    error = 5 * math.sqrt(0.25 / 200_000)
    assert wins == pytest.approx(guess.auc, abs=error)  # type: ignore[attr-defined]
